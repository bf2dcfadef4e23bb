package compare

import (
	"strings"

	"plimsoll/internal/record/block"
)

// GateLines returns what conditions on changes decided as the first lines of a comment: each line of what failed, then
// of what did not.
func GateLines(failed, told string) []block.Sentence {
	out := []block.Sentence{}
	for line := range strings.Lines(failed) {
		out = append(out, block.Sentence{Lead: "gate failed", Tone: block.Bad, Text: strings.TrimSpace(line)})
	}
	for line := range strings.Lines(told) {
		text := strings.TrimPrefix(strings.TrimSpace(line), "plimsoll: ")
		out = append(out, block.Sentence{Lead: "gate", Tone: block.Good, Text: text})
	}
	return out
}

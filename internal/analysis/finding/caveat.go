package finding

import (
	"fmt"
	"maps"
	"slices"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/note"
)

// Counted folds equal texts into one with their number.
func Counted(texts []string) []string {
	n := map[string]int{}
	for _, t := range texts {
		n[t]++
	}
	out := slices.Sorted(maps.Keys(n))
	for i, t := range out {
		if n[t] > 1 {
			out[i] = fmt.Sprintf("%s (%d times)", t, n[t])
		}
	}
	return out
}

// Warnings returns a sentence for each text, with its count if it is repeated.
func Warnings(texts []string) []block.Sentence {
	var out []block.Sentence
	for _, t := range Counted(texts) {
		out = append(out, Caveat("warning", block.Warn, t)...)
	}
	return out
}

// Doubts returns a sentence for each note, prefixed by its place; "" for none.
func Doubts(where string, all []note.Note) []block.Sentence {
	var out []block.Sentence
	for _, d := range all {
		out = append(out, block.Sentence{Lead: "note", Tone: block.Warn, Text: where + d.Text()})
	}
	return out
}

// Caveat splits a message and its trailing hints into sentences.
func Caveat(lead string, k block.Tone, text string) []block.Sentence {
	said, hints := usage.Hints(text)
	out := []block.Sentence{{Lead: lead, Tone: k, Text: said}}
	for _, h := range hints {
		out = append(out, block.Sentence{Lead: "hint", Tone: k, Text: h})
	}
	return out
}

package plan

import (
	"bytes"
	"fmt"
	"regexp"
)

// What a suite may have at the most. The parser of YAML takes 50 kB of memory for a bracket within brackets and time by the square of
// a list's length, so that it is only given what is bounded.
const (
	MaxSuite   = 256 << 10 // bytes
	maxNesting = 100
	maxListed  = 10_000 // commas and brackets
)

// bounded refuses a suite that nobody has written to be measured by. What stands in text is counted as if it stood outside.
func bounded(text []byte) error {
	if len(text) > MaxSuite {
		return fmt.Errorf("it is over %d KiB long", MaxSuite>>10)
	}
	anchor := regexp.MustCompile(`(^|[-:?,\[{])\s*&\w`)
	var indents []int // of the lines that this one may be within
	flows, listed, number := 0, 0, 0
	for line := range bytes.Lines(text) {
		number++
		rest := bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(rest)) == 0 || rest[0] == '#' {
			continue
		}
		indent := len(line) - len(rest)
		for len(indents) > 0 && indents[len(indents)-1] >= indent {
			indents = indents[:len(indents)-1]
		}
		indents = append(indents, indent)
		deepest := flows
		for _, c := range rest {
			switch c {
			case '[', '{':
				flows, listed = flows+1, listed+1
				deepest = max(deepest, flows)
			case ']', '}':
				flows = max(flows-1, 0)
			case ',':
				listed++
			}
		}
		switch {
		case len(indents)+deepest+marks(rest) > maxNesting:
			return fmt.Errorf("line %d: over %d things are nested", number, maxNesting)
		case listed > maxListed:
			return fmt.Errorf("line %d: its lists have over %d things together", number, maxListed)
		case anchor.Match(rest):
			return fmt.Errorf("line %d: a suite has no anchors (&NAME)\nhint: write out what they stand for, or put text in quotes", number)
		}
	}
	return nil
}

// marks is how many items, keys, tags and values begin with the line's first words, each within the one before: "- - ? !a - ".
func marks(line []byte) int {
	n := 0
	for word := range bytes.FieldsSeq(line) {
		if len(word) > 1 && word[0] != '!' && word[0] != '&' || !bytes.ContainsAny(word[:1], "-?:!&") {
			break
		}
		n++
	}
	return n
}

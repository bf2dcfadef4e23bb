package plan

import (
	"bytes"
	"fmt"
	"regexp"
)

// Limits of a suite. The YAML parser takes 50 kB of memory for each nested bracket, and time quadratic in the length of
// a list, so it must be given bounded input only.
const (
	MaxSuite   = 256 << 10 // bytes
	maxNesting = 100
	maxListed  = 10_000 // commas and brackets
)

// bounded rejects a suite that exceeds the limits. Text inside quotes counts as if it were outside.
func bounded(text []byte) error {
	if len(text) > MaxSuite {
		return fmt.Errorf("it is longer than %d KiB", MaxSuite>>10)
	}
	anchor := regexp.MustCompile(`(^|[-:?,\[{])\s*&\w`)
	var indents []int // of the lines that may enclose this one
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
			return fmt.Errorf("line %d: nesting deeper than %d", number, maxNesting)
		case listed > maxListed:
			return fmt.Errorf("line %d: lists have more than %d items in total", number, maxListed)
		case anchor.Match(rest):
			return fmt.Errorf("line %d: anchors (&NAME) are not supported\nhint: write out their values, or put text in quotes",
				number)
		}
	}
	return nil
}

// marks returns the number of nested items, keys, tags and values at the start of a line: "- - ? !a - ".
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

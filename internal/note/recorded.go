package note

import (
	"strconv"
	"strings"
)

// figure is a number among recorded words, written as it was.
type figure struct {
	word  string
	value float64
}

func (f figure) String() string { return f.word }

// FromRecord returns the note of words that a session brought along. Their figures are found again, once and here,
// so that notes that differ in these alone can be folded.
func FromRecord(text string) Note {
	n := Note{Code: Recorded}
	for word := range strings.SplitSeq(text, " ") {
		if v, err := strconv.ParseFloat(word, 64); err == nil {
			n.Args = append(n.Args, figure{word, v})
			continue
		}
		n.Args = append(n.Args, word)
	}
	return n
}

// FromRecords returns the notes of recorded texts.
func FromRecords(texts []string) []Note {
	var out []Note
	for _, t := range texts {
		out = append(out, FromRecord(t))
	}
	return out
}

package note

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"plimsoll/internal/base/list"
)

// figure is a number in a recorded text, printed as it was written whatever its verb.
type figure struct {
	word  string
	value float64
}

// Format writes the recorded word.
func (f figure) Format(s fmt.State, _ rune) { fmt.Fprint(s, f.word) }

// FromRecord returns the note of a recorded text: the catalogue's note with this text, else one with code Recorded.
// Figures are recognized here only, so that notes that differ in figures alone can be folded.
func FromRecord(text string) Note {
	if text == "" {
		return Note{}
	}
	// Sessions of older versions have a space before each sign of percent.
	for _, written := range []string{text, strings.ReplaceAll(text, " %", "%")} {
		for _, k := range recordable() {
			if args, ok := k.match(written); ok {
				return Note{Code: k.Code, Args: args}
			}
		}
	}
	n := Note{Code: Recorded}
	for word := range strings.SplitSeq(text, " ") {
		n.Args = append(n.Args, told(word))
	}
	return n
}

// FromRecords returns the notes of recorded texts.
func FromRecords(texts []string) []Note {
	return list.Map(texts, FromRecord)
}

// recordable returns the entries whose texts occur in sessions.
func recordable() []Kind { return append(ofKeptLoad(), ofVoids()...) }

// told converts a recorded word to an argument.
func told(word string) any {
	if v, err := strconv.ParseFloat(word, 64); err == nil {
		return figure{word, v}
	}
	return word
}

// match returns the arguments with which an entry's format yields a text, and reports whether there are any.
func (k Kind) match(text string) (args []any, ok bool) {
	parts := k.literals()
	rest, ok := strings.CutPrefix(text, parts[0])
	for i, part := range parts[1:] {
		at := strings.Index(rest, part)
		if last := i == len(parts)-2; last {
			at = len(rest) - len(part)
		}
		if !ok || at < 0 {
			return nil, false
		}
		args, rest = append(args, told(rest[:at])), rest[at:]
		rest, ok = strings.CutPrefix(rest, part)
	}
	return args, ok && rest == "" && k.text(args) == text
}

// literals returns the text before, between and after the verbs of an entry's format.
func (k Kind) literals() []string {
	out := []string{""}
	for rest := k.Format; rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		out[len(out)-1] += before
		switch {
		case !found:
			return out
		case strings.HasPrefix(after, "%"):
			out[len(out)-1] += "%"
			rest = after[1:]
		default:
			out = append(out, "")
			rest = after[strings.IndexFunc(after, unicode.IsLetter)+1:]
		}
	}
	return out
}

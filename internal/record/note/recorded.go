package note

import (
	_ "embed" // the earlier words
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"plimsoll/internal/base/list"
)

// figure is a number in a recorded text, printed as it was written for any verb.
type figure struct {
	word  string
	value float64
}

// Format writes the recorded word.
func (f figure) Format(s fmt.State, _ rune) { fmt.Fprint(s, f.word) }

// FromRecord returns the note of a recorded text: the catalogue's note with this text, else one with code Recorded.
// Figures are recognized here only, so that notes that differ only in figures can be folded.
func FromRecord(text string) Note { return FromRecords([]string{text})[0] }

// fromRecord returns the note of a recorded text by the entries that sessions have.
func fromRecord(text string, known func() []Kind, nouns func() *regexp.Regexp) Note {
	if text == "" {
		return Note{}
	}
	// Sessions of older versions have a space before each sign of percent.
	for _, written := range []string{text, strings.ReplaceAll(text, " %", "%")} {
		for _, k := range known() {
			args, ok := k.match(written)
			// Words before the first number are the same in the singular, which takes longer to make.
			if !ok && strings.HasPrefix(written, k.literals()[0]) {
				args, ok = k.ofOne(nouns()).match(written)
			}
			if ok {
				return Note{Code: k.Code, Args: args}
			}
		}
	}
	n := Note{Code: Recorded}
	for word := range strings.SplitSeq(text, " ") {
		n.Args = append(n.Args, argument(word))
	}
	return n
}

// FromRecords returns the notes of recorded texts.
func FromRecords(texts []string) []Note {
	known, nouns := sync.OnceValue(recordable), sync.OnceValue(counted) // most runs have no texts
	return list.Map(texts, func(text string) Note { return fromRecord(text, known, nouns) })
}

// recordable returns the entries whose texts occur in sessions, in their present and in earlier words.
func recordable() []Kind { return slices.Concat(ofKeptLoad(), ofVoids(), ofEarlier()) }

// earlier has the words of entries in sessions of older versions: a code and a format per line.
//
//go:embed earlier.tsv
var earlier string

// ofEarlier returns an entry for each line of earlier. Its arguments have the order of the present entry.
func ofEarlier() []Kind {
	var out []Kind
	for line := range strings.Lines(earlier) {
		code, format, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		out = append(out, Kind{Code: Code(code), Format: format})
	}
	return out
}

// ofOne returns an entry in the words for numbers of 1; nouns is the pattern counted.
func (k Kind) ofOne(nouns *regexp.Regexp) Kind {
	k.Format = inSingular(nouns, k.words(), slices.Repeat([]any{1}, strings.Count(k.words(), "%")))
	return k
}

// argument converts a recorded word to an argument.
func argument(word string) any {
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
		args, rest = append(args, argument(rest[:at])), rest[at:]
		rest, ok = strings.CutPrefix(rest, part)
	}
	return args, ok && rest == "" && k.text(args) == text
}

// literals returns the text before, between and after the verbs of an entry's format.
func (k Kind) literals() []string {
	out := []string{""}
	for rest := k.words(); rest != ""; {
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

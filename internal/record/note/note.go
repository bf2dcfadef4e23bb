// Package note represents remarks for or against a result as a code with arguments, and keeps the wording of all of
// them in one catalogue. Programs filter by code, people read the sentence.
package note

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
)

// Code identifies a kind of note. It stays the same if the wording changes.
type Code string

// Recorded is the code of texts that were written when the session ran.
const Recorded Code = "recorded"

// Note is one remark. Args fill the placeholders of its text: numbers stay numbers, an argument may be another note,
// and everything else is a string.
type Note struct {
	Code Code
	Args []any
}

// New returns a note with a code of the catalogue.
func New(code Code, args ...any) Note {
	n := Note{Code: code, Args: make([]any, len(args))}
	for i, a := range args {
		n.Args[i] = plain(a)
	}
	return n
}

// plain converts an argument to one of the kinds in Args.
func plain(arg any) any {
	switch a := arg.(type) {
	case Note, int, int64, float64, string:
		return a
	case error, fmt.Stringer:
		return fmt.Sprint(a)
	}
	if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
		return v.String()
	}
	return fmt.Sprint(arg)
}

// IsZero reports whether there is no note.
func (n Note) IsZero() bool { return n.Code == "" }

// Text returns the note's text, with its hint on a separate line.
func (n Note) Text() string { return n.worded(n.kind()) }

// Remark returns the note's text without its hint.
func (n Note) Remark() string { return n.worded(n.kind().unhinted()) }

func (k Kind) unhinted() Kind {
	k.Hint = ""
	return k
}

// Headline returns the note in one sentence of at most mostHeadline columns, without details that only the text has. A
// note about another one has its headline. A recorded text is returned as it is.
func (n Note) Headline() string {
	n = n.About()
	switch k := n.kind(); {
	case k.Headline == "":
		return n.Remark()
	case !strings.Contains(k.Headline, "["): // it takes none of the arguments
		return strings.ReplaceAll(k.Headline, "%%", "%")
	default:
		return filled(k.Headline, n.Args)
	}
}

// Next returns the step that would settle a result, and the number of runs that it takes; "" and 0 for none.
func (n Note) Next() (step string, runs int) {
	k := n.kind()
	if k.Runs > 0 {
		runs, _ = n.Args[k.Runs-1].(int)
	}
	if !strings.Contains(k.Next, "%") {
		return k.Next, runs
	}
	return filled(k.Next, n.Args), runs
}

// Gravity returns how much the note can change about an answer; of a note about another one, how much that can.
func (n Note) Gravity() Gravity { return n.About().kind().Gravity }

// Size orders the note among others of its gravity; 0 without a size.
func (n Note) Size() float64 {
	n = n.About()
	if k := n.kind(); k.Size != nil {
		return k.Size(n.Args)
	}
	return 0
}

// About returns the note that this one is about, or else this one.
func (n Note) About() Note {
	for _, a := range n.Args {
		if about, ok := a.(Note); ok {
			return about.About()
		}
	}
	return n
}

func (n Note) worded(k Kind) string {
	switch {
	case n.Code == Recorded:
		return strings.TrimSuffix(fmt.Sprintln(n.Args...), "\n")
	case k.Code == "":
		return string(n.Code)
	}
	k.Format = singular(k.words(), n.Args)
	return k.text(n.Args)
}

// kind returns the note's entry of the catalogue; the zero Kind without one.
func (n Note) kind() Kind {
	for _, s := range sections() {
		for _, k := range s.kinds() {
			if k.Code == n.Code {
				return k
			}
		}
	}
	return Kind{}
}

// String returns the note's text.
func (n Note) String() string { return n.Text() }

// Written is the JSON form of a note.
type Written struct {
	Code Code   `json:"code"` // an entry of the catalogue, which docs/notes.md lists
	Text string `json:"text"`
}

// MarshalJSON writes the note's code and text.
func (n Note) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the outer encoder decides
	err := e.Encode(Written{n.Code, n.Text()})
	return b.Bytes(), err
}

// Texts returns the texts of notes.
func Texts(notes []Note) []string { return textsOf(notes, func(k Kind) Kind { return k }) }

// Remarks returns the texts of notes without their hints.
func Remarks(notes []Note) []string { return textsOf(notes, Kind.unhinted) }

// textsOf searches the catalogue once for several notes of one kind.
func textsOf(notes []Note, of func(Kind) Kind) []string {
	kinds := map[Code]Kind{}
	return list.Map(notes, func(n Note) string {
		k, ok := kinds[n.Code]
		if !ok {
			k = of(n.kind())
			kinds[n.Code] = k
		}
		return n.worded(k)
	})
}

// With returns notes with n appended, unless n is the zero Note or one of them has the same text.
func With(notes []Note, n Note) []Note {
	if n.IsZero() || has(notes, n) {
		return notes
	}
	return append(notes, n)
}

// Without returns the notes that others has not.
func Without(notes, others []Note) []Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n Note) bool { return has(others, n) })
}

func has(notes []Note, n Note) bool {
	return slices.ContainsFunc(notes, func(had Note) bool { return had.Code == n.Code && had.Text() == n.Text() })
}

package note

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Code names a kind of note. It stays the same when its words change.
type Code string

// Recorded is the code of words that a session brought along: they were made when its trials ran.
const Recorded Code = "recorded"

// Note is one remark. Args are what its words are filled with: numbers stay numbers, a note may stand in
// another one, and everything else is a string.
type Note struct {
	Code Code
	Args []any
}

// New returns a note of the catalogue.
func New(code Code, args ...any) Note {
	n := Note{Code: code, Args: make([]any, len(args))}
	for i, a := range args {
		n.Args[i] = plain(a)
	}
	return n
}

// plain returns an argument as one of the kinds that Args hold.
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

// Text returns the note in words, with its hint on a line of its own.
func (n Note) Text() string {
	if n.Code == Recorded {
		return strings.TrimSuffix(fmt.Sprintln(n.Args...), "\n")
	}
	for _, k := range Kinds() {
		if k.Code == n.Code {
			return k.text(n.Args)
		}
	}
	return string(n.Code)
}

// String returns the note in words.
func (n Note) String() string { return n.Text() }

// MarshalJSON writes the note's words as a string.
func (n Note) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the outer encoder decides
	err := e.Encode(n.Text())
	return b.Bytes(), err
}

// Texts returns the words of notes.
func Texts(notes []Note) []string {
	var out []string
	for _, n := range notes {
		out = append(out, n.Text())
	}
	return out
}

// With returns notes with another one, unless one of them says the same.
func With(notes []Note, n Note) []Note {
	for _, had := range notes {
		if had.Code == n.Code && had.Text() == n.Text() {
			return notes
		}
	}
	return append(notes, n)
}

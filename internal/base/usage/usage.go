// Package usage holds the one error for what was asked for, or given, and cannot be meant: the user has to change it.
package usage

import (
	"errors"
	"fmt"
	"strings"

	"plimsoll/internal/base/nearest"
)

// ExitCode is the exit code of a command that ends with an Error.
const ExitCode = 2

// mark stands between what an error says and its hint, in errors of any kind.
const mark = "\nhint: "

// Error is wrong usage.
type Error struct {
	Text  string // what is wrong
	Hint  string // what would help; "" if nothing is known to
	Cause error  // nil if there is none
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Text
	}
	return e.Text + mark + e.Hint
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Errorf returns an Error with the text of fmt.Errorf, whose end may be a line "hint: …", and with the same causes.
func Errorf(format string, args ...any) error { return Wrap(fmt.Errorf(format, args...)) }

// Wrap returns err as an Error; err itself if it is one already.
func Wrap(err error) error {
	if Is(err) {
		return err
	}
	text, hint := Parts(err)
	return &Error{text, hint, err}
}

// With returns an Error with the text of err, and with another hint.
func With(err error, hint string) error {
	text, _ := Parts(err)
	return &Error{text, hint, err}
}

// Is reports whether an Error is among the causes of err.
func Is(err error) bool { return errors.As(err, new(*Error)) }

// Unknown returns the Error for a name that is not known, with the nearest one that is, or with all of them.
func Unknown(kind, name string, known []string) error { return Within("", kind, name, known) }

// Within is Unknown for names below a common prefix, such as a workload's parameters: a prefix makes no names alike.
func Within(prefix, kind, name string, known []string) error {
	near := nearest.Of(name, known)
	if near != "" {
		near = prefix + near
	}
	e := &Error{Text: fmt.Sprintf("unknown %s %q", kind, prefix+name)}
	switch {
	case near != "":
		e.Hint = "did you mean " + near + "?"
	case len(known) == 0:
		e.Text += ": there is none here"
	default:
		e.Hint = "there are " + strings.Join(known, ", ")
	}
	return e
}

// Parts returns what an error of any kind says, and its hints; "" if it has none.
func Parts(err error) (text, hint string) {
	text, hint, _ = strings.Cut(err.Error(), mark)
	return text, hint
}

// Hints returns what a message says, and each of its hints.
func Hints(message string) (text string, hints []string) {
	parts := strings.Split(message, mark)
	return parts[0], parts[1:]
}

// FirstLine returns the first line of what an error says.
func FirstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

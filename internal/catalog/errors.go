package catalog

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/nearest"
)

// InputError is something asked for, or given, that cannot be meant: the user
// must change it.
type InputError struct{ msg string }

func (e InputError) Error() string { return e.msg }

// Mistake says that the user has to change it.
func (e InputError) Mistake() {}

func inputf(format string, args ...any) error { return InputError{fmt.Sprintf(format, args...)} }

// badRows is the error for a file of which not every line can be taken; nil
// without problems.
func badRows(name string, problems []Problem, hint string) error {
	if len(problems) == 0 {
		return nil
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = fmt.Sprintf("%s: %s", name, p)
	}
	return inputf("%s\nhint: %s", strings.Join(lines, "\n"), hint)
}

// few is how many names a suggestion lists.
const few = 3

func unknown(what, name string, known []string) error {
	near := nearest.Sorted(name, known)
	return inputf("unknown %s %q\nhint: the nearest are %s", what, name, strings.Join(near[:min(few, len(near))], ", "))
}

// oneLine puts an error and its hint on one line.
func oneLine(err error) string {
	text, hint, _ := strings.Cut(err.Error(), "\nhint: ")
	if hint != "" {
		text += " (" + hint + ")"
	}
	return text
}

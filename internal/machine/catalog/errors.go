package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
)

// badRows returns the error for a file with invalid lines; nil without problems.
func badRows(name string, problems []Problem, hint string) error {
	if len(problems) == 0 {
		return nil
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = fmt.Sprintf("%s: %s", name, p)
	}
	return usage.With(errors.New(strings.Join(lines, "\n")), hint)
}

// few is the number of names in a suggestion.
const few = 3

func unknown(what, name string, known []string) error {
	near := nearest.Sorted(name, known)
	return usage.Errorf("unknown %s %q\nhint: the nearest are %s", what, name,
		strings.Join(near[:min(few, len(near))], ", "))
}

func oneLine(err error) string {
	text, hint := usage.Parts(err)
	if hint != "" {
		text += " (" + hint + ")"
	}
	return text
}

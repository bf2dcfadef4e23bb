package plan

import (
	"fmt"
	"strings"

	"plimsoll/internal/nearest"
)

// UsageError is a request that cannot be meant: the user must change it.
type UsageError struct{ msg string }

func (e UsageError) Error() string { return e.msg }

// Mistake says that the user has to change it.
func (e UsageError) Mistake() {}

func usagef(format string, args ...any) error {
	return UsageError{fmt.Sprintf(format, args...)}
}

// Unknown is the error for a name that is not known, with the nearest names
// that are.
func Unknown(what, name string, known []string) error {
	if near := nearest.Of(name, known); near != "" {
		return usagef("unknown %s %q\nhint: did you mean %s?", what, name, near)
	}
	if len(known) == 0 {
		return usagef("unknown %s %q: there is none here", what, name)
	}
	return usagef("unknown %s %q\nhint: there are %s", what, name, strings.Join(known, ", "))
}

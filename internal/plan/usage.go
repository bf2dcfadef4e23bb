package plan

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// UsageError is a request that cannot be meant: the user must change it.
type UsageError struct{ msg string }

func (e UsageError) Error() string { return e.msg }

func usagef(format string, args ...any) error {
	return UsageError{fmt.Sprintf(format, args...)}
}

// Unknown is the error for a name that is not known, with the nearest names
// that are.
func Unknown(what, name string, known []string) error {
	if near := Nearest(name, known); near != "" {
		return usagef("unknown %s %q\nhint: did you mean %s?", what, name, near)
	}
	if len(known) == 0 {
		return usagef("unknown %s %q: there is none here", what, name)
	}
	return usagef("unknown %s %q\nhint: there are %s", what, name, strings.Join(known, ", "))
}

// Nearest returns the known name closest to a mistyped one, or "" where none
// is close enough to be what was meant.
func Nearest(name string, known []string) string {
	best, dist := "", max(2, len(name)/3)+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(k)); d < dist {
			best, dist = k, d
		}
		if best == "" && len(name) >= 3 && strings.HasPrefix(k, name) {
			best = k
		}
	}
	return best
}

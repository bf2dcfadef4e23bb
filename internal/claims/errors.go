package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// InputError says what is wrong with tables of facts and claims, each with its file
// and line: the user must change them.
type InputError struct{ msg string }

func (e InputError) Error() string { return e.msg }

// place is a line of a file.
type place struct {
	file string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

// problem is what is wrong at one place.
type problem struct {
	place
	text, hint string
}

// problems are all that is wrong with the tables.
type problems []problem

func (p *problems) add(at place, hint, format string, args ...any) {
	*p = append(*p, problem{at, fmt.Sprintf(format, args...), hint})
}

// most is how many problems are told at once.
const most = 20

// err is the InputError of all problems, with the hint of the first that has one;
// nil without problems.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	var lines []string
	hint := "docs/claims.md says what the tables hold"
	if at := slices.IndexFunc(p, func(one problem) bool { return one.hint != "" }); at >= 0 {
		hint = p[at].hint
	}
	for _, one := range p[:min(most, len(p))] {
		lines = append(lines, fmt.Sprintf("%s: %s", one.place, one.text))
	}
	if len(p) > most {
		lines = append(lines, "and more")
	}
	return InputError{strings.Join(lines, "\n") + "\nhint: " + hint}
}

// longName is longer than any name that is worth comparing letter by letter.
const longName = 100

// nearest is the known name that is closest to a mistyped one; "" where none is
// like it.
func nearest(name string, known []string) string {
	best, least := "", max(3, len(name)/2)
	for _, k := range known {
		if len(name) > longName || len(k) > longName {
			continue
		}
		if d := levenshtein.ComputeDistance(name, k); d < least {
			best, least = k, d
		}
	}
	return best
}

package claims

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/base/usage"
)

// place is a line of a file.
type place struct {
	file string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

// problem is an error at one place.
type problem struct {
	place
	text, hint string
}

// problems are all errors in the tables.
type problems []problem

func (p *problems) add(at place, hint, format string, args ...any) {
	*p = append(*p, problem{at, fmt.Sprintf(format, args...), hint})
}

// most is the number of problems reported at once.
const most = 20

// err returns the usage.Error for all problems, with the first hint among them; nil without problems.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	var lines []string
	hint := "docs/claims.md describes the tables"
	if at := slices.IndexFunc(p, func(one problem) bool { return one.hint != "" }); at >= 0 {
		hint = p[at].hint
	}
	for _, one := range p[:min(most, len(p))] {
		lines = append(lines, fmt.Sprintf("%s: %s", one.place, one.text))
	}
	if len(p) > most {
		lines = append(lines, "and more")
	}
	return usage.With(errors.New(strings.Join(lines, "\n")), hint)
}

package fact

import (
	"cmp"
	"fmt"
	"slices"

	"plimsoll/internal/record"
)

// Advice is a warning about a machine, with a remedy if there is one.
type Advice struct {
	Weight Weight
	Text   string // one sentence
	Hint   string // "" if nothing can be done
}

// Weight orders warnings.
type Weight int

// The weights, heaviest last: a disturbance of the moment, a clock that varies, a limit of this process, something of
// the machine that is hidden or uneven, figures that say nothing about hardware.
const (
	Disturbs Weight = iota
	Varies
	Limits
	Hides
	Invalidates
)

// Warnings returns the warnings about a machine, the heaviest first, each with its hint on a line of its own.
func Warnings(m record.Machine) []string {
	var all []Advice
	for _, f := range All() {
		if f.Advise != nil {
			all = append(all, f.Advise(m)...)
		}
	}
	slices.SortStableFunc(all, func(a, b Advice) int { return cmp.Compare(b.Weight, a.Weight) })
	var out []string
	for _, a := range all {
		if a.Hint != "" {
			a.Text += "\nhint: " + a.Hint
		}
		out = append(out, a.Text)
	}
	return out
}

// advise returns one piece of advice if it applies.
func advise(applies bool, w Weight, hint, format string, args ...any) []Advice {
	if !applies {
		return nil
	}
	return []Advice{{w, fmt.Sprintf(format, args...), hint}}
}

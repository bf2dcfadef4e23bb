package claims

import (
	"fmt"
	"math"
	"regexp"
)

// The bounds of a claim without a figure of its own: "over 2x" is > 2, "15 to 20%" is between 15 and 20.
const (
	boundBetween = "between"
	boundOver    = ">"
	boundAtLeast = ">="
	boundUnder   = "<"
	boundAtMost  = "<="
)

// bareNumber is a figure's syntax without its groups.
const bareNumber = `[+-]?[\d.]+(?:[eE][+-]?\d+)?`

// parseBound parses bounds such as ">= 2", "holds < 5", "between 15 20" and "15 to 20"; ok is false for anything else.
func parseBound(text string) (s Stated, ok bool, err error) {
	one := regexp.MustCompile(`^(?:holds\s+)?(>=|<=|>|<)\s*(` + bareNumber + `)$`).FindStringSubmatch(text)
	two := regexp.MustCompile(`^(?:between\s+)?(` + bareNumber + `)\s+(?:(?:to|and)\s+)?(` + bareNumber + `)$`).
		FindStringSubmatch(text)
	switch {
	case one != nil:
		s, err = parseFigure(one[2])
		s.Bound = one[1]
	case two != nil:
		if s, err = parseFigure(two[1]); err != nil {
			break
		}
		var most Stated
		most, err = parseFigure(two[2])
		if err == nil && most.Value < s.Value {
			err = fmt.Errorf("%q is empty: the second number is below the first", shortened(text))
		}
		s.Bound, s.Most = boundBetween, &most
	default:
		return s, false, nil
	}
	s.Text = text
	return s, true, err
}

// nearBound is how far beside its bound, relative to that, a loose figure is at most.
const nearBound = .05

// bounded judges a computed figure by a bound.
func (s Stated) bounded(computed float64) (v Verdict, why string) {
	var holds, nearly bool
	near := func(b Stated) bool {
		return b.equals(computed) || math.Abs(computed-b.Value) <= nearBound*math.Abs(b.Value)
	}
	over := func(b Stated) bool { return computed > b.Value && !b.equals(computed) }
	under := func(b Stated) bool { return computed < b.Value && !b.equals(computed) }
	switch s.Bound {
	case boundOver:
		holds, nearly, why = over(s), near(s), "not over"
	case boundAtLeast:
		holds, nearly, why = !under(s), near(s), "below"
	case boundUnder:
		holds, nearly, why = under(s), near(s), "not under"
	case boundAtMost:
		holds, nearly, why = !over(s), near(s), "above"
	default:
		holds, nearly, why = !under(s) && !over(*s.Most), near(s) || near(*s.Most), "not in"
	}
	switch {
	case holds:
		return Holds, ""
	case nearly:
		return Loose, ""
	}
	return Wrong, why + " " + s.limits()
}

// limits words the bound without its operator.
func (s Stated) limits() string {
	if s.Most != nil {
		return s.bare + " to " + s.Most.bare
	}
	return s.bare
}

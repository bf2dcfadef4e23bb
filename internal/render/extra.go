package render

import (
	"fmt"

	"plimsoll/internal/judge"
)

// extraNotes say how many CPUs the weaker side lacks.
func extraNotes(c judge.Comparison, a, b string) []note {
	e := c.Extra
	if e == nil {
		return nil
	}
	weak, strong := a, b
	if e.Side == "b" {
		weak, strong = b, a
	}
	one := scale{factor: 1}
	text := fmt.Sprintf("%s would need %s more CPUs to carry as much as %s, were its scaling linear",
		weak, span{e.CPUs, &e.Lo, &e.Hi}.interval(one), strong)
	switch {
	case e.Never:
		text += "; on its own curve twice the measured CPUs do not"
	case e.OnCurve != nil && e.Beyond:
		text += fmt.Sprintf("; by its own curve %s, which reaches beyond what was measured", one.number(*e.OnCurve, digits))
	case e.OnCurve != nil:
		text += "; by its own curve " + one.number(*e.OnCurve, digits)
	}
	return []note{{"lacks", dim, text}}
}

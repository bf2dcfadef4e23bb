package render

import (
	"fmt"
	"strings"

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

// replacementNotes say how many machines of one side stand for those of the other.
func replacementNotes(c judge.Comparison, a, b string) []note {
	var parts []string
	for _, r := range c.ExtraMachines {
		text := fmt.Sprint(r.Lo)
		if r.Lo != r.Hi {
			text = fmt.Sprintf("%d to %d", r.Lo, r.Hi)
		}
		parts = append(parts, fmt.Sprintf("%s in the place of %d", text, r.Of))
	}
	if len(parts) == 0 {
		return nil
	}
	return []note{{"machines", dim, fmt.Sprintf("%s for %s, as many as carry as much: %s", b, a, strings.Join(parts, ", "))}}
}

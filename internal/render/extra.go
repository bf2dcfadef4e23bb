package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

// extraNotes say how many CPUs the weaker side lacks.
func extraNotes(c finding.Comparison, a, b string) []block.Sentence {
	e := c.Extra
	if e == nil {
		return nil
	}
	weak, strong := a, b
	if e.Side == "b" {
		weak, strong = b, a
	}
	one := figure.Scale{Factor: 1}
	text := fmt.Sprintf("%s would need %s more CPUs to carry as much as %s, were its scaling linear",
		weak, figure.Span{Value: e.CPUs, Lo: &e.Lo, Hi: &e.Hi}.Interval(one), strong)
	switch {
	case e.Never:
		text += "; on its own curve twice the measured CPUs do not"
	case e.OnCurve != nil && e.Beyond:
		text += fmt.Sprintf("; by its own curve %s, which reaches beyond what was measured", one.Number(*e.OnCurve, figure.Digits))
	case e.OnCurve != nil:
		text += "; by its own curve " + one.Number(*e.OnCurve, figure.Digits)
	}
	return []block.Sentence{{Lead: "lacks", Tone: block.Dim, Text: text}}
}

// replacementNotes say how many machines of one side stand for those of the other.
func replacementNotes(c finding.Comparison, a, b string) []block.Sentence {
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
	return []block.Sentence{{Lead: "machines", Tone: block.Dim, Text: fmt.Sprintf("%s for %s, as many as carry as much: %s", b, a, strings.Join(parts, ", "))}}
}

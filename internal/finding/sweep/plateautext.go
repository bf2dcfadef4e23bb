package sweep

import (
	"fmt"

	"plimsoll/internal/block"
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

func plateauSentence(v *finding.View, c finding.Cell, p Plateau) []block.Sentence {
	if p.At == nil && p.Lift == nil {
		return nil
	}
	return []block.Sentence{
		{Lead: "plateau", Tone: block.Strong, Text: v.Along(c, p.Param) + plateauText(p, figure.UnitOf(c.Counted(), c.Unit))}}
}

func plateauText(p Plateau, unit string) string {
	text := "does not follow " + p.Param
	if p.At != nil {
		u, top := figure.PlaceScale(p.Unit, p.At.Value, p.At.Value), figure.ScaleFor(unit, *p.Top.Lo, *p.Top.Hi)
		text = fmt.Sprintf("no gain from more %s beyond %s, by estimate %s: %s, by estimate %s",
			p.Param, bendInterval(*p.At, u), figure.Span{Value: p.At.Value}.Estimate(u),
			finding.SpanOf(*p.Top).Interval(top), finding.SpanOf(*p.Top).Estimate(top))
	}
	if p.Lift == nil {
		return text
	}
	return text + "; " + liftText(*p.Lift)
}

// bendInterval formats an interval; a side outside the sweep is left open.
func bendInterval(at estimate.Estimate, u figure.Scale) string {
	number := func(v float64) string { return figure.Span{Value: v}.Estimate(u) }
	switch {
	case at.Lo == nil && at.Hi == nil:
		return "somewhere"
	case at.Lo == nil:
		return number(*at.Hi) + " or less"
	case at.Hi == nil:
		return number(*at.Lo) + " or more"
	}
	return finding.SpanOf(at).Interval(u)
}

// liftText states whether operations or bytes are the limit.
func liftText(l Lift) string {
	to := fmt.Sprintf("%s=%s", l.Param, sizeText(l.To))
	if l.Lo == nil {
		return fmt.Sprintf("%s changes it by %s by estimate, no interval: %d runs needed", to, figure.Percent(l.Ratio),
			figure.MinReplicates)
	}
	by := fmt.Sprintf("%s changes it by %s to %s", to, figure.Percent(*l.Lo), figure.Percent(*l.Hi))
	switch l.Limit {
	case "operations":
		return by + ", so the bottleneck is the number of operations"
	case "bytes":
		return by + ", so the bottleneck is bytes, not operations"
	}
	return by + ", and the bottleneck is unknown"
}

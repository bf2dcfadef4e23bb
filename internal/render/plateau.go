package render

import (
	"fmt"
	"maps"

	"plimsoll/internal/block"
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/record"
)

// plateauNotes say from where on more of a parameter brings nothing.
func plateauNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	for _, c := range v.Cells {
		for _, p := range sweep.KindPlateau.All(c) {
			if p.At == nil && p.Lift == nil {
				continue
			}
			swept := c
			swept.Params = maps.Clone(c.Params)
			delete(swept.Params, p.Param)
			out = append(out, block.Sentence{Lead: "plateau", Tone: block.Strong, Text: v.Place(swept) + ": " + plateauText(p, c.Unit)})
		}
	}
	return out
}

func plateauText(p sweep.Plateau, unit string) string {
	text := "does not follow " + p.Param
	if p.At != nil {
		u, top := figure.PlaceScale(p.Unit, p.At.Value, p.At.Value), figure.ScaleFor(unit, *p.Top.Lo, *p.Top.Hi)
		text = fmt.Sprintf("more %s brings nothing from %s on, by estimate from %s: %s, by estimate %s",
			p.Param, bendInterval(*p.At, u), figure.Span{Value: p.At.Value}.Estimate(u),
			figure.Span{Value: p.Top.Value, Lo: p.Top.Lo, Hi: p.Top.Hi}.Interval(top), figure.Span{Value: p.Top.Value, Lo: p.Top.Lo, Hi: p.Top.Hi}.Estimate(top))
	}
	if p.Lift == nil {
		return text
	}
	return text + "; " + liftText(*p.Lift)
}

// bendInterval leaves the side open that what was swept does not bound.
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
	return figure.Span{Value: at.Value, Lo: at.Lo, Hi: at.Hi}.Interval(u)
}

// liftText says whether what binds there is the number of operations or of bytes.
func liftText(l sweep.Lift) string {
	to := fmt.Sprintf("%s=%s", l.Param, record.FormatSize(int64(l.To)))
	if l.Lo == nil {
		return fmt.Sprintf("%s moves %s by estimate, no interval: %d replicates needed", to, figure.Percent(l.Ratio), figure.MinReplicates)
	}
	by := fmt.Sprintf("%s changes it by %s to %s", to, figure.Percent(*l.Lo), figure.Percent(*l.Hi))
	switch l.Limit {
	case "operations":
		return by + ", so what binds is the number of operations"
	case "bytes":
		return by + ", so what binds is bytes, not operations"
	}
	return by + ", which leaves open what binds"
}

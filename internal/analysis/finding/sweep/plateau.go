package sweep

import (
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// Limits beyond which a count no longer helps.
const (
	LimitOperations = "operations"
	LimitBytes      = "bytes"
)

// plateaus finds the bends of the curves of numeric parameters.
func plateaus(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	_, byWorkload := trialset.GroupByKeys(trialset.Valid(in.Swept), trialset.WorkloadOf)
	for _, all := range byWorkload {
		curves := trialset.CurvesAlong(all, trialset.NumberAxes)
		out = append(out, slices.Concat(list.Concurrently(curves, func(c trialset.Curve) []finding.Finding {
			found, lifted := plateauOf(c, all)
			return KindPlateau.New(found, append(c.Scope(), lifted...)...)
		})...)...)
	}
	return out
}

// plateauOf returns a curve's plateau, and the cell of the larger size that its Lift compares; nil if there are too few
// values or trials, or no rate that is positive throughout.
func plateauOf(c trialset.Curve, all []record.Trial) (p *Plateau, lifted []trialset.Key) {
	metric := RateOf(c.Last().Trials)
	logs, ok := c.Logs(metric)
	if metric == "" || !ok {
		return nil, nil
	}
	var rungs []stat.Rung
	for i, p := range c.Points {
		rungs = append(rungs, stat.Rung{X: p.X, Logs: logs[i].Logs})
	}
	b, ok := stat.FitBend(rungs)
	if !ok {
		return nil, nil
	}
	p = &Plateau{Param: c.Param, Unit: c.Unit, Shape: string(b.Shape), Slope: b.Slope}
	if b.Shape == stat.LevelsOff {
		p.levelOff(b)
	}
	if p.Unit == "" && b.Shape != stat.Straight {
		p.Lift, lifted = liftOf(c.Last(), all, metric)
	}
	return p, lifted
}

func (p *Plateau) levelOff(b stat.Bend) {
	p.At = &estimate.Estimate{Value: b.At}
	if b.AtLo > 0 {
		p.At.Lo = &b.AtLo
	}
	if !math.IsInf(b.AtHi, 1) {
		p.At.Hi = &b.AtHi
	}
	p.Top = new(figure.Between(b.TopLo, b.TopHi).Around(b.Top))
}

// liftOf compares the cell at the plateau's start with the one that differs only by a larger size.
func liftOf(last trialset.CurvePoint, all []record.Trial, metric string) (*Lift, []trialset.Key) {
	if m := PrimaryMetric(last.Trials); m.Unit != "B/s" {
		return nil, nil
	}
	for _, a := range trialset.SizeAxes(all) {
		sizes := a.Curve(trialset.Filter(all, func(t *record.Trial) bool {
			return trialset.FamilyAlong(*t, a) == trialset.FamilyAlong(last.Trials[0], a)
		}))
		here := slices.IndexFunc(sizes.Points, func(p trialset.CurvePoint) bool { return p.At() == last.At() })
		if here < 0 || here == len(sizes.Points)-1 {
			continue
		}
		if r := sizes.Last().Over(last, metric); r != nil {
			return &Lift{
				Param: a.Param, From: sizes.Points[here].X, To: sizes.Last().X, Ratio: r.Value, Bounds: r.Bounds,
				Limit: limitBy(*r),
			}, []trialset.Key{sizes.Last().At()}
		}
	}
	return nil, nil
}

// limitBy returns the limit by the ratio of bytes/s, "" if undecided.
func limitBy(ratio estimate.Estimate) string {
	switch {
	case ratio.Above(1 + estimate.Margin):
		return LimitOperations
	case ratio.Below(1 + estimate.Margin):
		return LimitBytes
	}
	return ""
}

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
		u, top := figure.PlaceScale(p.Unit, p.At.Value, p.At.Value), figure.ScaleFor(unit, p.Top.Values()...)
		text = fmt.Sprintf("no gain from more %s beyond %s, by estimate %s: %s, by estimate %s",
			p.Param, bendInterval(*p.At, u), figure.Estimate{Value: p.At.Value}.Estimate(u),
			p.Top.Interval(top), p.Top.Estimate(top))
	}
	if p.Lift == nil {
		return text
	}
	return text + "; " + liftText(*p.Lift)
}

// bendInterval formats an interval; a side outside the sweep is left open.
func bendInterval(at estimate.Estimate, u figure.Scale) string {
	number := func(v float64) string { return figure.Estimate{Value: v}.Estimate(u) }
	switch {
	case at.Lo == nil && at.Hi == nil:
		return "somewhere"
	case at.Lo == nil:
		return number(*at.Hi) + " or less"
	case at.Hi == nil:
		return number(*at.Lo) + " or more"
	}
	return at.Interval(u)
}

// liftText states whether operations or bytes are the limit.
func liftText(l Lift) string {
	to := fmt.Sprintf("%s=%s", l.Param, sizeText(l.To))
	if !l.Bounded() {
		return fmt.Sprintf("%s changes it by %s by estimate, %s", to, figure.Percent(l.Ratio), figure.NoInterval())
	}
	by := fmt.Sprintf("%s changes it by %s", to, figure.PercentSpan(l.Ends()))
	switch l.Limit {
	case "operations":
		return by + ", so the bottleneck is the number of operations"
	case "bytes":
		return by + ", so the bottleneck is bytes, not operations"
	}
	return by + ", and the bottleneck is unknown"
}

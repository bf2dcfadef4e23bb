package sweep

import (
	"fmt"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// pastSaturations finds the curves of clients that peak before their end.
func pastSaturations(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, r := range in.Ramps {
		m := r.Carried()
		if r.Param != record.ParamClients || r.Searched != nil || m.Name == "" {
			continue
		}
		c := r.Having(m.Name).Curve
		if len(c.Points) < loadline.MinRamp {
			continue
		}
		out = append(out, KindPastSaturation.New(saturationOf(c, m), c.Scope()...)...)
	}
	return out
}

func saturationOf(c trialset.Curve, m record.Metric) *PastSaturation {
	peak, most := c.Highest(m.Name), c.Last()
	ratio := most.Over(peak, m.Name)
	if peak.X == most.X || ratio == nil {
		return nil
	}
	return &PastSaturation{
		Metric: m.Name, Unit: m.Unit, Peak: peak.X, Most: most.X, AtPeak: peak.Average(m.Name), AtMost: most.Average(m.Name),
		Loss: ratio.Complement(), N: min(len(peak.Trials), len(most.Trials)),
	}
}

func saturationSentence(v *finding.View, c finding.Cell, s PastSaturation) []block.Sentence {
	s.Unit = figure.UnitOf(c.Counted(), s.Unit)
	return []block.Sentence{{Lead: "saturated", Tone: block.Strong, Text: v.Sweep(c) + saturationText(s)}}
}

func saturationText(s PastSaturation) string {
	loss := fmt.Sprintf("%s%% less by estimate, %s", figure.PercentOf(s.Loss.Value, 1), figure.NoInterval())
	if s.Loss.Bounded() {
		loss = lossText(s.Loss) + " less"
	}
	u := figure.ScaleFor(s.Unit, s.AtPeak, s.AtMost)
	return fmt.Sprintf("the peak is at %s clients, by estimate %s; %s clients reach %s (%s)", figure.Exact(s.Peak),
		u.Text(s.AtPeak, figure.Digits), figure.Exact(s.Most), loss, figure.N(s.N))
}

// nearlyBest is the least share of the best throughput that a choice reaches by estimate: within the noise of a machine
// that is never still would be everything.
const nearlyBest = 0.95

// choices finds how many clients to use.
func choices(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, r := range in.Ramps {
		m := r.Carried()
		if r.Param != record.ParamClients || r.Searched != nil || m.Name == "" || m.Better != record.Higher {
			continue
		}
		if c := r.Having(m.Name).Curve; len(c.Points) >= loadline.MinRamp {
			out = append(out, KindClientChoice.New(choiceOf(c, m), c.Scope()...)...)
		}
	}
	return out
}

// choiceOf returns the smallest number of clients whose throughput is within the noise of the best: by the interval of
// their ratio, and at least 0.95 of it by estimate. Without an interval the estimate decides.
func choiceOf(c trialset.Curve, m record.Metric) *ClientChoice {
	best := c.Highest(m.Name)
	out := &ClientChoice{Metric: m.Name, Unit: m.Unit, Best: best.X, AtBest: best.Average(m.Name), Most: c.Last().X}
	for _, p := range c.Points {
		ratio := estimate.Estimate{Value: 1}
		if p.X != best.X {
			r := p.Over(best, m.Name)
			if r == nil {
				continue
			}
			ratio = *r
		}
		if ratio.Value < nearlyBest || ratio.Below(1) {
			continue
		}
		out.Clients, out.At, out.OfBest, out.N = p.X, p.Average(m.Name), ratio, len(p.Trials)
		if l := p.Estimate(record.LatencyP99); l.Value > 0 {
			out.P99 = &l.Value
		}
		if l := best.Estimate(record.LatencyP99); l.Value > 0 {
			out.P99AtBest = &l.Value
		}
		return out
	}
	return nil
}

func choiceSentence(v *finding.View, c finding.Cell, ch ClientChoice) []block.Sentence {
	ch.Unit = figure.UnitOf(c.Workload, ch.Unit)
	return []block.Sentence{{Lead: "clients", Tone: block.Strong, Text: v.Sweep(c) + choiceText(ch)}}
}

func choiceText(c ClientChoice) string {
	u := figure.ScaleFor(c.Unit, c.At, c.AtBest)
	text := fmt.Sprintf("use %s clients: %s", figure.Exact(c.Clients), u.Text(c.At, figure.Digits))
	if c.P99 != nil {
		text += fmt.Sprintf(" at p99 %s", figure.Quantity(*c.P99, "s"))
	}
	if c.Best == c.Clients {
		text += ", the best measured"
		if c.Best == c.Most {
			text += "; more were not measured, and may be better"
		}
	} else {
		text += fmt.Sprintf("; the best, %s at %s clients", u.Text(c.AtBest, figure.Digits), figure.Exact(c.Best))
		if c.P99AtBest != nil {
			text += fmt.Sprintf(" and p99 %s", figure.Quantity(*c.P99AtBest, "s"))
		}
		text += ", is within the noise of it"
	}
	if !c.OfBest.Bounded() && c.N < figure.MinReplicates {
		text += " (by estimate, " + figure.N(c.N) + ")"
	}
	return text
}

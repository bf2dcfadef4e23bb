package sweep

import (
	"fmt"

	"plimsoll/internal/block"
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

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
		if ratio.Value < nearlyBest || ratio.Hi != nil && *ratio.Hi < 1 {
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
	if c.OfBest.Hi == nil && c.N < figure.MinReplicates {
		text += fmt.Sprintf(" (by estimate, n=%d)", c.N)
	}
	return text
}

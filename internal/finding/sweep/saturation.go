package sweep

import (
	"fmt"
	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
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
	loss := fmt.Sprintf("%s%% less by estimate, no interval: %d runs needed", figure.PercentOf(s.Loss.Value, 1),
		figure.MinReplicates)
	if s.Loss.Lo != nil {
		loss = lossText(s.Loss) + " less"
	}
	u := figure.ScaleFor(s.Unit, s.AtPeak, s.AtMost)
	return fmt.Sprintf("the peak is at %s clients, by estimate %s; %s clients reach %s (n=%d)", figure.Exact(s.Peak),
		u.Text(s.AtPeak, figure.Digits), figure.Exact(s.Most), loss, s.N)
}

package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/sweep"
)

// scalingNotes puts each sweep of CPUs into sentences.
func scalingNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	for _, c := range v.Cells {
		where := v.Sweep(c)
		switch s := sweep.KindScaling.Of(c); {
		case s != nil:
			out = append(out, block.Sentence{Lead: "scaling", Tone: block.Strong, Text: where + scalingText(c)})
			if text := perCPUText(*s); text != "" {
				out = append(out, block.Sentence{Lead: "per CPU", Tone: block.Dim, Text: where + text})
			}
			for _, d := range s.Doubts {
				out = append(out, block.Sentence{Lead: "doubt", Tone: block.Warn, Text: where + d.Text()})
			}
		case !sweep.KindScaling.Why(c).IsZero():
			out = append(out, block.Sentence{Lead: "scaling", Tone: block.Dim, Text: where + "not analysed: " + sweep.KindScaling.Why(c).Text()})
		}
	}
	return out
}

func scalingText(c finding.Cell) string {
	s := sweep.KindScaling.Of(c)
	parts := figure.NonEmpty(linearText(*s), efficiencyText(*s), peakText(c), yieldText(*s), modelText(*s))
	return strings.Join(parts, "; ")
}

func linearText(s sweep.Scaling) string {
	switch {
	case s.LinearTo == nil:
		return ""
	case *s.LinearTo <= 1:
		return fmt.Sprintf("not linear even to %d CPUs", s.Points[1].CPUs)
	case s.OverLinear() > 0:
		return fmt.Sprintf("more than linear to %d CPUs", s.MaxCPUs)
	case *s.LinearTo == s.MaxCPUs:
		return fmt.Sprintf("linear to at least %d CPUs, the most measured", s.MaxCPUs)
	}
	return fmt.Sprintf("linear to %d CPUs", *s.LinearTo)
}

func efficiencyText(s sweep.Scaling) string {
	switch {
	case s.EfficiencyAtMax == nil:
		return ""
	case s.EfficiencyLo == nil:
		return fmt.Sprintf("%d CPUs carry by estimate %s %% of %d times one CPU", s.MaxCPUs, figure.PercentOf(*s.EfficiencyAtMax, 1), s.MaxCPUs)
	}
	return fmt.Sprintf("%d CPUs carry %s of %d times one CPU", s.MaxCPUs, figure.PercentRange(*s.EfficiencyLo, *s.EfficiencyHi), s.MaxCPUs)
}

// perCPUText says of each number of CPUs how much of one CPU's throughput each of them carries.
func perCPUText(s sweep.Scaling) string {
	var parts []string
	for _, p := range s.Points {
		if p.Efficiency != nil && p.CPUs > 1 {
			each := figure.PercentOf(p.Efficiency.Value, 1) + " %"
			if p.Efficiency.Lo != nil {
				each = figure.PercentRange(*p.Efficiency.Lo, *p.Efficiency.Hi)
			}
			parts = append(parts, fmt.Sprintf("%s at %d CPUs", each, p.CPUs))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "each CPU carries, of one alone, " + strings.Join(parts, ", ")
}

// peakText says where throughput is highest, and what more CPUs lose.
func peakText(c finding.Cell) string {
	s, p := sweep.KindScaling.Of(c), sweep.KindScaling.Of(c).Peak
	if s.Runs > 0 {
		text := fmt.Sprintf("peak by estimate at %s: %s", finding.LoadText(fmt.Sprintf("%d CPUs", p.CPUs)), figure.Span{Value: p.Value, Lo: nil, Hi: nil}.Estimate(figure.ScaleFor(s.Unit, p.Value)))
		if s.LossPastPeak != nil {
			text += fmt.Sprintf(", of which %d CPUs lose %s %%", s.MaxCPUs, figure.PercentOf(s.LossPastPeak.Value, 1))
		}
		return text
	}
	u := figure.ScaleFor(s.Unit, p.Value, p.Lo, p.Hi)
	text := fmt.Sprintf("peak at %s: %s", finding.LoadText(fmt.Sprintf("%d CPUs", p.CPUs)), figure.Span{Value: p.Value, Lo: &p.Lo, Hi: &p.Hi}.Interval(u))
	if l := s.LossPastPeak; l != nil && l.Lo != nil {
		text += fmt.Sprintf(", of which %d CPUs lose %s", s.MaxCPUs, lossText(*l))
	}
	return text
}

// lossText may be a gain at one end, since a peak is chosen by its estimate.
func lossText(l estimate.Estimate) string {
	if *l.Lo <= 0 {
		return fmt.Sprintf("at most %s %%", figure.PercentOf(*l.Hi, 1))
	}
	return figure.PercentRange(*l.Lo, *l.Hi)
}

func yieldText(s sweep.Scaling) string {
	if s.SMTYield == nil {
		return ""
	}
	if s.SMTYieldLo == nil {
		return fmt.Sprintf("a second thread carries by estimate %s %% of a core", figure.PercentOf(*s.SMTYield, 0))
	}
	return fmt.Sprintf("a second thread carries %s of a core", figure.PercentRange(*s.SMTYieldLo, *s.SMTYieldHi))
}

// modelText names the models with their weights, the chosen one first.
func modelText(s sweep.Scaling) string {
	names := slices.Sorted(maps.Keys(s.Weights))
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case a == s.Model:
			return -1
		case b == s.Model:
			return 1
		}
		return 0
	})
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %s %%", modelName(n), figure.PercentOf(s.Weights[n], 0))
	}
	if s.Runs > 0 {
		return fmt.Sprintf("weights of the models: %s, runs scatter by %s %% around the curve", strings.Join(names, ", "), figure.PercentOf(s.Roughness, 1))
	}
	return fmt.Sprintf("weights of the models: %s, trials scatter by %s %% around the curve and by %s %% around their mean",
		strings.Join(names, ", "), figure.PercentOf(s.Roughness, 1), figure.PercentOf(s.Noise, 1))
}

func modelName(m string) string {
	switch m {
	case "usl":
		return "USL"
	case "smt":
		return "SMT"
	}
	return m
}

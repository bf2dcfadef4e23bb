package sweep

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// showScalings states and draws each sweep of CPUs, or gives the reason why it was not analyzed.
func showScalings(v *finding.View) []block.Block {
	var out []block.Sentence
	for _, c := range v.Cells {
		where, s, why := v.Sweep(c), KindScaling.Of(c), KindScaling.Why(c)
		if s != nil {
			inUnits := *s
			inUnits.Unit = figure.UnitOf(c.Counted(), s.Unit)
			out = append(out, scalingSentences(where, inUnits)...)
		} else if !why.IsZero() {
			out = append(out, block.Sentence{Lead: "scaling", Tone: block.Dim, Text: where + "not analysed: " + why.Text()})
		}
	}
	return append(finding.Blocks(out), finding.Blocks(scaleCharts(v))...)
}

func scalingSentences(where string, s Scaling) []block.Sentence {
	out := []block.Sentence{{Lead: "scaling", Tone: block.Strong, Text: where + scalingText(s)}}
	if text := perCPUText(s); text != "" {
		out = append(out, block.Sentence{Lead: "speedup", Tone: block.Dim, Text: where + text})
	}
	for _, d := range s.Doubts {
		out = append(out, block.Sentence{Lead: "note", Tone: block.Warn, Text: where + d.Text()})
	}
	return out
}

func scalingText(s Scaling) string {
	return strings.Join(figure.NonEmpty(linearText(s), efficiencyText(s), peakText(s), yieldText(s), modelText(s)), "; ")
}

func linearText(s Scaling) string {
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

func efficiencyText(s Scaling) string {
	switch {
	case s.EfficiencyAtMax == nil:
		return ""
	case s.EfficiencyLo == nil:
		return fmt.Sprintf("%d CPUs handle by estimate %s%% of %d times one CPU", s.MaxCPUs,
			figure.PercentOf(*s.EfficiencyAtMax, 1), s.MaxCPUs)
	}
	return fmt.Sprintf("%d CPUs handle %s of %d times one CPU", s.MaxCPUs,
		figure.PercentRange(*s.EfficiencyLo, *s.EfficiencyHi), s.MaxCPUs)
}

// perCPUText states the throughput per CPU, relative to one CPU, at each number of CPUs.
func perCPUText(s Scaling) string {
	var parts []string
	for _, p := range s.Points {
		if p.Efficiency != nil && p.CPUs > 1 {
			each := figure.PercentOf(p.Efficiency.Value, 1) + "%"
			if p.Efficiency.Bounded() {
				each = figure.PercentRange(p.Efficiency.Ends())
			}
			parts = append(parts, fmt.Sprintf("%s at %d CPUs", each, p.CPUs))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "throughput per CPU, relative to one: " + strings.Join(parts, ", ")
}

// peakText states the number of CPUs with the highest throughput, and the loss beyond it.
func peakText(s Scaling) string {
	p := s.Peak
	if s.Runs > 0 {
		text := fmt.Sprintf("peak by estimate at %s: %s", cpusText(p.CPUs),
			figure.Estimate{Value: p.Value}.Estimate(figure.ScaleFor(s.Unit, p.Value)))
		if s.LossPastPeak != nil {
			text += fmt.Sprintf(", of which %d CPUs lose %s%%", s.MaxCPUs, figure.PercentOf(s.LossPastPeak.Value, 1))
		}
		return text
	}
	text := fmt.Sprintf("peak at %s: %s", cpusText(p.CPUs),
		p.Interval(figure.ScaleFor(s.Unit, p.Values()...)))
	if l := s.LossPastPeak; l != nil && l.Bounded() {
		text += fmt.Sprintf(", of which %d CPUs lose %s", s.MaxCPUs, lossText(*l))
	}
	return text
}

// lossText formats a loss, which may be a gain at one end, since a peak is chosen by its estimate.
func lossText(l estimate.Estimate) string {
	if *l.Lo <= 0 {
		return fmt.Sprintf("at most %s%%", figure.PercentOf(*l.Hi, 1))
	}
	return figure.PercentRange(l.Ends())
}

func yieldText(s Scaling) string {
	if s.SMTYield == nil {
		return ""
	}
	if s.SMTYieldLo == nil {
		return fmt.Sprintf("a second thread adds by estimate %s%% of a core", figure.PercentOf(*s.SMTYield, 0))
	}
	return fmt.Sprintf("a second thread adds %s of a core", figure.PercentRange(*s.SMTYieldLo, *s.SMTYieldHi))
}

// modelText names the models with their weights, the chosen one first.
func modelText(s Scaling) string {
	names := slices.Sorted(maps.Keys(s.Weights))
	chosen := slices.Index(names, s.Model)
	names = slices.Concat([]string{s.Model}, names[:chosen], names[chosen+1:])
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %s%%", modelName(n), figure.PercentOf(s.Weights[n], 0))
	}
	if s.Runs > 0 {
		return fmt.Sprintf("weights of the models: %s, runs scatter by %s%% around the curve", strings.Join(names, ", "),
			figure.PercentOf(s.Roughness, 1))
	}
	return fmt.Sprintf("weights of the models: %s, runs scatter by %s%% around the curve and by %s%% around their mean",
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

func cpusText(n int) string { return finding.LoadText(fmt.Sprintf("%d CPUs", n)) }

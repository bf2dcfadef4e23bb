package cost

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// worthNotes states throughput per dollar and unit cost.
func worthNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	for _, c := range v.Cells {
		// the page draws those of kernels
		if w := KindWorth.Of(c); w != nil && !strings.HasSuffix(c.Load, " "+record.ParamCPUs) {
			out = append(out, block.Sentence{Lead: "price-performance", Tone: block.Strong,
				Text: v.Place(c) + ", " + c.Metric + ": " + worthText(*w, c.Workload)})
			for _, text := range note.Texts(w.Doubts) {
				out = append(out, block.Sentence{Lead: "note", Tone: block.Warn, Text: v.Place(c) + ": " + text})
			}
		}
	}
	return block.Unique(out)
}

func worthText(w Worth, workload string) string {
	amount := func(s estimate.Estimate, unit string) string {
		u := figure.ScaleFor(unit, s.Values()...)
		if s.Bounded() {
			return s.Interval(u)
		}
		if w.Bounds != nil {
			return "at least " + s.Estimate(u)
		}
		return "by estimate " + s.Estimate(u)
	}
	text := "handles " + amount(w.Dollar, figure.UnitOf(workload, w.Unit))
	if w.Op != nil {
		text += "; " + finding.CostOf(workload, finding.Priced{Each: *w.Op, AtMost: w.Bounds != nil})
	}
	if w.TB != nil {
		text += "; 10^12 bytes cost " + finding.NumberText(*w.TB) + " $"
	}
	return text + fmt.Sprintf(", at %s $/h (%s)", figure.Exact(w.PricePerHour), w.PriceSource)
}

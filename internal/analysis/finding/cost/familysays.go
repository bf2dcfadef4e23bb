package cost

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// familySays states the size ratio of families at equal throughput.
func familySays(c finding.Compared) []block.Block {
	var out []block.Sentence
	for _, f := range KindFamily.All(c) {
		out = append(out, block.Sentence{Lead: "sizes", Tone: block.Strong, Text: familyText(f)})
		out = append(out, finding.Doubts("", f.Doubts)...)
	}
	return finding.Blocks(out)
}

func familyText(f FamilyRatio) string {
	where := finding.Placed(f.Workload, f.Params, f.Load, f.Metric)
	m := f.Multiple
	if m == nil {
		var sizes []string
		for _, s := range f.Sizes {
			times := figure.Factors(s.Multiple.Value, s.Multiple.Value) + " by estimate"
			if s.Multiple.Bounded() {
				times = figure.Factors(s.Multiple.Ends())
			}
			sizes = append(sizes, fmt.Sprintf("%s at %s", times, figure.Count(int(s.VCPUs), "vCPU")))
		}
		return fmt.Sprintf("to handle as much as %s, %s needs more or fewer vCPUs by its size: %s; no one multiple fits all "+
			"sizes: %s", f.B, f.A, strings.Join(sizes, ", "), where)
	}
	if !m.Bounded() {
		return fmt.Sprintf("no interval, %d runs of each size needed; by estimate %s needs %s the vCPUs of %s to "+
			"handle as much: %s",
			figure.MinReplicates, f.A, figure.Factors(m.Value, m.Value), f.B, where)
	}
	return fmt.Sprintf("%s needs %s the vCPUs of %s to handle as much, by estimate %s: %s",
		f.A, figure.Factors(m.Ends()), f.B, figure.Factors(m.Value, m.Value), where)
}

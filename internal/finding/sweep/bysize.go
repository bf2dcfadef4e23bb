package sweep

import (
	"maps"
	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
	"slices"
)

// MinSizes is the least number of sizes for a curve.
const MinSizes = 3

// bySizes finds the curves of sizes. A cell with the largest size of several curves gets the one with the most sizes.
func bySizes(in *finding.Input) []finding.Finding {
	most, out := map[trialset.Key]int{}, map[trialset.Key][]finding.Finding{}
	for _, c := range trialset.CurvesAlong(trialset.Valid(in.Swept), trialset.SizeAxes) {
		found, at := bySizeOf(c), c.Last().At()
		if found != nil && len(found.Points) > most[at] {
			most[at], out[at] = len(found.Points), KindBySize.New(found, c.Scope()...)
		}
	}
	return slices.Concat(slices.Collect(maps.Values(out))...)
}

// bySizeOf returns nil if there are too few sizes, or no rate that is positive at each of them.
func bySizeOf(c trialset.Curve) *BySize {
	if len(c.Points) < MinSizes {
		return nil
	}
	metric := RateOf(c.Last().Trials)
	over := c.Last().Over(c.First(), metric)
	logs, ok := c.Logs(metric)
	if over == nil || !ok {
		return nil
	}
	out := &BySize{Param: c.Param, Last: *over, Spread: estimate.Spread(logs)}
	for _, p := range c.Points {
		out.Points = append(out.Points, SizePoint{p.X, p.Estimate(metric), trialset.Common(p.Trials, record.KeyRegime)})
	}
	return out
}

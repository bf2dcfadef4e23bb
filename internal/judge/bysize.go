package judge

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// minSizes is how many sizes say how a rate follows them.
const minSizes = 3

// bySizesOf gives each curve of sizes to the cell of its largest. A cell that lies on several gets that of the most sizes.
func bySizesOf(trials []record.Trial) map[trialset.Key]*BySize {
	out := map[trialset.Key]*BySize{}
	for _, c := range trialset.CurvesAlong(trialset.Valid(trials), trialset.SizeAxes) {
		found, at := bySizeOf(c), c.Last().At()
		if found != nil && (out[at] == nil || len(found.Points) > len(out[at].Points)) {
			out[at] = found
		}
	}
	return out
}

// bySizeOf returns nil if there are too few sizes, or no rate that is positive at each of them.
func bySizeOf(c trialset.Curve) *BySize {
	if len(c.Points) < minSizes {
		return nil
	}
	metric := rateOf(c.Last().Trials)
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

package sweep

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// MinSizes is how many sizes say how a rate follows them.
const MinSizes = 3

// BySizesOf gives each curve of sizes to the cell of its largest. A cell that lies on several gets that of the most sizes.
func BySizesOf(trials []record.Trial) map[trialset.Key]*BySize {
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

// BySize is how a rate follows the size of what is worked on, all else equal.
type BySize struct {
	Param  string            `json:"param"`  // the parameter that is the size
	Points []SizePoint       `json:"points"` // smallest first
	Last   estimate.Estimate `json:"last_over_first"`
	Spread estimate.Estimate `json:"lowest_over_highest"` // 1 is flat
}

// SizePoint is one size of a sweep of sizes.
type SizePoint struct {
	Size float64 `json:"size"` // bytes
	estimate.Estimate
	Regime string `json:"regime,omitempty"`
}

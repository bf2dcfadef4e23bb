package judge

import (
	"math"

	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// flagWithin flags how many trials of a comparison's sides say something against themselves.
func flagWithin(c *finding.Comparison, sides ...[]record.Trial) {
	var unsettled, lagging, drifting trialset.Tally
	all := 0
	for _, trials := range sides {
		all += len(trials)
		for i := range trials {
			if w := trials[i].Steady; w != nil {
				unsettled.Add(!trialset.Settled(*w), w.Kept)
				lagging.Add(trialset.Late(*w), w.SteadyS)
				drifting.Add(trialset.Drifts(*w), math.Abs(w.Drift))
			}
		}
	}
	if unsettled.N > 0 {
		c.Flag("trials-not-steady", unsettled.N, all)
	}
	if lagging.N > 0 {
		c.Flag("trials-steady-late", lagging.Most, lagging.N, all)
	}
	if drifting.N > 0 {
		c.Flag("trials-drift", 100*drifting.Most, drifting.N, all)
	}
}

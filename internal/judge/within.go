package judge

import (
	"fmt"
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// The questions that a trial's own windows answer, with the limits of METHOD section 3, which are
// stat's: less than a quarter kept, a drift of more than 1 % with p < 0.01.

func settled(w record.Within) bool { return stat.SteadyState{Kept: w.Kept}.Holds() }

func drifts(w record.Within) bool { return stat.Drift{Change: w.Drift, P: w.DriftP}.Holds() }

// late says that a trial settled, and not from its beginning. The segments of stat.SteadyFrom have 15
// windows at least, so that it is never a matter of a second or two.
func late(w record.Within) bool { return settled(w) && w.SteadyS > 0 }

// unsteady says what a trial's own windows say against it. Its value stays what it is: nothing is
// cut off. Of a trial that was too short, or is of an old file or an import, nothing is said.
func unsteady(t record.Trial) []string {
	if t.Within == nil {
		return nil
	}
	w := *t.Within
	var out []string
	switch {
	case !settled(w):
		out = append(out, fmt.Sprintf("NOT STEADY: only %.0f %% of the trial lies in its last steady state", 100*w.Kept))
	case late(w):
		out = append(out, fmt.Sprintf("steady only from %.0f s on: warm up longer", w.SteadyS))
	}
	if drifts(w) {
		out = append(out, fmt.Sprintf("drifts by %+.1f %% from end to end", 100*w.Drift))
	}
	return out
}

// tally is how many trials bear a figure, and the largest such.
type tally struct {
	n    int
	most float64
}

func (y *tally) add(is bool, figure float64) {
	if is {
		y.n, y.most = y.n+1, max(y.most, figure)
	}
}

// doubtWithin flags how many trials of a comparison's sides say something against themselves.
func (c *Comparison) doubtWithin(sides ...[]record.Trial) {
	var unsettled, lagging, drifting tally
	all := 0
	for _, trials := range sides {
		all += len(trials)
		for i := range trials {
			if w := trials[i].Within; w != nil {
				unsettled.add(!settled(*w), w.Kept)
				lagging.add(late(*w), w.SteadyS)
				drifting.add(drifts(*w), math.Abs(w.Drift))
			}
		}
	}
	if unsettled.n > 0 {
		c.flag(fmt.Sprintf("NOT STEADY: %d of %d trials", unsettled.n, all))
	}
	if lagging.n > 0 {
		c.flag(fmt.Sprintf("steady only from up to %.0f s on: %d of %d trials; warm up longer", lagging.most, lagging.n, all))
	}
	if drifting.n > 0 {
		c.flag(fmt.Sprintf("drifts by up to %.1f %% from end to end: %d of %d trials", 100*drifting.most, drifting.n, all))
	}
}

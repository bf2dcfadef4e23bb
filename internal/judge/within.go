package judge

import (
	"math"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// The questions that a trial's own windows answer, with the limits of METHOD section 3, which are
// stat's: less than a quarter kept, a drift of more than 1 % with p < 0.01.

func settled(w record.SteadyState) bool { return stat.SteadyState{Kept: w.Kept}.Holds() }

func drifts(w record.SteadyState) bool { return stat.Drift{Change: w.Drift, P: w.DriftP}.Holds() }

// late says that a trial settled, and not from its beginning. The segments of stat.SteadyFrom have 15
// windows at least, so that it is never a matter of a second or two.
func late(w record.SteadyState) bool { return settled(w) && w.SteadyS > 0 }

// unsteady says what a trial's own windows say against it. Its value stays what it is: nothing is
// cut off. Of a trial that was too short, or is of an old file or an import, nothing is said.
func unsteady(t record.Trial) []note.Note {
	if t.Steady == nil {
		return nil
	}
	w := *t.Steady
	var out []note.Note
	switch {
	case !settled(w):
		out = append(out, note.New("not-steady", 100*w.Kept))
	case late(w):
		out = append(out, note.New("steady-late", w.SteadyS))
	}
	if drifts(w) {
		out = append(out, note.New("drifts", 100*w.Drift))
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
			if w := trials[i].Steady; w != nil {
				unsettled.add(!settled(*w), w.Kept)
				lagging.add(late(*w), w.SteadyS)
				drifting.add(drifts(*w), math.Abs(w.Drift))
			}
		}
	}
	if unsettled.n > 0 {
		c.flag("trials-not-steady", unsettled.n, all)
	}
	if lagging.n > 0 {
		c.flag("trials-steady-late", lagging.most, lagging.n, all)
	}
	if drifting.n > 0 {
		c.flag("trials-drift", 100*drifting.most, drifting.n, all)
	}
}

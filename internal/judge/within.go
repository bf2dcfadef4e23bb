package judge

import (
	"fmt"
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// lateSteady is how many seconds into the measured window a trial may become steady without a word.
const lateSteady = 1

// unsteady says what a trial's own windows say against it (METHOD section 3). Its value stays what it
// is: nothing is cut off.
func unsteady(t record.Trial) []string {
	w := t.Within
	if w == nil {
		return nil
	}
	var out []string
	switch {
	case !(stat.SteadyState{Kept: w.Kept}).Holds():
		out = append(out, fmt.Sprintf("NOT STEADY: only %.0f %% of the trial lies in its last steady state", 100*w.Kept))
	case w.SteadyS > lateSteady:
		out = append(out, fmt.Sprintf("steady only from %.0f s on: warm up longer", w.SteadyS))
	}
	if (stat.Drift{Change: w.Drift, P: w.DriftP}).Holds() {
		out = append(out, fmt.Sprintf("drifts by %+.1f %% from end to end", 100*w.Drift))
	}
	return out
}

// doubtWithin flags how many trials of a comparison say something against themselves.
func (c *Comparison) doubtWithin(s sample) {
	settled, late, drifting, latest, most := 0, 0, 0, 0.0, 0.0
	all := append(append([]record.Trial(nil), s.a...), s.b...)
	for _, t := range all {
		w := t.Within
		switch {
		case w == nil:
			continue
		case !(stat.SteadyState{Kept: w.Kept}).Holds():
			settled++
		case w.SteadyS > lateSteady:
			late, latest = late+1, max(latest, w.SteadyS)
		}
		if (stat.Drift{Change: w.Drift, P: w.DriftP}).Holds() {
			drifting, most = drifting+1, max(most, math.Abs(w.Drift))
		}
	}
	if settled > 0 {
		c.flag(fmt.Sprintf("NOT STEADY: %d of %d trials", settled, len(all)))
	}
	if late > 0 {
		c.flag(fmt.Sprintf("steady only from up to %.0f s on: %d of %d trials; warm up longer", latest, late, len(all)))
	}
	if drifting > 0 {
		c.flag(fmt.Sprintf("drifts by up to %.1f %% from end to end: %d of %d trials", 100*most, drifting, len(all)))
	}
}

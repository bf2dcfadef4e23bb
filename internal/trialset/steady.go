package trialset

import (
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// The conditions on a trial's own windows, with the limits of METHOD section 3 from package stat: less than a quarter
// kept, a drift of more than 1 % with p < 0.01.

// Settled reports whether a trial reached a steady state.
func Settled(w record.SteadyState) bool { return stat.SteadyState{Kept: w.Kept}.Holds() }

// Drifts reports whether throughput drifted over the measured windows.
func Drifts(w record.SteadyState) bool { return stat.Drift{Change: w.Drift, P: w.DriftP}.Holds() }

// Late reports whether a trial became steady, but not from its beginning. The segments of stat.SteadyFrom have 15
// windows at least, so the delay is never just a second or two.
func Late(w record.SteadyState) bool { return Settled(w) && w.SteadyS > 0 }

// unsteady returns the doubts that a trial's own windows raise. The value is unchanged: nothing is cut off. If the
// trial was too short, or comes from an old file or an import, there are none.
func unsteady(t record.Trial) []note.Note {
	if t.Steady == nil {
		return nil
	}
	w := *t.Steady
	var out []note.Note
	switch {
	case !Settled(w):
		out = append(out, note.New("not-steady", 100*w.Kept))
	case Late(w):
		out = append(out, note.New("steady-late", w.SteadyS))
	}
	if Drifts(w) {
		out = append(out, note.New("drifts", 100*w.Drift))
	}
	return out
}

// Tally counts the trials that bear a figure, and keeps the largest.
type Tally struct {
	N    int
	Most float64
}

// Add counts a trial if it bears the figure.
func (y *Tally) Add(is bool, figure float64) {
	if is {
		y.N, y.Most = y.N+1, max(y.Most, figure)
	}
}

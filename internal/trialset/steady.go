package trialset

import (
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// The questions that a trial's own windows answer, with the limits of METHOD section 3, which are
// stat's: less than a quarter kept, a drift of more than 1 % with p < 0.01.

func Settled(w record.SteadyState) bool { return stat.SteadyState{Kept: w.Kept}.Holds() }

func Drifts(w record.SteadyState) bool { return stat.Drift{Change: w.Drift, P: w.DriftP}.Holds() }

// Late says that a trial settled, and not from its beginning. The segments of stat.SteadyFrom have 15
// windows at least, so that it is never a matter of a second or two.
func Late(w record.SteadyState) bool { return Settled(w) && w.SteadyS > 0 }

// unsteady says what a trial's own windows say against it. Its value stays what it is: nothing is
// cut off. Of a trial that was too short, or is of an old file or an import, nothing is said.
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

// Tally is how many trials bear a figure, and the largest such.
type Tally struct {
	N    int
	Most float64
}

func (y *Tally) Add(is bool, figure float64) {
	if is {
		y.N, y.Most = y.N+1, max(y.Most, figure)
	}
}

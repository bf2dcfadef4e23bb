package agent

import (
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// window is the length of the windows that a trial is judged by, in nanoseconds.
const window = 1e9

// withinOf is what a trial's windows say of it; nil where they are too few, or say nothing: a
// rate is carried or not, and a single run has no windows.
func withinOf(l record.LoadPoint, w load.Windows) *record.Within {
	if l.Kind != record.Closed || w.StepNs != window {
		return nil
	}
	x := make([]float64, len(w.Ops))
	for i, n := range w.Ops {
		x[i] = float64(n)
	}
	s, ok := stat.SteadyFrom(x)
	if !ok || stat.Mean(x[s.Start:]) == 0 {
		return nil
	}
	kept := x[s.Start:]
	out := record.Within{
		Windows: len(x), SteadyS: float64(s.Start), Kept: s.Kept,
		SD: stat.CV(kept), Tau: stat.AutocorrelationTime(kept), DriftP: 1,
	}
	if d, ok := stat.DriftOf(kept); ok {
		out.Drift, out.DriftP = d.Change, d.P
	}
	return &out
}

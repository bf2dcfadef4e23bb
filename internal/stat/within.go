package stat

// Within is what a run, given as its throughput in windows of 1 s, says of itself: whether and when it settled, and how it scattered and
// drifted from then on. The fields are those of record.Within.
type Within struct {
	Windows int
	SteadyS float64
	Kept    float64
	SD      float64 // over the mean
	Tau     float64
	Drift   float64
	DriftP  float64
}

// WithinOf is false below 30 windows, and where nothing was done in the last steady state.
func WithinOf(x []float64) (Within, bool) {
	s, ok := SteadyFrom(x)
	if !ok || Mean(x[s.Start:]) == 0 {
		return Within{}, false
	}
	kept := x[s.Start:]
	out := Within{
		Windows: len(x), SteadyS: float64(s.Start), Kept: s.Kept,
		SD: CV(kept), Tau: AutocorrelationTime(kept), DriftP: 1,
	}
	if d, ok := DriftOf(kept); ok {
		out.Drift, out.DriftP = d.Change, d.P
	}
	return out, true
}

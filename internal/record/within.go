package record

// Within is what the windows of a trial, of 1 s each, say of the trial itself: whether and when it
// settled, and how it scattered and drifted from then on. It is known of closed loads of 30 windows or more.
// Seconds are those of the trial's own time, which of a sliced side does not pass while others run.
type Within struct {
	Windows int     `json:"windows"`
	SteadyS float64 `json:"steady_s"` // seconds into the measured window at which the steady state began
	Kept    float64 `json:"kept"`     // share of the windows that lie in it, 0 to 1
	SD      float64 `json:"sd"`       // standard deviation of the throughput of the windows kept, over its mean
	Tau     float64 `json:"tau"`      // autocorrelation time of those, in windows
	Drift   float64 `json:"drift"`    // change from the first of those to the last, as a fraction
	DriftP  float64 `json:"drift_p"`  // probability of so much drift where there is none
}

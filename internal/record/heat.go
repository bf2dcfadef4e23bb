package record

// Heat is how a fresh server became as fast as it gets: from the throughput of its heat, in windows of 0.1 s.
type Heat struct {
	Seconds  float64 `json:"s"`         // how long it was loaded
	SettledS float64 `json:"settled_s"` // seconds into the heat at which the steady state began
	Kept     float64 `json:"kept"`      // share of the windows that lie in it, 0 to 1
	Gain     float64 `json:"gain"`      // throughput of the steady state over that of the first second
	Half     float64 `json:"half"`      // half-width of the 95 % interval of that throughput, as a fraction: how well it is known
}

// Rise is a straight line through the measured windows, of 1 s each, of a server that compiles while it runs.
type Rise struct {
	Windows int     `json:"windows"`
	Change  float64 `json:"change"` // from the first window to the last, as a fraction of the mean
	P       float64 `json:"p"`      // probability of so much where there is none, of windows that do not depend on each other
}

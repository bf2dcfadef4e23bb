package stat

import "math"

// leastRise is how many windows tell whether a short run still rises.
const leastRise = 5

// RiseOf fits a straight line by least squares to the windows of a run, from 5 on, with Student's t of n − 2 degrees of freedom; from 20
// windows on to the means of 10 batches, as DriftOf. Ask it of a run that is too short for SteadyFrom. It takes the windows for independent: where each repeats 0.6
// of the one before, P below 0.01 is not as rare as it says.
func RiseOf(x []float64) (Drift, bool) {
	if len(x) < leastRise || !(Mean(x) > 0) {
		return Drift{}, false
	}
	if len(x) >= 2*batches {
		return DriftOf(x)
	}
	n, m, middle := float64(len(x)), Mean(x), float64(len(x)-1)/2
	slope, across := 0.0, 0.0
	for i, v := range x {
		at := float64(i) - middle
		slope += at * (v - m)
		across += at * at
	}
	slope /= across
	rest := 0.0
	for i, v := range x {
		off := v - m - slope*(float64(i)-middle)
		rest += off * off
	}
	d := Drift{Change: slope * n / m, P: 1}
	if slope != 0 {
		d.P = twoSided(math.Abs(slope)/math.Sqrt(rest/(n-2)/across), n-2)
	}
	return d, true
}

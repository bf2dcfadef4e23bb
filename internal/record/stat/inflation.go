package stat

import "math"

// maxAutocorrelation limits Autocorrelation: beyond it a session of at most 30 pairs cannot estimate its own noise, and
// only more machines help.
const maxAutocorrelation = 0.7

// Autocorrelation returns how much of a pair's log ratio the next pair repeats, from 0 to 0.7, for the log ratios d in
// the order measured: the lag-1 coefficient r, corrected for its bias in short sequences to r + (1+3r)/n (Marriott and
// Pope, Biometrika 41, 1954), and limited at both ends. It is 0 below two values.
func Autocorrelation(d []float64) float64 {
	n := float64(len(d))
	if n < 2 {
		return 0
	}
	r := lagOne(d)
	return min(max(r+(1+3*r)/n, 0), maxAutocorrelation)
}

// inflation returns the factor √((1+r)/(1−r)) by which pairs of autocorrelation r widen the standard error of their
// mean, with Autocorrelation for r: 1 to 2.38.
func inflation(d []float64) float64 {
	r := Autocorrelation(d)
	return math.Sqrt((1 + r) / (1 - r))
}

// lagOne returns the lag-1 autocorrelation of x; 0 if all values are equal.
func lagOne(x []float64) float64 {
	m := Mean(x)
	var products, squares float64
	for i, v := range x {
		squares += (v - m) * (v - m)
		if i > 0 {
			products += (x[i-1] - m) * (v - m)
		}
	}
	// Equal values deviate from their mean by rounding, which is not autocorrelation.
	return products / max(squares, 1e-30)
}

// widened returns iv with the distances of its ends from center times factor.
func (iv Interval) widened(center, factor float64) Interval {
	if factor == 1 {
		return iv
	}
	return Interval{center - factor*(center-iv.Lo), center + factor*(iv.Hi-center)}
}

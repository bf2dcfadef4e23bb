package stat

import "math"

// outlierAlpha is the probability that Outlier finds one among values without any.
const outlierAlpha = .001

// Outlier returns the value too far from the mean of all others for their normal scatter, which is at least floor:
// Grubbs' test, by the standard deviation of the others. away is the distance from their mean. ok is false below five
// values.
func Outlier(x []float64, floor float64) (at int, away float64, ok bool) {
	n := len(x)
	if n < 5 {
		return 0, 0, false
	}
	mean := Mean(x)
	for i, v := range x {
		if math.Abs(v-mean) > math.Abs(x[at]-mean) {
			at = i
		}
	}
	others := make([]float64, 0, n-1)
	others = append(append(others, x[:at]...), x[at+1:]...)
	away = x[at] - Mean(others)
	sd := math.Max(SD(others), floor) * math.Sqrt(1+1/float64(n-1))
	return at, away, math.Abs(away) > tCrit(outlierAlpha/float64(n), float64(n-2))*sd
}

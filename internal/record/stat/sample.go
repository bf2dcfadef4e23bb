package stat

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Mean returns the arithmetic mean; NaN for no values.
func Mean(x []float64) float64 { return stat.Mean(x, nil) }

// SD returns the sample standard deviation with n-1 in the denominator; NaN below two values.
func SD(x []float64) float64 { return stat.StdDev(x, nil) }

// GeoMean returns the geometric mean; NaN for no values or a value that is not positive.
func GeoMean(x []float64) float64 { return math.Exp(Mean(Logs(x))) }

// Logs returns the natural logarithm of each value; NaN if a value is not positive.
func Logs(x []float64) []float64 {
	logs := make([]float64, len(x))
	for i, v := range x {
		logs[i] = math.NaN()
		if v > 0 {
			logs[i] = math.Log(v)
		}
	}
	return logs
}

// CV returns the coefficient of variation SD/|mean| as a fraction; NaN below two values or if the mean is 0.
func CV(x []float64) float64 {
	m := math.Abs(Mean(x))
	if m == 0 {
		return math.NaN()
	}
	return SD(x) / m
}

// Quantile returns the q-quantile of values in ascending order, 0 <= q <= 1, with linear interpolation between the two
// nearest (type 7 of Hyndman and Fan, The American Statistician 50, 1996); NaN for no values.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

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

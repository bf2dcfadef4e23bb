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

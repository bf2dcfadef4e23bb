package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MinDetectable returns the minimum detectable effect of a session of n pairs, in the unit of sd: the distance from 0
// of a mean at which Student's two-sided test at error rate alpha, of n normal values with standard deviation sd,
// excludes 0 with probability power. It is exact (from the noncentral t), because the usual sum of two quantiles is 5%
// too small at 3 pairs. Below two values it is infinite.
func MinDetectable(sd float64, n int, alpha, power float64) float64 {
	if n < 2 {
		return math.Inf(1)
	}
	df := float64(n - 1)
	crit, spread := tCrit(alpha, df), spreads(df)
	lo, hi := 0.0, 2.0
	for reach(hi, crit, spread) < power {
		hi *= 2
	}
	for range 60 {
		mid := (lo + hi) / 2
		if reach(mid, crit, spread) < power {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi * sd / math.Sqrt(float64(n))
}

// reach returns the probability that a mean, shift standard errors away from 0, is more than crit estimated standard
// errors away, averaged over the spreads of the estimate.
func reach(shift, crit float64, spread []float64) float64 {
	sum := 0.0
	for _, s := range spread {
		sum += distuv.UnitNormal.CDF(shift-crit*s) + distuv.UnitNormal.CDF(-shift-crit*s)
	}
	return sum / float64(len(spread))
}

// spreads returns equally likely values of the sample standard deviation over the true one.
func spreads(df float64) []float64 {
	chi := distuv.ChiSquared{K: df}
	out := make([]float64, 200)
	for i := range out {
		out[i] = math.Sqrt(chi.Quantile((float64(i)+.5)/float64(len(out))) / df)
	}
	return out
}

// SDInterval returns the interval of the standard deviation of n normal values with sample standard deviation sd, with
// error rate alpha on both sides together, from the chi-square distribution. Below two values it is infinite.
func SDInterval(sd float64, n int, alpha float64) Interval {
	if n < 2 {
		return unknown()
	}
	df := float64(n - 1)
	chi := distuv.ChiSquared{K: df}
	return Interval{sd * math.Sqrt(df/chi.Quantile(1-alpha/2)), sd * math.Sqrt(df/chi.Quantile(alpha/2))}
}

package stat

import "math"

// Unbiased returns the median-unbiased estimate of the log ratio of a session whose interim analyses after these
// numbers of pairs may end it, from the mean and the standard deviation of its pairs at its end. The mean itself is
// selected by the stop: a session ends early because its mean is large. The estimate is the log ratio at which half of
// all sessions end with a mean that is at least as large (the ordering by the sample mean: Emerson and Fleming,
// Biometrika 77, 1990), for any rule that ends them. It takes the standard deviation for the true one, and the scatter
// of the others that the analyses would have seen as that of independent normal pairs. Without such analyses, or
// without scatter, it is the mean.
func (r Rule) Unbiased(mean, sd float64, looks []int) float64 {
	if len(looks) < 2 || !(sd > r.SDFloor/1000) || math.IsInf(mean, 0) || math.IsNaN(mean) {
		return mean
	}
	m := mean / sd
	stages := walkOf(looks, m, r.goesOn(sd, looks))
	excess := func(drift float64) float64 { return meanAbove(stages, m, drift, m) - .5 }
	away := 1 / math.Sqrt(float64(looks[0]))
	return sd * root(excess, m-away, m+away)
}

// goesOn returns the probability that a session goes on after an analysis with that mean, in standard deviations sd of
// a pair: that the interval is neither within the margin nor clear of 0, and that the session is not futile.
func (r Rule) goesOn(sd float64, looks []int) func(i int, mean float64) float64 {
	crit, futile := make([]float64, len(looks)), make([]Interval, len(looks))
	for i, n := range looks {
		crit[i] = r.Boundary.Crit(n)
		if r.Boundary.Futile > 0 && n >= MinRanks && i+1 < len(looks) {
			futile[i].Lo, futile[i].Hi = r.projectionFrom(n).futileMeans(sd)
		}
	}
	return func(i int, mean float64) float64 {
		n, off := float64(looks[i]), math.Abs(mean)
		s := r.decisive(sd*off) * math.Sqrt(n) / crit[i]
		open := 1.0
		if s > r.SDFloor {
			open = 1 - chiSquared((n-1)*s*s/(sd*sd), n-1)
		}
		if futile[i].Hi == 0 {
			return open
		}
		below := func(limit float64) float64 { return min(max((limit/sd-off)*n/walkStep+.5, 0), 1) } // of its step
		fails := below(futile[i].Hi)
		if futile[i].Lo > 0 {
			fails -= below(futile[i].Lo)
		}
		return open * (1 - fails)
	}
}

// decisive returns the half-width below which an interval around that mean decides.
func (r Rule) decisive(mean float64) float64 {
	off := math.Abs(mean)
	if r.Quick {
		return off
	}
	return max(off, r.Margin-off)
}

// root returns where a rising f is 0 between lo and hi, by the Illinois variant of regula falsi; the end that is nearer
// to it if it is at neither.
func root(f func(float64) float64, lo, hi float64) float64 {
	a, b := f(lo), f(hi)
	if a >= 0 {
		return lo
	}
	if b <= 0 {
		return hi
	}
	const enough = 1e-10
	for range 60 {
		mid := (lo*b - hi*a) / (b - a)
		v := f(mid)
		if math.Abs(v) < enough || hi-lo < enough {
			return mid
		}
		if v < 0 {
			lo, a, b = mid, v, b/2
		} else {
			hi, b, a = mid, v, a/2
		}
	}
	return (lo + hi) / 2
}

// chiSquared returns the probability that a chi-squared variable with k degrees of freedom is at most x, by the cube
// root of Wilson and Hilferty (Proceedings of the National Academy of Sciences 17, 1931), which is good to 0.01 for one
// degree of freedom and to 0.001 from 4 on.
func chiSquared(x, k float64) float64 {
	if x <= 0 {
		return 0
	}
	v := 2 / (9 * k)
	return normalCDF((math.Cbrt(x/k) - 1 + v) / math.Sqrt(v))
}

// chiSquaredQuantile is the inverse of chiSquared at the standard normal quantile z.
func chiSquaredQuantile(z, k float64) float64 {
	v := 2 / (9 * k)
	return k * math.Pow(max(1-v+z*math.Sqrt(v), 0), 3)
}

func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

package stat

import "math"

// Difference is the difference of two means with its error.
type Difference struct {
	Mean, SE, DF float64
	Paired       bool
}

// DifferenceOf returns the mean of b minus that of a: of pairs (a[i] with b[i], DF n-1), or of two samples by Welch
// (Biometrika 34, 1947). The standard deviation of the pairs' differences, or √2 times that of a side, is at least
// floor. If a side has fewer than two values, SE is infinite and DF 0.
func DifferenceOf(a, b []float64, paired bool, floor float64) Difference {
	d := Difference{Mean: Mean(b) - Mean(a), SE: math.Inf(1), Paired: paired}
	if min(len(a), len(b)) < 2 {
		return d
	}
	if paired {
		n := float64(len(a))
		d.SE, d.DF = math.Max(SD(pairwise(a, b)), floor)/math.Sqrt(n), n-1
		return d
	}
	va, vb := squaredError(a, floor/math.Sqrt2), squaredError(b, floor/math.Sqrt2)
	d.SE = math.Sqrt(va + vb)
	if d.DF = 1; d.SE > 0 {
		d.DF = (va + vb) * (va + vb) / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
	}
	return d
}

func pairwise(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = b[i] - a[i]
	}
	return out
}

// P returns the two-sided probability of a difference at least as large between sides of equal means; 1 if the error is
// unknown.
func (d Difference) P() float64 {
	if d.DF < 1 || d.Mean == 0 || math.IsInf(d.SE, 1) {
		return 1
	}
	if d.SE == 0 {
		return 0
	}
	return twoSided(d.Mean/d.SE, d.DF)
}

// Interval returns the interval of the difference with error rate alpha; infinite if the error is unknown.
func (d Difference) Interval(alpha float64) Interval {
	if d.DF < 1 || math.IsInf(d.SE, 1) {
		return unknown()
	}
	half := tCrit(alpha, d.DF) * d.SE
	return Interval{d.Mean - half, d.Mean + half}
}

// Part is the contribution of a part to a difference, as a share of it.
type Part struct {
	Share    float64
	Interval Interval // infinite if the whole may be 0
}

// PartOf returns the share of a part's difference in that of the whole, with the interval of a ratio of two correlated
// means (Fieller, Journal of the Royal Statistical Society B 16, 1954): all shares s for which part − s·whole does not
// differ from 0. partA[i] and wholeA[i] are of the same trial of side a; likewise b. paired is as in DifferenceOf.
func PartOf(partA, wholeA, partB, wholeB []float64, paired bool, alpha float64) Part {
	x, y := Mean(partB)-Mean(partA), Mean(wholeB)-Mean(wholeA)
	out := Part{Share: x / y, Interval: unknown()}
	if min(len(partA), len(partB)) < 2 {
		return out
	}
	var sxx, sxy, syy, df float64
	if paired {
		n := float64(len(partA))
		dx, dy := pairwise(partA, partB), pairwise(wholeA, wholeB)
		sxx, sxy, syy, df = covariance(dx, dx)/n, covariance(dx, dy)/n, covariance(dy, dy)/n, n-1
	} else {
		na, nb := float64(len(partA)), float64(len(partB))
		sxx = covariance(partA, partA)/na + covariance(partB, partB)/nb
		sxy = covariance(partA, wholeA)/na + covariance(partB, wholeB)/nb
		syy = covariance(wholeA, wholeA)/na + covariance(wholeB, wholeB)/nb
		df = DifferenceOf(wholeA, wholeB, false, 0).DF
	}
	t := tCrit(alpha, df)
	q := t * t
	a, b, c := y*y-q*syy, x*y-q*sxy, x*x-q*sxx
	if a <= 0 {
		return out
	}
	root := math.Sqrt(math.Max(b*b-a*c, 0))
	out.Interval = Interval{(b - root) / a, (b + root) / a}
	return out
}

// covariance returns the sample covariance of two samples, over n−1.
func covariance(x, y []float64) float64 {
	mx, my, sum := Mean(x), Mean(y), 0.0
	for i := range x {
		sum += (x[i] - mx) * (y[i] - my)
	}
	return sum / float64(len(x)-1)
}

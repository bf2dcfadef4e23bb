package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Point holds the replicates at one number of CPUs.
type Point struct {
	N    int
	Logs []float64 // ln X of each
}

// Mean returns the mean of ln X.
func (p Point) Mean() float64 { return Mean(p.Logs) }

// PooledSD returns the standard deviation within the points and its degrees of freedom. It is NaN if no point has two
// values.
func PooledSD(points []Point) (sd, df float64) {
	squares := 0.0
	for _, p := range points {
		m := p.Mean()
		for _, v := range p.Logs {
			squares += (v - m) * (v - m)
		}
		df += float64(len(p.Logs) - 1)
	}
	return math.Sqrt(squares / df), df
}

// LeastDifference returns how far the means of two points must lie apart, in logs, to differ by more than the scatter
// of all points together at a two-sided error rate of alpha. It holds for all pairs of points at once (Bonferroni),
// because the two may have been picked after measuring. It is NaN if no point has two values.
func LeastDifference(points []Point, a, b Point, alpha float64) float64 {
	sd, df := PooledSD(points)
	pairs := float64(len(points)*(len(points)-1)) / 2
	return Fixed(alpha/pairs).Crit(int(df)+1) * math.Max(sd, SDFloor) * errorOf(a, b)
}

// minEfficiency is the share of linear that still counts as linear.
const minEfficiency = .90

// LinearTo returns the largest measured N up to which throughput is linear: for every measured n up to N the one-sided
// 95% lower bound of ln X(n) − ln X(1) − ln n is at least ln 0.90. The numbers are tested in order and the first
// failure ends the test, so that no correction for multiple testing is needed. Points must ascend in N and begin with
// 1; otherwise, or if the scatter is unknown, it is 0.
func LinearTo(points []Point, floor float64) int {
	if len(points) == 0 || points[0].N != 1 {
		return 0
	}
	sd, df := PooledSD(points)
	if !(df > 0) {
		return 0
	}
	sd = math.Max(sd, floor)
	t := distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(.95)
	to := 1
	for _, p := range points[1:] {
		gain := p.Mean() - points[0].Mean() - math.Log(float64(p.N))
		if gain-t*sd*errorOf(points[0], p) < math.Log(minEfficiency) {
			break
		}
		to = p.N
	}
	return to
}

// errorOf returns the standard error of the difference of two means, in standard deviations of one value.
func errorOf(a, b Point) float64 {
	return math.Sqrt(1/float64(len(a.Logs)) + 1/float64(len(b.Logs)))
}

// PointRatio estimates ln of the ratio of b to a with the pooled standard deviation sd of df degrees of freedom, as a
// two-sided 95% CI.
func PointRatio(a, b Point, sd, df float64) LogRatio {
	r := LogRatio{Mean: b.Mean() - a.Mean(), N: min(len(a.Logs), len(b.Logs))}
	half := tCrit(.05, df) * sd * errorOf(a, b)
	r.Hull = Interval{r.Mean - half, r.Mean + half}
	return r
}

// LackOfFit returns the probability that replicates alone scatter the points as far around a fit as they lie (Draper
// and Smith, Applied Regression Analysis, 1998, section 2.1); NaN without degrees of freedom.
func LackOfFit(f Fit, points []Point, floor float64) float64 {
	sd, df := PooledSD(points)
	free := float64(len(points) - f.Params)
	if !(df > 0) || free <= 0 {
		return math.NaN()
	}
	squares := 0.0
	for _, p := range points {
		d := p.Mean() - math.Log(f.At(float64(p.N)))
		squares += float64(len(p.Logs)) * d * d
	}
	sd = math.Max(sd, floor)
	return 1 - distuv.F{D1: free, D2: df}.CDF(squares/free/(sd*sd))
}

// PointInterval returns the two-sided 95% CI of a point's mean of ln X with the pooled standard deviation sd of
// df degrees of freedom.
func PointInterval(p Point, sd, df float64) Interval {
	half := tCrit(.05, df) * sd / math.Sqrt(float64(len(p.Logs)))
	return Interval{p.Mean() - half, p.Mean() + half}
}

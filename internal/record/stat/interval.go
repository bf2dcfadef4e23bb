package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is a closed interval; its ends are infinite if nothing is known.
type Interval struct{ Lo, Hi float64 }

// Excludes reports whether v lies outside.
func (iv Interval) Excludes(v float64) bool { return v < iv.Lo || v > iv.Hi }

// Within reports whether the interval lies strictly inside (lo, hi).
func (iv Interval) Within(lo, hi float64) bool { return lo < iv.Lo && iv.Hi < hi }

// Exp returns the interval of a ratio from the interval of its logarithm.
func (iv Interval) Exp() Interval { return Interval{math.Exp(iv.Lo), math.Exp(iv.Hi)} }

// HalfWidth returns half of the interval's length.
func (iv Interval) HalfWidth() float64 { return (iv.Hi - iv.Lo) / 2 }

func hull(a, b Interval) Interval {
	return Interval{math.Min(a.Lo, b.Lo), math.Max(a.Hi, b.Hi)}
}

func unknown() Interval { return Interval{math.Inf(-1), math.Inf(1)} }

// TInterval returns Student's interval for the mean of x with error rate alpha on both sides together: mean ± t·max(s,
// floor)/√n, with s the sample standard deviation. The floor prevents false certainty from values that a cap or a
// coarse clock makes nearly equal. Below two values the interval is infinite.
func TInterval(x []float64, alpha, floor float64) Interval {
	if len(x) < 2 {
		return unknown()
	}
	half := tCrit(alpha, float64(len(x)-1)) * math.Max(SD(x), floor) / math.Sqrt(float64(len(x)))
	m := Mean(x)
	return Interval{m - half, m + half}
}

// tCrit returns the two-sided critical value of Student's t.
func tCrit(alpha, df float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(1 - alpha/2)
}

// Moments summarize values that are not known one by one, as papers print them: mean ± standard deviation of n.
type Moments struct {
	Mean, SD float64
	N        int
	Known    bool // SD is not estimated from the values, but known, such as the error of a reading
}

// unlimited stands for the degrees of freedom of a known standard deviation: Student's t is normal to 1e-8.
const unlimited = 1e9

// Freedom returns the degrees of freedom of the standard deviation.
func (m Moments) Freedom() float64 {
	if m.Known {
		return unlimited
	}
	return float64(m.N - 1)
}

// LogMoments returns the geometric mean of values over 0, with the standard deviation of their logs as a share of it.
func LogMoments(x []float64) Moments {
	logs := Logs(x)
	mean := math.Exp(Mean(logs))
	return Moments{Mean: mean, SD: SD(logs) * mean, N: len(x)}
}

// Interval returns Student's interval of the mean.
func (m Moments) Interval(alpha, floor float64) Interval {
	if m.Freedom() < 1 {
		return unknown()
	}
	half := tCrit(alpha, m.Freedom()) * math.Max(m.SD, floor) / math.Sqrt(float64(m.N))
	return Interval{m.Mean - half, m.Mean + half}
}

// SDBehind returns the standard deviation of n values from half the width of Student's interval of their mean.
func SDBehind(half, alpha float64, n int) float64 {
	return half / tCrit(alpha, float64(n-1)) * math.Sqrt(float64(n))
}

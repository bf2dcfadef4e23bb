package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is a closed interval; its ends are infinite where nothing is known.
type Interval struct{ Lo, Hi float64 }

// Excludes says whether v is outside.
func (iv Interval) Excludes(v float64) bool { return v < iv.Lo || v > iv.Hi }

// Within says whether the interval lies strictly inside (lo, hi).
func (iv Interval) Within(lo, hi float64) bool { return lo < iv.Lo && iv.Hi < hi }

// HalfWidth is half of the interval's length.
func (iv Interval) HalfWidth() float64 { return (iv.Hi - iv.Lo) / 2 }

func hull(a, b Interval) Interval {
	return Interval{math.Min(a.Lo, b.Lo), math.Max(a.Hi, b.Hi)}
}

func unknown() Interval { return Interval{math.Inf(-1), math.Inf(1)} }

// TInterval is Student's interval for the mean of x with error rate alpha on
// both sides together: mean ± t·max(s, floor)/√n, with s the sample standard deviation.
// The floor keeps values that a cap or a clock makes all but equal from giving
// a certainty that the machine does not have. Below two values it is infinite.
func TInterval(x []float64, alpha, floor float64) Interval {
	if len(x) < 2 {
		return unknown()
	}
	half := tCrit(alpha, float64(len(x)-1)) * math.Max(SD(x), floor) / math.Sqrt(float64(len(x)))
	m := Mean(x)
	return Interval{m - half, m + half}
}

// tCrit is the two-sided critical value of Student's t.
func tCrit(alpha, df float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(1 - alpha/2)
}

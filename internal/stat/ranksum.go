package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// ShiftByRanks returns the Hodges-Lehmann shift from a to b, the median of all differences of a value of b and one of a,
// and its rank-sum interval at the boundary's error rate (Hollander and Wolfe, Nonparametric Statistical
// Methods, 1999, section 4.3), with the normal approximation of the null distribution. It is for MinRanks values a side
// and more; below, and if not all values are finite, the interval is infinite and the shift NaN.
func ShiftByRanks(a, b []float64, o Opts) (shift float64, iv Interval) {
	n := min(len(a), len(b))
	finite := func(x []float64) bool {
		return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	}
	if n < MinRanks || !finite(a) || !finite(b) {
		return math.NaN(), unknown()
	}
	d := differencesOf(a, b)
	p, q := float64(len(a)), float64(len(b))
	z := distuv.UnitNormal.Quantile(1 - o.Boundary.Rank/2)
	k := int(p*q/2 + .5 - z*math.Sqrt(p*q*(p+q+1)/12))
	shift = average(d.at((d.len()-1)/2), d.at(d.len()/2))
	if k < 1 {
		return shift, unknown()
	}
	return shift, Interval{d.at(k - 1), d.at(d.len() - k)}.widened(shift, max(1, o.Widen))
}

// differences represents all differences of two samples, in ascending order. They are not materialised, as those of
// walsh.
type differences struct{ a, b []float64 } // ascending

func differencesOf(a, b []float64) differences {
	return differences{slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))}
}

func (d differences) len() int { return len(d.a) * len(d.b) }

// at returns the difference at index k, as walsh.at.
func (d differences) at(k int) float64 {
	lo, hi := ordinal(d.b[0]-d.a[len(d.a)-1]), ordinal(d.b[len(d.b)-1]-d.a[0])
	for lo < hi {
		if mid := lo + (hi-lo)/2; d.upTo(numbered(mid)) > k {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return numbered(lo) + 0
}

// upTo counts the differences that do not exceed v.
func (d differences) upTo(v float64) int {
	n, j := 0, 0
	for _, x := range d.a {
		for j < len(d.b) && d.b[j]-x <= v {
			j++
		}
		n += j
	}
	return n
}

// farMADs is the modified z-score beyond which a value is an outlier (Iglewicz and Hoaglin, How to Detect and Handle
// Outliers, 1993). Unlike Grubbs' test it finds several that would hide one another.
const farMADs = 3.5

// Outliers returns the indices of the values that lie farther from the median than normal scatter explains, and the
// median. The scatter is 1.4826 times the median absolute deviation, and at least floor. There are none below MinRanks
// values.
func Outliers(x []float64, floor float64) (at []int, median float64) {
	if len(x) < MinRanks {
		return nil, math.NaN()
	}
	median = Quantile(slices.Sorted(slices.Values(x)), .5)
	away := make([]float64, len(x))
	for i, v := range x {
		away[i] = math.Abs(v - median)
	}
	sd := max(1.4826*Quantile(slices.Sorted(slices.Values(away)), .5), floor)
	for i, v := range away {
		if v > farMADs*sd {
			at = append(at, i)
		}
	}
	return at, median
}

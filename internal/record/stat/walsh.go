package stat

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// walsh represents the averages of all pairs of some values, each value with itself included, in ascending order; their
// median is the Hodges-Lehmann estimate. They are not materialised: 50,000 values have 1.25 billion.
type walsh struct{ ascending []float64 }

func walshOf(d []float64) walsh {
	w := walsh{slices.Clone(d)}
	slices.Sort(w.ascending)
	return w
}

// len returns the number of averages.
func (w walsh) len() int { return len(w.ascending) * (len(w.ascending) + 1) / 2 }

// at returns the average at index k: the smallest number that more than k of them do not exceed. It bisects the finite
// numbers, of which there are fewer than 2^64, and so is exact.
func (w walsh) at(k int) float64 {
	lo, hi := ordinal(w.ascending[0]), ordinal(w.ascending[len(w.ascending)-1])
	for lo < hi {
		if mid := lo + (hi-lo)/2; w.upTo(numbered(mid)) > k {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return numbered(lo) + 0 // turns the negative zero, which sorts before the other, into the positive one
}

// upTo counts the averages that do not exceed v: for each value those with a later one, fewer the greater the value is.
func (w walsh) upTo(v float64) int {
	n, j := 0, len(w.ascending)-1
	for i, x := range w.ascending {
		for j >= i && average(x, w.ascending[j]) > v {
			j--
		}
		if j < i {
			break
		}
		n += j - i + 1
	}
	return n
}

func average(a, b float64) float64 { return (a + b) / 2 }

// median returns NaN for no values, or if not all are finite.
func (w walsh) median() float64 {
	if n := len(w.ascending); n == 0 || math.IsNaN(w.ascending[0]) || math.IsInf(w.ascending[0], 0) ||
		math.IsInf(w.ascending[n-1], 0) {
		return math.NaN()
	}
	half := w.len() / 2
	if w.len()%2 == 1 {
		return w.at(half)
	}
	return average(w.at(half-1), w.at(half))
}

// ordinal maps the floats to integers in the same order.
func ordinal(f float64) uint64 {
	b := math.Float64bits(f)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// numbered is the inverse of ordinal.
func numbered(n uint64) float64 {
	if n>>63 == 1 {
		return math.Float64frombits(n &^ (1 << 63))
	}
	return math.Float64frombits(^n)
}

// exactRanks is the largest n for which the signed-rank distribution is computed exactly; the work grows as n³.
const exactRanks = 100

// signedRankK returns k for the signed-rank interval [w(k), w(M+1-k)] of n differences, where w are their M = n(n+1)/2
// Walsh averages in ascending order: the largest k whose error rate over both sides is at most alpha, under the exact
// null distribution up to n = 100 and the normal approximation above. It is 0 if n is too small for any such interval.
func signedRankK(n int, alpha float64) int {
	if n > exactRanks {
		f := float64(n)
		z := distuv.UnitNormal.Quantile(1 - alpha/2)
		k := f*(f+1)/4 - z*math.Sqrt(f*(f+1)*(2*f+1)/24) + .5
		return max(0, int(k))
	}
	cdf := signedRankCDF(n)
	// With a tolerance, because alpha is often one of the rates.
	return sort.Search(len(cdf), func(w int) bool { return 2*cdf[w] > alpha+1e-12 })
}

// signedRankCDF returns P(W <= w) for w = 0..n(n+1)/2, where W is the sum of the ranks with a positive sign and each of
// the n signs is a fair coin.
func signedRankCDF(n int) []float64 {
	p := []float64{1}
	for rank := 1; rank <= n; rank++ {
		next := make([]float64, len(p)+rank)
		for w, v := range p {
			next[w] += v / 2
			next[w+rank] += v / 2
		}
		p = next
	}
	for w := 1; w < len(p); w++ {
		p[w] += p[w-1]
	}
	return p
}

// ShiftByRanks returns the Hodges-Lehmann shift from a to b, the median of all differences of a value of b and one of
// a, and its rank-sum interval at the boundary's error rate (Hollander and Wolfe, Nonparametric Statistical Methods,
// 1999, section 4.3), with the normal approximation of the null distribution. It is for MinRanks values a side and
// more; below, and if not all values are finite, the interval is infinite and the shift NaN.
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
	z := distuv.UnitNormal.Quantile(1 - o.Boundary.Rate/2)
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
	median, sd := MedianSpread(x)
	sd = max(sd, floor)
	for i, v := range x {
		if math.Abs(v-median) > farMADs*sd {
			at = append(at, i)
		}
	}
	return at, median
}

// MedianSpread returns the median of values and 1.4826 times their median absolute deviation from it, which of normal
// values is their standard deviation.
func MedianSpread(x []float64) (median, sd float64) {
	values := slices.Sorted(slices.Values(x))
	median = Quantile(values, .5)
	for i, v := range values {
		values[i] = math.Abs(v - median)
	}
	slices.Sort(values)
	return median, 1.4826 * Quantile(values, .5)
}

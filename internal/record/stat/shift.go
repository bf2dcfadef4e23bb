package stat

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Ranked is two samples of any finite values, compared by ranks and differences: counts, proportions, zeros and
// negative values, which have no logarithm. If Paired, A[i] was measured beside B[i].
//
// Its tests are exact permutation tests, conditional on the values with their ties: the rank sum of two samples
// (Wilcoxon, Biometrics Bulletin 1, 1945; Mann and Whitney, Annals of Mathematical Statistics 18, 1947) and the signed
// ranks of pairs, of which those without a difference are left out. Beyond exactRanks values they are normal
// approximations, corrected for ties and continuity.
type Ranked struct {
	A, B   []float64
	Paired bool
	Alpha  float64 // two-sided error rate
}

// Move is where a value would lie after a change.
type Move func(v float64) float64

// By returns the move by an amount in the values' unit.
func By(amount float64) Move { return func(v float64) float64 { return v + amount } }

// ByShare returns the move by a share of a value's size: any rise from 0 exceeds every share.
func ByShare(share float64) Move { return func(v float64) float64 { return v + share*math.Abs(v) } }

// Beyond returns the one-sided probabilities that values of b would lie as far below, and as far above, the moved
// values of a, if the move made the sides equal. It returns 1 and 1 for an empty side.
func (r Ranked) Beyond(m Move) (below, above float64) {
	if min(len(r.A), len(r.B)) == 0 {
		return 1, 1
	}
	moved := make([]float64, len(r.A))
	for i, v := range r.A {
		moved[i] = m(v)
	}
	if r.Paired {
		return signedRankP(pairwise(moved, r.B))
	}
	return rankSumP(moved, r.B)
}

// P returns the two-sided probability of sides as unlike, if they were equal.
func (r Ranked) P() float64 {
	below, above := r.Beyond(By(0))
	return min(1, 2*min(below, above))
}

// Shift returns the Hodges-Lehmann estimate of b minus a, and its interval by ranks: the median and two order
// statistics of all differences between the samples, or of the Walsh averages of the pairs' differences (Hollander and
// Wolfe, Nonparametric Statistical Methods, 1999, sections 3.1 and 4.3). Ties only raise the interval's coverage, since
// it is closed. It is infinite if there are too few values for one.
func (r Ranked) Shift() (float64, Interval) {
	return r.ordered(func(a, b float64) float64 { return b - a })
}

// Relative returns the same of the change as a share of a value's size, (b−a)/|a|. A value that stays 0 does not
// change, one that leaves 0 changes by infinitely much.
func (r Ranked) Relative() (float64, Interval) {
	return r.ordered(func(a, b float64) float64 {
		if a == b {
			return 0
		}
		return (b - a) / math.Abs(a)
	})
}

// ordered returns the median and the interval of a change, which must not fall with b.
func (r Ranked) ordered(change func(a, b float64) float64) (float64, Interval) {
	n, m := len(r.A), len(r.B)
	if min(n, m) == 0 {
		return math.NaN(), unknown()
	}
	var at func(int) float64
	var all, k int
	if r.Paired {
		d := make([]float64, n)
		for i, a := range r.A {
			d[i] = change(a, r.B[i])
		}
		if slices.Contains(d, math.Inf(1)) && slices.Contains(d, math.Inf(-1)) {
			return math.NaN(), unknown()
		}
		w := walshOf(d)
		at, all, k = w.at, w.len(), signedRankK(n, r.Alpha)
	} else {
		c := changes{r.A, slices.Sorted(slices.Values(r.B)), change}
		at, all, k = c.at, n*m, RankSumK(n, m, r.Alpha)
	}
	median := at((all - 1) / 2)
	if upper := at(all / 2); upper != median {
		median = average(median, upper)
	}
	if k == 0 {
		return median, unknown()
	}
	return median, Interval{at(k - 1), at(all - k)}
}

// changes are the changes from each value of a to each of b, in ascending order; they are not materialised.
type changes struct {
	a, b []float64 // b ascending
	of   func(a, b float64) float64
}

// at returns the change at index k: the smallest number that more than k of them do not exceed, by bisecting the
// numbers and the infinities.
func (c changes) at(k int) float64 {
	lo, hi := ordinal(math.Inf(-1)), ordinal(math.Inf(1))
	for lo < hi {
		if mid := lo + (hi-lo)/2; c.upTo(numbered(mid)) > k {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return numbered(lo) + 0 // no negative zero
}

// upTo counts the changes that do not exceed v.
func (c changes) upTo(v float64) int {
	n := 0
	for _, a := range c.a {
		n += sort.Search(len(c.b), func(j int) bool { return c.of(a, c.b[j]) > v })
	}
	return n
}

// Decides reports whether any values of so many runs, or pairs, could be told apart at the error rate.
func (r Ranked) Decides() bool {
	if r.Paired {
		return signedRankK(len(r.A), r.Alpha) > 0
	}
	return RankSumK(len(r.A), len(r.B), r.Alpha) > 0
}

// FewestRanks returns the number of runs per side, or of pairs, from which on ranks can decide at an error rate: two of
// the C(2n, n) orders of two samples are the farthest apart, and two of the 2^n signs of pairs.
func FewestRanks(paired bool, alpha float64) int {
	for n, least := 1, 2.0; ; n++ {
		if paired {
			least /= 2
		} else {
			least *= float64(n) / float64(2*(2*n-1))
		}
		if least <= alpha || n == exactRanks {
			return n
		}
	}
}

// exactSums is the number of values of both samples up to which the distribution of their rank sum is computed; the
// work grows as its fourth power.
const exactSums = 60

// RankSumK returns k for the interval [d(k), d(nm+1−k)] of the shift between samples of n and m values, where d are
// their nm differences in ascending order: the largest k whose error rate over both sides is at most alpha, under the
// exact null distribution without ties up to 60 values, and the normal approximation above. It is 0 if there is none.
func RankSumK(n, m int, alpha float64) int {
	if n+m > exactSums {
		p, q := float64(n), float64(m)
		z := distuv.UnitNormal.Quantile(1 - alpha/2)
		return max(0, int(p*q/2+.5-z*math.Sqrt(p*q*(p+q+1)/12)))
	}
	ranks := make([]int, n+m)
	for i := range ranks {
		ranks[i] = 2 * (i + 1)
	}
	few := min(n, m)
	sums := sumsOf(ranks, few)
	total, below, least := choose(n+m, few), 0.0, few*(few+1)
	for k := 0; ; k++ {
		// With a tolerance, because alpha is often one of the rates.
		if below += sums[least+2*k]; 2*below > (alpha+1e-12)*total {
			return k
		}
	}
}

// choose returns the number of choices of k of n.
func choose(n, k int) float64 {
	out := 1.0
	for i := range k {
		out = out * float64(n-i) / float64(i+1)
	}
	return math.Round(out)
}

// sumsOf counts the choices of so many of the ranks by their sum.
func sumsOf(ranks []int, few int) []float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	counts := make([][]float64, few+1) // by how many are chosen, and their sum
	for i := range counts {
		counts[i] = make([]float64, total+1)
	}
	counts[0][0] = 1
	reach := 0
	for _, r := range ranks {
		reach += r
		for k := few; k > 0; k-- {
			to, from := counts[k], counts[k-1]
			for s := reach; s >= r; s-- {
				to[s] += from[s-r]
			}
		}
	}
	return counts[few]
}

// twiceMidranks returns twice the rank of each value, in which tied values share the mean of theirs, and the sum of
// t³−t over the t values of each tie.
func twiceMidranks(x []float64) (ranks []int, ties float64) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	ranks = make([]int, len(x))
	for from := 0; from < len(x); {
		to := from + 1
		for to < len(x) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = from + to + 1
		}
		t := float64(to - from)
		ties += t*t*t - t
		from = to
	}
	return ranks, ties
}

// rankSumP returns the one-sided probabilities of b's rank sum.
func rankSumP(a, b []float64) (below, above float64) {
	ranks, ties := twiceMidranks(slices.Concat(b, a))
	n, m, all := len(b), len(a), len(a)+len(b)
	sum := 0
	for _, r := range ranks[:n] {
		sum += r
	}
	if all <= exactSums {
		if m < n { // the fewer are counted, and lie low where the others lie high
			total := 0
			for _, r := range ranks {
				total += r
			}
			above, below = tails(sumsOf(ranks, m), total-sum)
			return below, above
		}
		return tails(sumsOf(ranks, n), sum)
	}
	p, q, f := float64(n), float64(m), float64(all)
	variance := p * q / 12 * (f + 1 - ties/(f*(f-1)))
	return normalTails(float64(sum)/2, p*(f+1)/2, variance)
}

// signedRankP returns the one-sided probabilities of the differences' positive ranks.
func signedRankP(d []float64) (below, above float64) {
	d = slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
	size := make([]float64, len(d))
	for i, v := range d {
		size[i] = math.Abs(v)
	}
	ranks, ties := twiceMidranks(size)
	sum, total := 0, 0
	for i, v := range d {
		if total += ranks[i]; v > 0 {
			sum += ranks[i]
		}
	}
	if len(d) <= exactRanks {
		ways := make([]float64, total+1)
		ways[0] = 1
		reach := 0
		for _, r := range ranks {
			reach += r
			for s := reach; s >= r; s-- {
				ways[s] += ways[s-r]
			}
		}
		return tails(ways, sum)
	}
	n := float64(len(d))
	return normalTails(float64(sum)/2, n*(n+1)/4, n*(n+1)*(2*n+1)/24-ties/48)
}

// tails returns the shares of ways with a sum of at most, and of at least, the given one.
func tails(ways []float64, sum int) (upTo, from float64) {
	all := 0.0
	for s, w := range ways {
		all += w
		if s <= sum {
			upTo += w
		}
		if s >= sum {
			from += w
		}
	}
	return upTo / all, from / all
}

// normalTails is tails by the normal approximation, for sums half a rank apart.
func normalTails(sum, mean, variance float64) (upTo, from float64) {
	if variance <= 0 {
		return 1, 1
	}
	const half = .5
	sd := math.Sqrt(variance)
	return distuv.UnitNormal.CDF((sum - mean + half) / sd), distuv.UnitNormal.CDF((mean - sum + half) / sd)
}

// Widened returns the error rate at which an interval of normal values is wider by a factor: replicates that resemble
// those before them have to differ by so much more.
func Widened(alpha, factor float64) float64 {
	if factor <= 1 {
		return alpha
	}
	return 2 * distuv.UnitNormal.CDF(factor*distuv.UnitNormal.Quantile(alpha/2))
}

// SignedLogs returns sign(v)·ln(1+|v|/scale): close to logs for values over the scale, and defined for all.
func SignedLogs(x []float64, scale float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Copysign(math.Log1p(math.Abs(v)/scale), v)
	}
	return out
}

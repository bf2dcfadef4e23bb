package stat

import (
	"math"
	"slices"
)

// SizedRate is the rate of a machine of one size.
type SizedRate struct {
	Size float64   // such as vCPUs
	Logs []float64 // ln of each trial's rate
}

// EqualSize is the multiple in size that a machine of one family needs for the rate of one of another.
type EqualSize struct {
	Size     float64 // of the other; 0: over all sizes
	Multiple float64
	Lo, Hi   float64 // NaN if a machine has fewer than two trials
}

// minSizeSlope is the least slope of ln rate over ln size from which a size can be derived from a rate: on a plateau
// any size would do.
const minSizeSlope = .1

// beyond is how far past its ends a curve is extrapolated, as a share of its last stretch, because machines of two
// families with equal rates still differ by noise.
const beyond = .1

// EqualSizes returns for each size of b the size of a with the same rate, interpolated linearly on logs. There is none
// for sizes of b whose rates lie outside those of a by more than noise, or if the curve of a hardly rises there. Both
// must ascend. If there are two or more, their geometric mean comes last.
//
// The interval is Student's at an error rate of alpha, with the standard errors of the rates propagated through the
// interpolation, and the degrees of freedom of the machine with the fewest trials. A size of a that several results
// rest on counts in all of them together.
func EqualSizes(a, b []SizedRate, alpha float64) []EqualSize {
	var out []EqualSize
	var all reading
	for _, at := range b {
		for i := 1; i < len(a); i++ {
			r, share := between(a, i, at)
			if !reaches(share, i == 1, i == len(a)-1) {
				continue
			}
			out = append(out, r.bounded(at.Size, a, 1, alpha))
			all = all.plus(r, len(a))
			break
		}
	}
	if k := float64(len(out)); k > 1 {
		out = append(out, all.bounded(0, a, k, alpha))
	}
	return out
}

// OneMultiple reports whether one multiple can hold at all sizes: whether the intervals of all sizes, at an error rate
// that holds for them together (Bonferroni), have a value in common.
func OneMultiple(a, b []SizedRate, alpha float64) bool {
	sizes := 0
	for _, e := range EqualSizes(a, b, alpha) {
		if e.Size > 0 {
			sizes++
		}
	}
	lo, hi := 0.0, math.Inf(1)
	for _, e := range EqualSizes(a, b, alpha/float64(max(sizes, 1))) {
		if e.Size > 0 && !math.IsNaN(e.Lo) {
			lo, hi = math.Max(lo, e.Lo), math.Min(hi, e.Hi)
		}
	}
	return lo <= hi
}

// reaches reports whether a position lies on a stretch of the curve, or just past the end of the curve.
func reaches(share float64, first, last bool) bool {
	low, high := 0.0, 1.0
	if first {
		low = -beyond
	}
	if last {
		high += beyond
	}
	return share >= low && share <= high
}

// reading is the ln of a multiple, or a sum of them, and its derivatives.
type reading struct {
	ln    float64
	from  []float64 // derivative by the mean ln rate of each size of a
	own   float64   // variance contributed by the machines of b
	least int       // trials of the machine with the fewest
}

func (r reading) plus(more reading, sizes int) reading {
	sum := reading{ln: r.ln + more.ln, own: r.own + more.own, from: make([]float64, sizes), least: more.least}
	if r.from != nil {
		sum.least = min(r.least, more.least)
	}
	for i := range sum.from {
		sum.from[i] = more.from[i]
		if r.from != nil {
			sum.from[i] += r.from[i]
		}
	}
	return sum
}

// bounded returns the mean of the k multiples summed in r.
func (r reading) bounded(size float64, a []SizedRate, k, alpha float64) EqualSize {
	e := EqualSize{Size: size, Multiple: math.Exp(r.ln / k), Lo: math.NaN(), Hi: math.NaN()}
	if r.least < 2 {
		return e
	}
	variance := r.own
	for i, d := range r.from {
		if d != 0 {
			variance += d * d * meanVariance(a[i].Logs)
		}
	}
	half := Fixed(alpha).Crit(r.least) * math.Sqrt(variance) / k
	e.Lo, e.Hi = math.Exp(r.ln/k-half), math.Exp(r.ln/k+half)
	return e
}

// between derives one size from the stretch of the curve that ends at size i. It returns the position along the stretch
// too: 0 to 1, or NaN if the curve hardly rises.
func between(a []SizedRate, i int, at SizedRate) (reading, float64) {
	from, to := a[i-1], a[i]
	low, high, want := Mean(from.Logs), Mean(to.Logs), Mean(at.Logs)
	span := math.Log(to.Size / from.Size)
	slope := (high - low) / span
	if slope < minSizeSlope {
		return reading{}, math.NaN()
	}
	share := (want - low) / (high - low)
	r := reading{
		ln: math.Log(from.Size/at.Size) + share*span, from: make([]float64, len(a)), own: meanVariance(at.Logs) /
			(slope * slope),
		least: slices.Min([]int{len(from.Logs), len(to.Logs), len(at.Logs)}),
	}
	r.from[i-1], r.from[i] = -(1-share)/slope, -share/slope
	return r, share
}

// meanVariance returns the variance of a mean of logs, with the floor of all verdicts.
func meanVariance(logs []float64) float64 {
	sd := SDFloor
	if len(logs) > 1 {
		sd = math.Max(sd, SD(logs))
	}
	return sd * sd / float64(len(logs))
}

// mostNodes bounds the machines of the cheaper side in EqualSpend: one that costs less than a five-hundredth is no
// match.
const mostNodes = 10_000

// EqualSpend returns the smallest numbers of two kinds of machines whose costs are equal to within a share of the
// larger, given the price of one of each: the fewest machines in all, and of those the closest match. It returns false
// if a price is not positive, or one is thousands of times the other.
func EqualSpend(priceA, priceB, within float64) (a, b int, ok bool) {
	if !(priceA > 0) || !(priceB > 0) || math.IsInf(priceA, 0) || math.IsInf(priceB, 0) {
		return 0, 0, false
	}
	for all := 2; all <= mostNodes; all++ {
		// With all machines, the costs are closest if side a has about this many.
		near := float64(all) * priceB / (priceA + priceB)
		best := math.Inf(1)
		for _, n := range []float64{math.Floor(near), math.Ceil(near)} {
			x := min(max(int(n), 1), all-1)
			costA, costB := float64(x)*priceA, float64(all-x)*priceB
			if off := math.Abs(costA-costB) / max(costA, costB); off <= within && off < best {
				a, b, best = x, all-x, off
			}
		}
		if !math.IsInf(best, 1) {
			return a, b, true
		}
	}
	return 0, 0, false
}

// MachinesOnPar returns how many machines have the throughput of of others, given the ratio of the throughput of one of
// the former to one of the latter: ceil(of / ratio). An excess over a whole number that is due to rounding is ignored.
func MachinesOnPar(of int, ratio float64) int {
	const rounding = 1e-9
	return int(math.Ceil(float64(of)/ratio*(1-rounding) - rounding))
}

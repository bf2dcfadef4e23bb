package stat

import "math"

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

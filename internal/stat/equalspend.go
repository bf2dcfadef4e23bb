package stat

import "math"

// mostNodes of the cheaper side bound EqualSpend: one that costs less than a five-hundredth is no match.
const mostNodes = 10_000

// EqualSpend is the smallest numbers of two kinds of machines that cost the same within a share of the dearer
// sum, by what one of each costs: those of the fewest machines in all, and of these the nearest. It is false where a
// price is not over 0, or one is thousands of times the other.
func EqualSpend(priceA, priceB, within float64) (a, b int, ok bool) {
	if !(priceA > 0) || !(priceB > 0) || math.IsInf(priceA, 0) || math.IsInf(priceB, 0) {
		return 0, 0, false
	}
	for all := 2; all <= mostNodes; all++ {
		// Of so many machines, the sums are nearest where side a has about this share of them.
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

// MachinesOnPar is how many machines carry as much as some others, by the ratio of what one of these to one of those
// carries: ceil(of / ratio). What rounding alone puts above a whole number stays there.
func MachinesOnPar(of int, ratio float64) int {
	const rounding = 1e-9
	return int(math.Ceil(float64(of)/ratio*(1-rounding) - rounding))
}

package stat

import (
	"cmp"
	"slices"
)

// Holm adjusts p-values for multiple testing, so that those at most alpha are significant with error rate alpha over
// all of them together (Holm, Scandinavian Journal of Statistics 6, 1979). Use it for several primary metrics or
// categories of a profile. The same ratio per dollar, watt or core is not another test: its log is shifted by a
// constant.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	out := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, p[i]*float64(len(p)-rank)))
		out[i] = least
	}
	return out
}

package stat

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// exactRanks is the largest n for which the signed-rank distribution is computed exactly; the work grows as n³.
const exactRanks = 100

// SignedRankK returns k for the signed-rank interval [w(k), w(M+1-k)] of n differences, where w are their M = n(n+1)/2
// Walsh averages in ascending order: the largest k whose error rate over both sides is at most alpha, under the exact
// null distribution up to n = 100 and the normal approximation above. It is 0 if n is too small for any such interval.
func SignedRankK(n int, alpha float64) int {
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

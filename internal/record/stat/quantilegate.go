package stat

import (
	"gonum.org/v1/gonum/mathext"
)

// GateRequests returns the smallest number of independent requests at which at most misses over a limit show that the
// q-quantile of latency lies below it, with error rate alpha: the smallest N with P(Bin(N, 1−q) ≤ misses) ≤ alpha. For
// q 0.99, no miss and alpha 0.01 it is 459, as in MLPerf's load generator. Both q and alpha must lie between 0 and 1.
func GateRequests(q float64, misses int, alpha float64) int {
	most := misses + 1
	for atMost(misses, most, 1-q) > alpha {
		most *= 2
	}
	least := misses // at which the gate cannot hold: every request may miss
	for most-least > 1 {
		if mid := (least + most) / 2; atMost(misses, mid, 1-q) > alpha {
			least = mid
		} else {
			most = mid
		}
	}
	return most
}

// atMost returns P(Bin(n, p) ≤ k), k < n.
func atMost(k, n int, p float64) float64 {
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}

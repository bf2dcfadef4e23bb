package stat

import (
	"math"

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

// GateHolds reports whether misses of n requests over a limit show, with error rate alpha, that the q-quantile lies
// below it. Consecutive requests are slow together: tau is their AutocorrelationTime, 1 if they are independent, and
// n/tau, rounded down, and misses/tau, rounded up, are used instead.
func GateHolds(n, misses int, tau, q, alpha float64) bool {
	effective, missed := int(float64(n)/tau), int(math.Ceil(float64(misses)/tau))
	return effective > missed && atMost(missed, effective, 1-q) <= alpha
}

// atMost returns P(Bin(n, p) ≤ k), k < n.
func atMost(k, n int, p float64) float64 {
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}

// QuantileError returns the standard error of the ln of the q-quantile of latency in a run of n independent requests
// with an exponential tail: √(q/((1−q)·n)) / ln(1/(1−q)). For the p99 it is 6.8 % at 1,000 requests and 2.2 % at
// 10,000.
func QuantileError(q float64, n int) float64 {
	return math.Sqrt(q/(1-q)/float64(n)) / -math.Log1p(-q)
}

// QuantileRequests returns how many independent requests a run needs for its q-quantile: enough to bring QuantileError
// down to target, and at least 10/(1−q), so that 10 are expected beyond it.
func QuantileRequests(q, target float64) int {
	log := -math.Log1p(-q) * target
	// Rounded to nearest before rounding up: 10/(1-0.99) is not quite 1,000.
	return int(math.Ceil(math.Round(1e6*max(10/(1-q), q/(1-q)/(log*log))) / 1e6))
}

package queue

import (
	"math"
	"math/rand/v2"
)

// Server is a queue with Poisson arrivals. Loads and rates are requests per second, latencies are seconds from arrival
// to departure.
type Server interface {
	// Capacity returns the highest load that it can sustain indefinitely.
	Capacity() float64
	// Beyond returns the probability that a request at a load below Capacity takes longer than t seconds, in the steady
	// state.
	Beyond(load, t float64) float64
	// Run simulates requests at a load, which may exceed Capacity.
	Run(r *rand.Rand, load float64, requests int) Run
}

// precision is the relative precision of roots.
const precision = 1e-5

// Quantile returns the latency, in seconds, that the share q of a server's requests do not exceed; infinite from its
// capacity on, where the queue grows indefinitely.
func Quantile(s Server, load, q float64) float64 {
	if load >= s.Capacity() {
		return math.Inf(1)
	}
	lo, hi := 0.0, 1/s.Capacity()
	for s.Beyond(load, hi) > 1-q {
		lo, hi = hi, 2*hi
	}
	for hi-lo > precision*hi {
		mid := (lo + hi) / 2
		if s.Beyond(load, mid) > 1-q {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// Base returns the mean of the q-quantiles at 5, 10 and 15% of a server's capacity, in seconds, half of the latency at
// a load line.
func Base(s Server, q float64) float64 {
	sum := 0.0
	for _, share := range []float64{.05, .10, .15} {
		sum += Quantile(s, share*s.Capacity(), q)
	}
	return sum / 3
}

// LineAt returns the load at which the q-quantile reaches a limit in seconds, or the capacity if it stays below.
func LineAt(s Server, q, limit float64) float64 {
	lo, hi := 0.0, s.Capacity()
	for hi-lo > precision*hi {
		if mid := (lo + hi) / 2; s.Beyond(mid, limit) > 1-q {
			hi = mid
		} else {
			lo = mid
		}
	}
	return (lo + hi) / 2
}

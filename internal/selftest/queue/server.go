package queue

import (
	"math"
	"math/rand/v2"
)

// Server is a queue whose arrivals are Poisson. Loads and rates are requests per second,
// latencies are seconds from arrival to departure.
type Server interface {
	// Capacity is the highest load that it can carry for ever.
	Capacity() float64
	// Beyond is the probability that a request at a load below Capacity takes longer than t
	// seconds, in the steady state.
	Beyond(load, t float64) float64
	// Run simulates requests at a load, which may be over Capacity.
	Run(r *rand.Rand, load float64, requests int) Run
}

// precision is how closely roots are found, relative to what they are.
const precision = 1e-5

// Quantile is the latency, in seconds, that the share q of a server's requests do not
// exceed; infinite at its capacity and above, where the queue grows for ever.
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

// Base is the mean of the q-quantiles at 5, 10 and 15 % of a server's capacity, in seconds:
// what a load line's latency is twice of.
func Base(s Server, q float64) float64 {
	sum := 0.0
	for _, share := range []float64{.05, .10, .15} {
		sum += Quantile(s, share*s.Capacity(), q)
	}
	return sum / 3
}

// LineAt is the load at which the q-quantile is a limit in seconds; the capacity where it
// stays below until there.
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

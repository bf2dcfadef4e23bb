package queue

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Several is servers that share one queue (M/M/c); each serves Rate requests per second.
type Several struct {
	Rate    float64
	Servers int
}

// Capacity returns that of all servers.
func (s Several) Capacity() float64 { return s.Rate * float64(s.Servers) }

// Beyond implements Server: a request waits with the probability of Erlang's C, then exponentially with capacity minus
// load, and is then served (Kleinrock, Queueing Systems I, 1975, section 3.5).
func (s Several) Beyond(load, t float64) float64 {
	waits, mu, eta := s.waits(load), s.Rate, s.Capacity()-load
	served := math.Exp(-mu * t)
	both := served * (1 + mu*t) // sum of two exponentials of equal rate
	if math.Abs(eta/mu-1) > 1e-9 {
		both = (eta*served - mu*math.Exp(-eta*t)) / (eta - mu)
	}
	return (1-waits)*served + waits*both
}

// waits returns Erlang's C, by the recursion of Erlang's B.
func (s Several) waits(load float64) float64 {
	offered, blocked := load/s.Rate, 1.0
	for k := 1; k <= s.Servers; k++ {
		blocked = offered * blocked / (float64(k) + offered*blocked)
	}
	rho := load / s.Capacity()
	return blocked / (1 - rho*(1-blocked))
}

// Run assigns each request to the server that becomes free first (Kiefer and Wolfowitz, Transactions of the AMS 78,
// 1955).
func (s Several) Run(r *rand.Rand, load float64, requests int) Run {
	out := newRun(requests)
	free := make([]float64, s.Servers) // when each server becomes free
	now, start, busy := 0.0, 0.0, 0.0
	for i := -int(warmUp * float64(requests)); i < requests; i++ {
		if i == 0 {
			start = slices.Max(free)
		}
		now += r.ExpFloat64() / load
		at, service := first(free), r.ExpFloat64()/s.Rate
		free[at] = max(free[at], now) + service
		if i >= 0 {
			out.add(free[at] - now)
			busy += service
		}
	}
	out.finish(slices.Max(free)-start, busy, s.Servers)
	return out
}

// first returns the index of the smallest value.
func first(values []float64) int {
	at := 0
	for i, v := range values {
		if v < values[at] {
			at = i
		}
	}
	return at
}

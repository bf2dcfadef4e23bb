package queue

import (
	"math"
	"math/rand/v2"
)

// Single is one server, first come first served (M/M/1), with the rate at which it
// serves, in requests per second.
type Single struct{ Rate float64 }

// Capacity is the rate.
func (s Single) Capacity() float64 { return s.Rate }

// Beyond is the share of requests that take longer than t: time in the system is exponential with rate less load (Kleinrock, Queueing Systems
// I, 1975, section 5.9).
func (s Single) Beyond(load, t float64) float64 { return math.Exp(-(s.Rate - load) * t) }

// Run follows Lindley's recursion: a request is served when it has come and the one before
// it has left.
func (s Single) Run(r *rand.Rand, load float64, requests int) Run {
	out := newRun(requests)
	now, left, start, busy := 0.0, 0.0, 0.0, 0.0
	for i := -int(warmUp * float64(requests)); i < requests; i++ {
		if i == 0 {
			start = left
		}
		now += r.ExpFloat64() / load
		service := r.ExpFloat64() / s.Rate
		left = max(now, left) + service
		if i >= 0 {
			out.add(left - now)
			busy += service
		}
	}
	out.finish(left-start, busy, 1)
	return out
}

package queue

import (
	"math"
	"math/rand/v2"
)

// Single is one server, first come first served (M/M/1), with its service rate in requests per second.
type Single struct{ Rate float64 }

// Capacity returns the rate.
func (s Single) Capacity() float64 { return s.Rate }

// Beyond implements Server: time in the system is exponential with rate minus load (Kleinrock, Queueing Systems I,
// 1975, section 5.9).
func (s Single) Beyond(load, t float64) float64 { return math.Exp(-(s.Rate - load) * t) }

// Run follows Lindley's recursion: a request is served once it has arrived and the one before it has left.
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

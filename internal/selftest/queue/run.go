package queue

import (
	"math"
	"math/rand/v2"
)

// warmUp is the number of requests before those that count, as a share of them: a queue starts empty, and near its line
// it forgets that within some thousand requests.
const warmUp = .1

// The bins of latencies: 1,024 per octave, so that a quantile is accurate to 0.05%, from 2^-33 to 2^31 s.
const (
	binBits = 10
	octaves = 64
	lowest  = (1023 - 33) << binBits
)

// Run is the result of a run of a server.
type Run struct {
	Carried float64 // requests per second, until the last has left
	Busy    float64 // share of the threads' time with a request, 0 to 1

	counts   []uint32 // of latencies, by bin
	requests int
}

func newRun(requests int) Run {
	return Run{counts: make([]uint32, octaves<<binBits), requests: requests}
}

// add counts a latency in seconds.
func (r *Run) add(latency float64) {
	i := int(math.Float64bits(latency)>>(52-binBits)) - lowest
	r.counts[min(max(i, 0), len(r.counts)-1)]++
}

// Quantile returns the q-quantile of the latencies in seconds.
func (r *Run) Quantile(q float64) float64 {
	rank, seen := q*float64(r.requests), 0.0
	for i, n := range r.counts {
		if next := seen + float64(n); next >= rank && n > 0 {
			lo, hi := binStart(i), binStart(i+1)
			return lo + (hi-lo)*(rank-seen)/float64(n)
		}
		seen += float64(n)
	}
	return math.NaN()
}

func binStart(i int) float64 {
	return math.Float64frombits(uint64(i+lowest) << (52 - binBits))
}

// finish derives the rates from the duration of a run and the busy time of its threads, both in seconds.
func (r *Run) finish(took, busy float64, threads int) {
	r.Carried = float64(r.requests) / took
	r.Busy = busy / took / float64(threads)
}

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

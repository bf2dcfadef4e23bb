package selftest

import (
	"math"
	"math/rand/v2"

	"plimsoll/internal/selftest/queue"
	"plimsoll/internal/stat"
)

const (
	lineWithin = 0.02
	// lineSearches is the number of searches with simulated requests per simulation of the certificate: one takes two
	// million requests.
	lineSearches = 0.05

	noisyProbes = 10
	noisyWithin = 0.035
)

// loadLines returns gates for searches for the load line of servers whose truth another package knows. The searches see
// latencies, CPU use and throughput.
func (t tests) loadLines() ([]Gate, error) {
	noisy, err := many(t, "load line, noise", noisySearch)
	if err != nil {
		return nil, err
	}
	few := t
	few.n = max(20, int(lineSearches*float64(t.n)))
	requests, err := many(few, "load line, requests", t.in.requestSearch)
	if err != nil {
		return nil, err
	}
	scattered := number(noisy, func(off float64) bool { return math.Abs(off) <= noisyWithin })
	near := func(line int) int {
		return number(requests, func(off [2]float64) bool { return math.Abs(off[line]) <= lineWithin })
	}
	return []Gate{
		shareGate("load line, noise 10 %, 10 probes: within 3.5 %", scattered, len(noisy), AtLeast, .95),
		shareGate("load line, p99 of 110,000 requests a probe: within 2 %", near(0), len(requests), AtLeast, .90),
		shareGate("load line, p50 of 110,000 requests a probe: within 2 %", near(1), len(requests), AtLeast, .98),
	}, nil
}

// noisySearch returns how far a search ends from the true line, in ln, with noise of 10 % in latencies and of 2 % in
// the capacity, on eight servers.
func noisySearch(r *rand.Rand) (float64, error) {
	const q, latency, capacity = .99, .10, .02
	s := queue.Several{Rate: 100, Servers: 8}
	// The preceding closed loop need not have saturated the machine.
	search := stat.LineSearch{Capacity: s.Capacity() * (.9 + .15*r.Float64()), Probes: noisyProbes}
	var done []stat.LineProbe
	for step, more := search.Next(nil); more; step, more = search.Next(done) {
		now := queue.Several{Rate: s.Rate * math.Exp(capacity*r.NormFloat64()), Servers: s.Servers}
		p := stat.LineProbe{Load: step.Load, Base: step.Base, CPU: 100 * step.Load / now.Capacity(), Over: step.Load > .995*now.Capacity()}
		if !p.Over {
			p.Latency = queue.Quantile(now, step.Load, q) * math.Exp(latency*r.NormFloat64())
		}
		done = append(done, p)
	}
	found, ok := search.Line(done)
	if !ok || !found.Crossed {
		return math.Inf(1), nil
	}
	return math.Log(found.Load / queue.LineAt(s, q, 2*queue.Base(s, q))), nil
}

package selftest

import (
	"math"
	"math/rand/v2"

	"plimsoll/internal/selftest/queue"
	"plimsoll/internal/stat"
)

const (
	lineProbes   = 10      // near the line, of each search
	lineRequests = 110_000 // of each of these (METHOD, amendment "Load line")
	lineWithin   = 0.02
	// lineSearches is how many searches through simulated requests there are for each of the certificate's
	// simulations: one has a million requests and more.
	lineSearches = 0.05
)

// loadLines: searches for the line of servers whose truth another package knows. They are told latencies,
// CPU use and what was carried.
func (t tests) loadLines() ([]Gate, error) {
	noisy, err := many(t, "load line, noise", noisySearch)
	if err != nil {
		return nil, err
	}
	few := t
	few.n = max(20, int(lineSearches*float64(t.n)))
	requests, err := many(few, "load line, requests", requestSearch)
	if err != nil {
		return nil, err
	}
	k, p50, p99 := 0, 0, 0
	for _, off := range noisy {
		if math.Abs(off) <= 0.035 {
			k++
		}
	}
	for _, off := range requests {
		if math.Abs(off[0]) <= lineWithin {
			p50++
		}
		if math.Abs(off[1]) <= lineWithin {
			p99++
		}
	}
	return []Gate{
		shareGate("load line, noise 10 %, 10 probes: within 3.5 %", k, len(noisy), AtLeast, .95),
		shareGate("load line, p99 of 110,000 requests a probe: within 2 %", p99, len(requests), AtLeast, .90),
		shareGate("load line, p50 of 110,000 requests a probe: within 2 %", p50, len(requests), AtLeast, .98),
	}, nil
}

// lineOff is how far a search ends from a server's line, in ln; probe measures the server.
func lineOff(s queue.Server, q float64, r *rand.Rand, probe func(stat.LineStep) stat.LineProbe) float64 {
	// A closed load tells the capacity about.
	search := stat.LineSearch{Capacity: s.Capacity() * (.9 + .15*r.Float64()), Probes: lineProbes}
	var done []stat.LineProbe
	for {
		step, more := search.Next(done)
		if !more {
			break
		}
		done = append(done, probe(step))
	}
	found, ok := search.Line(done)
	if !ok || !found.Crossed {
		return math.Inf(1)
	}
	return math.Log(found.Load / queue.LineAt(s, q, 2*queue.Base(s, q)))
}

// noisySearch is METHOD's: latencies that scatter by 10 % and a capacity by 2 %, at eight servers.
func noisySearch(r *rand.Rand) (float64, error) {
	const q, latency, capacity = .99, .10, .02
	s := queue.Several{Rate: 100, Servers: 8}
	return lineOff(s, q, r, func(step stat.LineStep) stat.LineProbe {
		now := queue.Several{Rate: s.Rate * math.Exp(capacity*r.NormFloat64()), Servers: s.Servers}
		p := stat.LineProbe{Load: step.Load, Base: step.Base, CPU: 100 * step.Load / now.Capacity(), Over: step.Load > .995*now.Capacity()}
		if !p.Over {
			p.Latency = queue.Quantile(now, step.Load, q) * math.Exp(latency*r.NormFloat64())
		}
		return p
	}), nil
}

// requestSearch searches for the lines of p50 and p99 of a server that is drawn.
func requestSearch(r *rand.Rand) (off [2]float64, err error) {
	s := drawnServer(r)
	for i, q := range []float64{.5, .99} {
		off[i] = lineOff(s, q, r, func(step stat.LineStep) stat.LineProbe {
			n := lineRequests
			if step.Base {
				n *= 2 // the base is in every ratio
			}
			run := s.Run(r, step.Load, n)
			// A run's own arrivals scatter, so that less than all may have come.
			carried := .99 - 3/math.Sqrt(float64(n))
			return stat.LineProbe{Load: step.Load, Base: step.Base, CPU: 100 * run.Busy, Latency: run.Quantile(q), Over: run.Carried < carried*step.Load}
		})
	}
	return off, nil
}

func drawnServer(r *rand.Rand) queue.Server {
	rate := 200 + 1800*r.Float64()
	switch r.IntN(3) {
	case 0:
		return queue.Single{Rate: rate}
	case 1:
		return queue.Several{Rate: rate, Servers: 2 + r.IntN(15)}
	}
	return queue.Threaded{Rate: rate, Cores: 1 + r.IntN(4), Yield: .2 + .5*r.Float64()}
}

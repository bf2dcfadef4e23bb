package selftest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
	"plimsoll/internal/selftest/queue"
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
		shareGate("load line, noise 10%, 10 probes: within 3.5%", scattered, len(noisy), AtLeast, .95),
		shareGate("load line, p99 of 110,000 requests a probe: within 2%", near(0), len(requests), AtLeast, .90),
		shareGate("load line, p50 of 110,000 requests a probe: within 2%", near(1), len(requests), AtLeast, .98),
	}, nil
}

// noisySearch returns how far a search ends from the true line, in ln, with noise of 10% in latencies and of 2% in
// the capacity, on eight servers.
func noisySearch(r *rand.Rand) (float64, error) {
	const q, latency, capacity = .99, .10, .02
	s := queue.Several{Rate: 100, Servers: 8}
	// The preceding closed loop need not have saturated the machine.
	search := stat.LineSearch{Capacity: s.Capacity() * (.9 + .15*r.Float64()), Probes: noisyProbes}
	var done []stat.LineProbe
	for step, more := search.Next(nil); more; step, more = search.Next(done) {
		now := queue.Several{Rate: s.Rate * math.Exp(capacity*r.NormFloat64()), Servers: s.Servers}
		p := stat.LineProbe{Load: step.Load, Base: step.Base, CPU: 100 * step.Load / now.Capacity(),
			Over: step.Load > .995*now.Capacity()}
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

// requestSearch returns how far a session's lines for p99 and p50 are from those of a random server, in ln; infinite if
// one was not found.
func (in Instrument) requestSearch(r *rand.Rand) (off [2]float64, err error) {
	s := drawnServer(r)
	lines, err := in.lines(1, func(o record.Order) record.Trial { return probed(o, s, r) })
	for i, q := range []float64{.99, .50} {
		off[i] = math.Inf(1)
		if l, ok := lines[fmt.Sprintf("p%.0f", 100*q)]; ok && l.Crossed {
			off[i] = math.Log(l.MaxSustained / queue.LineAt(s, q, 2*queue.Base(s, q)))
		}
	}
	return off, err
}

// lines returns a session's load lines by statistic: Next chooses the probes, and judge estimates the lines.
func (in Instrument) lines(searches int, measure func(record.Order) record.Trial) (map[string]loadline.Line, error) {
	const most, probes, requests, timeS = 100, 10, 110_000, 20 // one has about twenty probes
	p := planOf(searches, DefaultSeed)
	p.DurationS, p.Hosts, p.Cells = timeS, p.Hosts[:1], p.Cells[:1]
	p.Cells[0].Params, p.Cells[0].Load = record.Params{}, record.LoadPoint{Kind: record.Open, Unit: record.ParamRate}
	p.Cells[0].Search = &record.Search{Probes: probes, Requests: requests, Clients: plan.SearchClients}
	var done []record.Trial
	for o, more := in.Next(p, nil); more; o, more = in.Next(p, done) {
		if len(done) == most*searches {
			return nil, fmt.Errorf("a simulated search did not end after %d probes", most)
		}
		done = append(done, measure(o))
	}
	cells := judge.Show(done, machineLines(), []record.PlanLine{{Hash: plan.Hash(p), Plan: p}}).Workloads
	at := slices.IndexFunc(cells, func(c finding.Cell) bool { return headroom.LinesIn(c) != nil })
	if at < 0 {
		return nil, nil
	}
	return headroom.LinesIn(cells[at]), nil
}

// probed returns the trial of an order: as many requests as the rate gives in its time or, in a closed loop, as many as
// it takes to show the throughput.
func probed(o record.Order, s queue.Server, r *rand.Rand) record.Trial {
	const filling = 20_000
	load := o.Sides[0].Load
	if load.Kind == record.Closed {
		return trialOf(o, 0, []record.Value{throughput(s.Run(r, 2*s.Capacity(), filling).Carried)})
	}
	requests := int(load.Level * o.DurationS)
	run := s.Run(r, load.Level, requests)
	p50 := record.Value{Metric: record.Metric{Name: record.LatencyP50, Unit: "s", Better: record.Lower},
		Value: run.Quantile(.50)}
	cpu := record.Value{Metric: record.Metric{Name: record.CPUPercent, Unit: "%", Better: record.Neutral},
		Value: 100 * run.Busy}
	t := trialOf(o, 0, []record.Value{throughput(run.Carried), latency(run.Quantile(.99)), p50, cpu})
	// The number of requests itself varies too.
	if run.Carried < (.99-3/math.Sqrt(float64(requests)))*load.Level {
		t.Void, t.Over = "the load was not carried", true
	}
	return t
}

// drawnServer returns a random server with a capacity of 5,500 to 8,000 requests per second, so that a probe near its
// line has 110,000 to 160,000 requests in the plan's time, and a base probe as many as fit into twice the maximum.
func drawnServer(r *rand.Rand) queue.Server {
	capacity := 5500 + 2500*r.Float64()
	switch r.IntN(3) {
	case 0:
		return queue.Single{Rate: capacity}
	case 1:
		n := 2 + r.IntN(15)
		return queue.Several{Rate: capacity / float64(n), Servers: n}
	}
	cores, yield := 1+r.IntN(3), .2+.5*r.Float64()
	return queue.Threaded{Rate: capacity / float64(cores) / (1 + yield), Cores: cores, Yield: yield}
}

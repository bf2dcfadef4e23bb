// Package clients simulates the clients of closed loops before servers of known behaviour: each begins an operation
// once its last one has ended, or after a pause. The true throughput follows from the behaviour alone, by formulas that
// share nothing with what measures it.
//
// It is pure.
package clients

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Operation is one of a client's, in seconds after the load's start. End is +Inf if it never gets an answer.
type Operation struct {
	Start, End float64
	Failed     bool
}

// Window is the measured part of a load, in seconds after its start.
type Window struct{ From, To float64 }

// Run is what each client did until its last operation had outlived the window, and the truth about it.
type Run struct {
	Clients    [][]Operation
	Throughput float64 // expected answers per second in the window
	Starved    int     // clients without an answer in it
}

// Behaviour is how a server treats its clients. Its load begins in the
// steady state, and operations that were in flight then have ended before the window.
type Behaviour struct {
	Name   string
	Window Window
	Draw   func(*rand.Rand, Window) Run
}

// Behaviours returns all that the certificate simulates.
func Behaviours() []Behaviour {
	const ms = 1e-3
	second := Window{.5, 1.5}
	return []Behaviour{
		{"short operations", second, independent(16, exponential(8*ms), nil)},
		{"operations longer than the window", Window{6, 7}, independent(512, uniform{.5, 5.5}, nil)},
		{"operations ten times as long as the window", Window{11, 12}, spread(32, 10)},
		{"one operation in 20 outlasts the window", Window{4, 6}, independent(512, mixed{.05, 10 * ms, 3}, nil)},
		{"pauses between operations", second, independent(64, exponential(5*ms), exponential(20*ms))},
		{"one operation in 10 fails, sooner", second, failing(32, .1, 1*ms, 10*ms)},
		{"one worker with keep-alive serves 1 of 4 clients", second, served(4, 1, exponential(2*ms))},
		{"1 of 8 clients hangs from within the window on", second, hanging(8, exponential(4*ms))},
		{"a lock, first come first served", Window{1, 11}, lock(16, exponential(5*ms))},
		{"a lock that is kept for 100 ms in 1 of 20 cases", Window{1, 31}, lock(16, mixed{.05, 2 * ms, .1})},
		{"answers in bursts every 300 ms", second, bursts(32, .3)},
	}
}

// times draws durations in seconds.
type times interface {
	mean() float64
	draw(*rand.Rand) float64
	// rest draws what is left of the one under way at a random time.
	rest(*rand.Rand) float64
}

type exponential float64

func (m exponential) mean() float64             { return float64(m) }
func (m exponential) draw(r *rand.Rand) float64 { return float64(m) * r.ExpFloat64() }
func (m exponential) rest(r *rand.Rand) float64 { return m.draw(r) }

type uniform struct{ lo, hi float64 }

func (u uniform) mean() float64             { return (u.lo + u.hi) / 2 }
func (u uniform) draw(r *rand.Rand) float64 { return u.lo + (u.hi-u.lo)*r.Float64() }

// rest is a random part of one that is met as often as it is long.
func (u uniform) rest(r *rand.Rand) float64 {
	return r.Float64() * math.Sqrt(u.lo*u.lo+(u.hi*u.hi-u.lo*u.lo)*r.Float64())
}

// mixed is long with probability p, else exponential with the mean short.
type mixed struct {
	p     float64
	short exponential
	long  float64
}

func (m mixed) mean() float64 { return (1-m.p)*m.short.mean() + m.p*m.long }

func (m mixed) draw(r *rand.Rand) float64 {
	if r.Float64() < m.p {
		return m.long
	}
	return m.short.draw(r)
}

func (m mixed) rest(r *rand.Rand) float64 {
	if r.Float64()*m.mean() < m.p*m.long {
		return m.long * r.Float64()
	}
	return m.short.rest(r)
}

// independent has n clients that do not know of each other, each with a pause after its operations if there is one.
func independent(n int, took, pause times) func(*rand.Rand, Window) Run {
	return func(r *rand.Rand, w Window) Run {
		cycle := took.mean()
		if pause != nil {
			cycle += pause.mean()
		}
		run := Run{Throughput: float64(n) / cycle}
		for range n {
			var ops []Operation
			at := 0.0
			if r.Float64()*cycle < took.mean() {
				at = took.rest(r)
				ops = append(ops, Operation{End: at})
				if pause != nil {
					at += pause.draw(r)
				}
			} else {
				at = pause.rest(r)
			}
			for at < w.To {
				ops = append(ops, Operation{Start: at, End: at + took.draw(r)})
				at = ops[len(ops)-1].End
				if pause != nil {
					at += pause.draw(r)
				}
			}
			run.Clients = append(run.Clients, ops)
		}
		return run
	}
}

// spread has n clients whose operations all take as long, and begin at random times.
func spread(n int, took float64) func(*rand.Rand, Window) Run {
	return func(r *rand.Rand, w Window) Run {
		run := Run{Throughput: float64(n) / took, Clients: make([][]Operation, n)}
		for i := range run.Clients {
			for at := took * r.Float64(); at < w.To; at += took {
				run.Clients[i] = append(run.Clients[i], Operation{Start: at, End: at + took})
			}
			run.Starved += starved(run.Clients[i], w)
		}
		return run
	}
}

// failing has n clients whose operations fail with probability p after the mean time failed, and are answered after the
// mean time took otherwise.
func failing(n int, p, failed, took float64) func(*rand.Rand, Window) Run {
	return func(r *rand.Rand, w Window) Run {
		run := Run{Throughput: float64(n) * (1 - p) / (p*failed + (1-p)*took), Clients: make([][]Operation, n)}
		for i := range run.Clients {
			for at := 0.0; at < w.To; {
				op := Operation{Start: at, Failed: r.Float64() < p}
				if op.Failed {
					op.End = at + failed*r.ExpFloat64()
				} else {
					op.End = at + took*r.ExpFloat64()
				}
				run.Clients[i] = append(run.Clients[i], op)
				at = op.End
			}
		}
		return run
	}
}

// served has n clients of which only k ever get an answer.
func served(n, k int, took times) func(*rand.Rand, Window) Run {
	return func(r *rand.Rand, w Window) Run {
		run := independent(k, took, nil)(r, w)
		for range n - k {
			run.Clients = append(run.Clients, []Operation{{End: math.Inf(1)}})
		}
		run.Starved = n - k
		return run
	}
}

// hanging has n clients, with exponential times, of which one gets no answer from some time in the window on.
func hanging(n int, took exponential) func(*rand.Rand, Window) Run {
	return func(r *rand.Rand, w Window) Run {
		run := independent(n, took, nil)(r, w)
		from := w.From + (w.To-w.From)*(.2+.6*r.Float64())
		last := slices.IndexFunc(run.Clients[0], func(op Operation) bool { return op.End > from })
		run.Clients[0] = run.Clients[0][:last+1]
		run.Clients[0][last].End = math.Inf(1)
		// As many of its operations end until then as of the others. The first of them counts by its share in the window,
		// half of it on average, and the one that hangs not at all.
		run.Throughput = (float64(n-1) + (from-w.From-took.mean()/2)/(w.To-w.From)) / took.mean()
		return run
	}
}

// lock has n clients that wait in turn for one lock, and always one that has it.
func lock(n int, kept times) func(*rand.Rand, Window) Run {
	return func(r *rand.Rand, w Window) Run {
		run := Run{Throughput: 1 / kept.mean(), Clients: make([][]Operation, n)}
		began := make([]float64, n)
		at := 0.0
		for i := 0; slices.Min(began) < w.To; i = (i + 1) % n {
			at += kept.draw(r)
			if began[i] < w.To {
				run.Clients[i] = append(run.Clients[i], Operation{Start: began[i], End: at})
			}
			began[i] = at
		}
		for _, ops := range run.Clients {
			run.Starved += starved(ops, w)
		}
		return run
	}
}

// bursts has n clients that a server answers together, every so many seconds.
func bursts(n int, every float64) func(*rand.Rand, Window) Run {
	return func(r *rand.Rand, w Window) Run {
		run := Run{Throughput: float64(n) / every}
		var ops []Operation
		for at := every * r.Float64(); at < w.To; at += every {
			ops = append(ops, Operation{Start: at, End: at + every})
		}
		for range n {
			run.Clients = append(run.Clients, slices.Clone(ops))
		}
		return run
	}
}

// starved returns 1 if none of a client's operations that were in the window was answered, before or after its end.
func starved(ops []Operation, w Window) int {
	if slices.ContainsFunc(ops, func(op Operation) bool {
		return op.Start < w.To && op.End > w.From && !math.IsInf(op.End, 1)
	}) {
		return 0
	}
	return 1
}

package load

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"plimsoll/internal/record"
)

// TestClientsThatWait: clients now and then wait for each other for longer than the window. What a client does in the
// rest of the window must not count as if it had done so throughout.
func TestClientsThatWait(t *testing.T) {
	const clients, trials = 64, 40
	const short, long, often = 10 * time.Millisecond, 1500 * time.Millisecond, .05
	want := clients / ((1-often)*short.Seconds() + often*long.Seconds())
	mean := 0.0
	for trial := range trials {
		g := mustNew(t, Config{Load: record.LoadPoint{Kind: record.Closed, Level: clients, Unit: record.ParamClients},
			Lanes: clients, Warmup: 20 * time.Second, Duration: time.Second}) // a steady state takes several long waits
		g.Start(testZero)
		for i := range clients {
			r := rand.New(rand.NewPCG(uint64(trial), uint64(i)))
			l := g.Lane(i)
			l.begin(testZero)
			for at, ok := l.Take(); ok; at, ok = l.Take() {
				took := short
				if r.Float64() < often {
					took = long
				}
				l.last = at + int64(took)
				l.done(at, at, l.last, 1, 8)
			}
		}
		r := g.Result()
		mean += r.OpsPerSecond / trials
		near(t, "bytes for each operation", r.BytesPerSecond/r.OpsPerSecond, 8, 1e-9)
		near(t, "in flight", r.InFlight, clients, 1e-9)
	}
	near(t, "operations/s", mean, want, .15) // three standard errors
}

// TestClientsWithoutAnswers: some clients get no answer from the beginning of the load on. The rate is that of the
// others over the window, however many there are, and the run knows how many got nothing.
func TestClientsWithoutAnswers(t *testing.T) {
	for _, c := range []struct{ clients, hung int }{{4, 1}, {4, 3}, {32, 31}, {2, 2}} {
		for _, apart := range []bool{true, false} { // a lane for each client, or one for all
			lanes := 1
			if apart {
				lanes = c.clients
			}
			g := mustNew(t, Config{Load: closedLoad(float64(c.clients)), Lanes: lanes, Warmup: time.Second,
				Duration: 2 * time.Second})
			g.Start(testZero)
			if apart {
				for i := range c.clients {
					if i >= c.hung {
						closedRun(g, i, testZero, time.Millisecond, 1)
						continue
					}
					l := g.Lane(i)
					l.begin(testZero)
					l.Take()
					l.Unanswered(l.last)
				}
			} else {
				hang(g.Lane(0), c.clients, c.hung)
			}
			if !apart {
				g.Lane(0).Starved(c.hung)
			}
			r := g.Result()
			near(t, "operations/s", r.OpsPerSecond, 1000*float64(c.clients-c.hung), 1e-3)
			near(t, "in flight", r.InFlight, float64(c.clients), 1e-3)
			if int(r.Starved) != c.hung || int(r.Unanswered) != c.hung || len(r.Errors) != 0 {
				t.Errorf("%d of %d hung, apart %t: %d starved, %d unanswered, errors %v", c.hung, c.clients, apart, r.Starved,
					r.Unanswered, r.Errors)
			}
			near(t, "lost", r.Lost, float64(c.hung), 1e-3)
		}
	}
}

// hang drives a lane on made-up times as an event loop with n operations in flight of 1 ms each, of which the first
// few never end.
func hang(l *Lane, n, hung int) {
	lost := 0
	took := func() int64 {
		if lost++; lost <= hung {
			return int64(1e15)
		}
		return 1e6
	}
	flightsUntil(l, n, took, testZero+10e9)
}

// TestLittlesLaw: throughput times mean latency, with what failed or had no answer, is what was in flight, for
// operations short and long, one or many in flight, with idle time between them, failures and hung clients.
func TestLittlesLaw(t *testing.T) {
	const window, clients = 2 * time.Second, 8
	for name, c := range map[string]struct {
		took, idle time.Duration
		fails      int // one of so many
		hung       int
	}{
		"short":    {took: 100 * time.Microsecond},
		"long":     {took: 700 * time.Millisecond},
		"longest":  {took: 9 * time.Second},
		"idle":     {took: 10 * time.Millisecond, idle: 30 * time.Millisecond},
		"failures": {took: 3 * time.Millisecond, fails: 5},
		"hung":     {took: 3 * time.Millisecond, hung: 7},
	} {
		g := mustNew(t, Config{Load: closedLoad(clients), Lanes: clients, Warmup: time.Second, Duration: window})
		g.Start(testZero)
		for i, l := range g.lanes {
			l.begin(testZero + int64(i)*54321)
			if i < c.hung {
				l.Take()
				l.Unanswered(l.last)
				continue
			}
			n := 0
			for at, ok := l.Take(); ok; at, ok = l.Take() {
				l.last = at + int64(c.took)
				if n++; c.fails > 0 && n%c.fails == 0 {
					l.fail(at, l.last, Status)
				} else {
					l.done(at, at, l.last, 1, 0)
				}
				l.last += int64(c.idle)
			}
		}
		r := g.Result()
		want := float64(clients)
		if c.idle > 0 {
			want *= float64(c.took) / float64(c.took+c.idle)
		}
		near(t, name+": in flight", r.InFlight, want, .02)
		if math.Abs(r.Accounted()-r.InFlight) > .05*r.InFlight+r.Crossing {
			t.Errorf("%s: %g accounted for, %g in flight", name, r.Accounted(), r.InFlight)
		}
		if math.Abs(r.Accounted()-r.InFlight) > .01*r.InFlight {
			t.Errorf("%s: %g accounted for, %g in flight, for operations of one length", name, r.Accounted(), r.InFlight)
		}
	}
}

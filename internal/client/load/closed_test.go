package load

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"plimsoll/internal/record"
)

// closedRun drives lane i on made-up times: each operation takes length, and moves
// 1000 bytes for each of its n operations.
func closedRun(g *Generator, i int, from int64, length time.Duration, n int64) {
	l := g.Lane(i)
	l.begin(from)
	for at, ok := l.Take(); ok; at, ok = l.Take() {
		l.last = at + int64(length)
		l.done(at, at, l.last, n, 1000*n)
	}
}

// However long an operation is against the trial, and wherever it lies against
// the ends of warm-up and trial, the rate is exact.
func TestClosedRateIsExact(t *testing.T) {
	for _, length := range []time.Duration{
		time.Microsecond, 333 * time.Microsecond, 70 * time.Millisecond, 300 * time.Millisecond,
		999 * time.Millisecond, 1700 * time.Millisecond, 9 * time.Second,
	} {
		for _, n := range []int64{1, 64} {
			g := mustNew(t, Config{Load: closedLoad(3), Lanes: 3, Warmup: 150 * time.Millisecond, Duration: time.Second,
				Step: 100 * time.Millisecond})
			g.Start(testZero)
			for i := range 3 {
				closedRun(g, i, testZero+int64(i)*7919, length, n)
			}
			r := g.Result()
			want := 3 * float64(n) / length.Seconds()
			near(t, length.String()+" operations/s", r.OpsPerSecond, want, 1e-9)
			near(t, length.String()+" bytes/s", r.BytesPerSecond, 1000*want, 1e-9)
			mean := float64(length) / float64(n) // recorded in whole nanoseconds
			near(t, length.String()+" latency", r.Latency.Mean(), mean, 1e-3+0.5/mean)
			if r.Latency.TotalCount() != r.Ops || r.Ops == 0 {
				t.Errorf("%v: %d operations, %d latencies", length, r.Ops, r.Latency.TotalCount())
			}
		}
	}
}

func TestWarmupIsNotMeasured(t *testing.T) {
	g := mustNew(t, Config{Load: closedLoad(1), Lanes: 1, Warmup: time.Second, Duration: time.Second,
		Step: 250 * time.Millisecond})
	g.Start(testZero)
	l := g.Lane(0)
	l.begin(testZero)
	warm := testZero + 1e9
	for at, ok := l.Take(); ok; at, ok = l.Take() {
		took := int64(10e6)
		if at < warm {
			took = 70e6 // slow and failing at first; the last of these ends 50 ms into the window
			l.last = at + took
			l.fail(at, l.last, Status)
			continue
		}
		l.last = at + took
		if at < warm+100e6 {
			l.fail(at, l.last, Timeout)
			continue
		}
		l.done(at, at, l.last, 1, 5)
	}
	r := g.Result()
	if r.Start != warm || r.End != warm+1000e6 || r.Seconds != 1 {
		t.Errorf("measured %v s from %d to %d ns of the window, want 1 s from 0 to 1000000000", r.Seconds, r.Start-warm,
			r.End-warm)
	}
	near(t, "operations/s", r.OpsPerSecond, 90, 1e-9)
	if len(r.Errors) != 1 || r.Errors[Timeout] != 5 || r.Ops != 90 || r.Bytes != 450 {
		t.Errorf("ops %d, bytes %d, errors %v, want 90, 450, 5 timeouts", r.Ops, r.Bytes, r.Errors)
	}
	if max := r.Latency.Max(); max > 11e6 {
		t.Errorf("latencies up to %d ns: the warm-up's are among them", max)
	}
	var ops, errors int64
	for i := range r.Windows.Ops {
		ops += r.Windows.Ops[i]
		errors += r.Windows.Errors[i]
	}
	// The operation that ends with the trial lies after the last window.
	if len(r.Windows.Ops) != 4 || ops != 89 || errors != 5 || r.Windows.Bytes[1] != 125 {
		t.Errorf("windows %+v, want 89 operations and 5 errors in 4, 125 bytes in the second", r.Windows)
	}
}

func TestOnceIsOneOperation(t *testing.T) {
	g := mustNew(t, Config{Load: record.LoadPoint{Kind: record.Once, Level: 1}, Lanes: 1, Warmup: time.Hour})
	g.Start(testZero)
	closedRun(g, 0, testZero, 40*time.Second, 1)
	r := g.Result()
	if r.Ops != 1 || r.Seconds != 40 || r.End-r.Start != 40e9 {
		t.Errorf("%d operations in %g s from %d to %d, want 1 in 40 s", r.Ops, r.Seconds, r.Start, r.End)
	}
}

func TestStop(t *testing.T) {
	for name, c := range map[string]Config{
		"closed":          {Load: closedLoad(4), Lanes: 4, Duration: time.Hour},
		"open, far apart": {Load: openLoad(Uniform, 0.01), Lanes: 4, Duration: time.Hour},
		"open, close":     {Load: openLoad(Poisson, 50_000), Lanes: 4, Duration: time.Hour},
		"in the warm-up":  {Load: openLoad(Poisson, 50_000), Lanes: 4, Warmup: time.Hour, Duration: time.Hour},
	} {
		g := mustNew(t, c)
		time.AfterFunc(30*time.Millisecond, g.Stop)
		run(t, []*Generator{g}, func(_, _ int, l *Lane) {
			for at, ok := l.Take(); ok; at, ok = l.Take() {
				l.Done(at, l.Now(), 1, 1)
			}
			if _, ok := l.Next(l.Now()); ok {
				t.Errorf("%s: Next says that there is more", name)
			}
		})
		r := g.Result()
		if r.Seconds < 0 || r.Seconds > 60 || r.Outstanding > 100_000 { // of 180 million in an hour
			t.Errorf("%s: %g s measured, %d outstanding", name, r.Seconds, r.Outstanding)
		}
	}
}

func TestStopBeforeStart(t *testing.T) {
	g := mustNew(t, Config{Load: closedLoad(1), Lanes: 1, Duration: time.Second})
	g.Stop()
	if _, ok := g.Lane(0).Take(); ok {
		t.Error("a stopped load gave an operation")
	}
	if r := g.Result(); r.Ops != 0 || r.OpsPerSecond != 0 {
		t.Errorf("result of a load that never started: %+v", r)
	}
}

func TestClosedEventLoop(t *testing.T) {
	const depth = 8
	g := mustNew(t, Config{Load: closedLoad(depth), Lanes: 1, Warmup: time.Second, Duration: 10 * time.Second})
	g.Start(testZero)
	l := g.Lane(0)
	var queue []int64 // served one after another, 1 ms each
	for now := testZero; ; now += 1e6 {
		if len(queue) > 0 {
			l.done(queue[0], queue[0], now, 1, 0)
			queue = queue[1:]
		}
		for len(queue) < depth {
			at, ok := l.Due(now)
			if !ok {
				break
			}
			queue = append(queue, at)
		}
		if _, more := l.Next(now); !more && len(queue) == 0 {
			break
		}
	}
	r := g.Result()
	near(t, "operations/s", r.OpsPerSecond, 1000, 1e-9)
	near(t, "latency", float64(r.Latency.ValueAtQuantile(50)), depth*1e6, 0.001)
}

// flights drives one lane on made-up times as an event loop with n operations in flight, until none is left.
func flights(l *Lane, n int, took func() int64) { flightsUntil(l, n, took, Never) }

// flightsUntil is flights by an event loop that waits for answers until a time.
func flightsUntil(l *Lane, n int, took func() int64, until int64) {
	type flight struct{ from, to int64 }
	var flying []flight
	for now := testZero; ; {
		for len(flying) < n {
			at, ok := l.Due(now)
			if !ok {
				break
			}
			flying = append(flying, flight{at, now + took()})
		}
		if len(flying) == 0 {
			return
		}
		slices.SortStableFunc(flying, func(a, b flight) int { return cmp.Compare(a.to, b.to) })
		first := flying[0]
		if first.to > until {
			l.last = until
			for _, f := range flying {
				l.Unanswered(f.from)
			}
			return
		}
		flying, now = flying[1:], first.to
		l.done(first.from, first.from, now, 1, 0)
	}
}

// Operations in flight cross both edges of the window, of 25 times as long as one: those that end after it must not
// count as if they had been done in it, nor in a longer time.
func TestOperationsInFlightAtTheEdges(t *testing.T) {
	const n, length = 8, 8_000_000 // ns, on average
	source := rand.NewPCG(1, 2)
	r := rand.New(source)
	for name, took := range map[string]func() int64{
		"all alike":   func() int64 { return length + r.Int64N(1000) },
		"exponential": func() int64 { return 1 + int64(length*r.ExpFloat64()) },
		"two lengths": func() int64 { return length/2 + int64(length*5*(r.IntN(10)/9)) },
	} {
		source.Seed(1, 2) // in whatever order the cases run
		var rates []float64
		for range 400 {
			g := mustNew(t, Config{Load: closedLoad(n), Lanes: 1, Warmup: 100 * time.Millisecond,
				Duration: 200 * time.Millisecond})
			g.Start(testZero)
			flights(g.Lane(0), n, took)
			rates = append(rates, g.Result().OpsPerSecond)
		}
		near(t, name, average(rates), 1e9*n/length, .01) // three standard errors
	}
}

// A request that is answered 9 s after the window makes one client of 32 that much slower, and no other.
func TestHungOperation(t *testing.T) {
	g := mustNew(t, Config{Load: closedLoad(32), Lanes: 1, Duration: 10 * time.Second})
	g.Start(testZero)
	done := 0
	flights(g.Lane(0), 32, func() int64 {
		if done++; done == 100_000 {
			return 14e9
		}
		return 1_600_000 + int64(done%7)
	})
	r := g.Result()
	near(t, "operations/s", r.OpsPerSecond, 20_000*(31+.5)/32, .002) // the client has waited since the middle
	near(t, "end", float64(r.End-r.Start), 10e9, 1e-6)
	if late := r.Ended - r.End; late < 8e9 {
		t.Errorf("the hung operation ended %d ns after the window", late)
	}
}

func average(x []float64) (sum float64) {
	for _, v := range x {
		sum += v / float64(len(x))
	}
	return sum
}

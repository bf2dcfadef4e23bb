package load

import (
	"runtime"
	"testing"
	"time"
)

// hotLoop returns a function that takes and finishes one operation.
func hotLoop(t testing.TB, c Config, event bool) func() {
	t.Helper()
	g := mustNew(t, c)
	g.Start(g.Clock().Now())
	l := g.Lane(0)
	t.Cleanup(g.Stop)
	return func() {
		at, ok := int64(0), false
		if event {
			for !ok {
				at, ok = l.Due(l.Now())
			}
		} else {
			at, ok = l.Take()
		}
		if !ok {
			t.Fatal("the trial ended")
		}
		if at%100 == 7 {
			l.Fail(at, Timeout)
			return
		}
		l.Done(at, at, 1, 4096)
	}
}

func hotLoops() map[string]struct {
	c     Config
	event bool
} {
	hour := func(c Config) Config { c.Lanes, c.Duration = 1, time.Hour; return c }
	type loop = struct {
		c     Config
		event bool
	}
	return map[string]loop{
		"closed":       {hour(Config{Load: closedLoad(1)}), false},
		"closed-event": {hour(Config{Load: closedLoad(1)}), true},
		"open":         {hour(Config{Load: openLoad(Poisson, maxRate)}), false},
		"open-event":   {hour(Config{Load: openLoad(Poisson, maxRate)}), true},
		"open-uniform": {hour(Config{Load: openLoad(Uniform, maxRate)}), false},
	}
}

func TestHotLoopsDoNotAllocate(t *testing.T) {
	loops := hotLoops()
	sleeper := loops["open"]
	sleeper.c.Load.Level = 5000
	loops["open, sleeping"] = sleeper
	for name, loop := range loops {
		if n := testing.AllocsPerRun(500, hotLoop(t, loop.c, loop.event)); n != 0 {
			t.Errorf("%s: %g allocations for an operation", name, n)
		}
	}
}

func TestSlicesDoNotAllocate(t *testing.T) {
	c := Config{Load: closedLoad(1), Lanes: 1, Duration: time.Hour}
	gens := mustSliced(t, 100*time.Microsecond, 1, c, c)
	var allocs float64
	run(t, gens, func(side, _ int, l *Lane) {
		loop := func() {
			if at, ok := l.Take(); ok {
				spin(l, 60*time.Microsecond)
				l.Done(at, at, 1, 1)
			}
		}
		if side == 0 {
			allocs = testing.AllocsPerRun(300, loop)
			gens[0].Stop()
			gens[1].Stop()
			return
		}
		for !gens[1].stopped() {
			loop()
		}
	})
	// The runtime may once make room for a parked goroutine.
	if allocs >= 0.5 {
		t.Errorf("%g allocations for an operation", allocs)
	}
}

func BenchmarkLane(b *testing.B) {
	for name, loop := range hotLoops() {
		b.Run(name, func(b *testing.B) {
			do := hotLoop(b, loop.c, loop.event)
			b.ReportAllocs()
			for b.Loop() {
				do()
			}
		})
	}
}

func BenchmarkClock(b *testing.B) {
	c, err := NewClock()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c.Now()
	}
}

func BenchmarkClaim(b *testing.B) {
	for _, arrivals := range []string{Poisson, Uniform} {
		a := newArrivals(mustSchedule(b, arrivals, maxRate, 1))
		b.Run(arrivals, func(b *testing.B) {
			for b.Loop() {
				a.claim()
			}
		})
		b.Run(arrivals+"-contended", func(b *testing.B) {
			b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					a.claim()
				}
			})
		})
	}
}

// BenchmarkSendLag reports how late lanes are that sleep, and the spin-only
// control beside them.
func BenchmarkSendLag(b *testing.B) {
	c := Config{Load: openLoad(Poisson, 5000), Lanes: 1, Duration: time.Second}
	for b.Loop() {
		g := mustNew(b, c)
		g.Start(g.Clock().Now())
		l := g.Lane(0)
		runtime.LockOSThread()
		for at, ok := l.Take(); ok; at, ok = l.Take() {
			l.Done(at, l.Now(), 1, 1)
		}
		control, err := SpinControl(c.Duration, c.Load.Level, 1)
		if err != nil {
			b.Fatal(err)
		}
		lag := g.Result().SendLag
		b.ReportMetric(float64(lag.ValueAtQuantile(50)), "lag-p50-ns")
		b.ReportMetric(float64(lag.ValueAtQuantile(99)), "lag-p99-ns")
		b.ReportMetric(float64(control.ValueAtQuantile(50)), "control-p50-ns")
		b.ReportMetric(float64(control.ValueAtQuantile(99)), "control-p99-ns")
	}
}

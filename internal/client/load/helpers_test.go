package load

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"plimsoll/internal/record"
)

// testZero is the start of loads whose lanes are driven on made-up times.
const testZero = int64(1e12)

func closedLoad(n float64) record.LoadPoint {
	return record.LoadPoint{Kind: record.Closed, Level: n, Unit: "clients"}
}

func openLoad(arrivals string, rate float64) record.LoadPoint {
	return record.LoadPoint{Kind: record.Open, Level: rate, Unit: "rate", Arrivals: arrivals}
}

func mustNew(t testing.TB, c Config) *Generator {
	t.Helper()
	g, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// run drives every lane of every generator on a thread of its own, as the
// agent does, and fails the test when they do not all end.
func run(t *testing.T, gens []*Generator, lane func(side, i int, l *Lane)) {
	t.Helper()
	var wg sync.WaitGroup
	for side, g := range gens {
		for i, l := range g.lanes {
			wg.Go(func() {
				runtime.LockOSThread()
				defer l.Leave()
				lane(side, i, l)
			})
		}
	}
	now := gens[0].Clock().Now()
	for _, g := range gens {
		g.Start(now)
	}
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		stacks := make([]byte, 1<<16)
		t.Fatalf("lanes have not ended\n%s", stacks[:runtime.Stack(stacks, true)])
	}
}

// spin keeps the CPU busy for d.
func spin(l *Lane, d time.Duration) {
	for end := l.Now() + int64(d); l.Now() < end; {
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(got >= want*(1-tolerance) && got <= want*(1+tolerance)) {
		t.Errorf("%s = %g, want %g within %g%%", what, got, want, 100*tolerance)
	}
}

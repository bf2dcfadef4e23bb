package load

import (
	"testing"
	"time"
)

// drive runs a lane on made-up times, in operations of 10 ms that fail as long as fails says so.
func drive(g *Generator, i int, fails func(at int64) bool) (ended int64) {
	l := g.Lane(i)
	l.begin(testZero)
	for at, ok := l.Take(); ok; at, ok = l.Take() {
		l.last = at + 10e6
		if fails(at) {
			l.fail(at, l.last, Status)
		} else {
			l.done(at, at, l.last, 1, 0)
		}
	}
	return l.last
}

// TestLoadThatOnlyFailsEnds: a second after the warm-up, if no lane has had a success.
func TestLoadThatOnlyFailsEnds(t *testing.T) {
	always := func(int64) bool { return true }
	for name, c := range map[string]struct {
		first, second func(at int64) bool
		whole         bool
	}{
		"all fail":                      {always, always, false},
		"one lane succeeds":             {always, func(int64) bool { return false }, true},
		"failures begin after a second": {always, func(at int64) bool { return at > testZero+3e9 }, true},
		"the warm-up does not count":    {always, func(at int64) bool { return at > testZero+5e8 }, false},
	} {
		g := mustNew(t, Config{Load: closedLoad(2), Lanes: 2, Warmup: time.Second, Duration: 10 * time.Second,
			Step: time.Second})
		g.Start(testZero)
		drive(g, 1, c.second)
		ended := drive(g, 0, c.first)
		if whole := ended >= testZero+11e9; whole != c.whole {
			t.Errorf("%s: the load ended after %.2f s", name, float64(ended-testZero)/1e9)
		}
	}
}

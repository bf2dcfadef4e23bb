package stat

import (
	"math"
	"testing"
)

// TestRunsFor: the runs that it asks for give the target, one fewer does not, and what is narrow enough needs no more.
func TestRunsFor(t *testing.T) {
	for _, c := range []struct {
		half, target float64
		n            int
	}{{.5, .1, 3}, {.5, .1, 10}, {2, .1, 5}, {.05, .1, 5}} {
		got := RunsFor(c.half, c.n, c.target, 10_000)
		sd := c.half * math.Sqrt(float64(c.n)) / tCrit(.05, float64(c.n-1))
		width := func(n int) float64 { return tCrit(.05, float64(n-1)) * sd / math.Sqrt(float64(n)) }
		if width(got) > c.target || got > c.n && width(got-1) <= c.target {
			t.Errorf("%+v: %d runs have a half-width of %g, one fewer %g", c, got, width(got), width(got-1))
		}
	}
	// t(2) is 4.30 and t(6) is 2.45: of 3 runs with a half-width of 1, the deviation is 0.4026, and 7 runs have 0.372.
	if got := RunsFor(1, 3, .373, 100); got != 7 {
		t.Errorf("7 runs by tables of Student's t, got %d", got)
	}
	for name, got := range map[string]int{"too many": RunsFor(5, 3, .01, 100), "one run": RunsFor(1, 1, .1, 100),
		"no interval": RunsFor(math.Inf(1), 3, .1, 100)} {
		if got != 0 {
			t.Errorf("%s: %d", name, got)
		}
	}
}

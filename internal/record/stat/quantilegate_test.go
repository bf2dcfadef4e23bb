package stat

import (
	"math"
	"testing"
)

// TestGateRequests holds values of scipy (method-sim/s8.py, in steps of 1).
func TestGateRequests(t *testing.T) {
	for _, c := range []struct {
		q      float64
		misses int
		alpha  float64
		want   int
	}{
		{.99, 0, .01, 459}, {.90, 0, .01, 44}, {.999, 0, .01, 4603}, {.99, 5, .01, 1307},
		{.99, 0, .05, 299}, {.90, 0, .05, 29}, {.999, 0, .05, 2995}, {.99, 3, .05, 773}, {.50, 2, .05, 11},
	} {
		if got := GateRequests(c.q, c.misses, c.alpha); got != c.want {
			t.Errorf("p%g, %d misses, alpha %g: %d, want %d", 100*c.q, c.misses, c.alpha, got, c.want)
		}
	}
	near(t, "P(Bin(459, 0.01) = 0)", atMost(0, 459, .01), math.Pow(.99, 459), 1e-9)
}

// TestGateErrs: if the true p99 is at the limit, the gate passes at most 1% of runs.
func TestGateErrs(t *testing.T) {
	r, runs := seeded(t, 113), times(40000, 8000)
	passed := 0.0
	n := GateRequests(.99, 1, .01)
	for range runs {
		misses := 0
		for range n {
			if r.Float64() < .01 {
				misses++
			}
		}
		passed += share(misses <= 1, runs)
	}
	t.Logf("passed %.4f", passed)
	near(t, "passed", passed, atMost(1, n, .01), slack(.01, runs, math.MaxInt))
}

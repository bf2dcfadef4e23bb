package stat

import (
	"math"
	"slices"
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

func TestGateHolds(t *testing.T) {
	for _, c := range []struct {
		n, misses int
		tau       float64
		want      bool
	}{
		{458, 0, 1, false}, {459, 0, 1, true}, {459, 1, 1, false}, {1306, 5, 1, false}, {1307, 5, 1, true},
		{459, 0, 2, false}, {917, 0, 2, false}, {918, 0, 2, true}, {2613, 10, 2, false}, {2614, 10, 2, true},
		{0, 0, 1, false}, {3, 3, 1, false},
	} {
		if got := GateHolds(c.n, c.misses, c.tau, .99, .01); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestGateErrs: if the true p99 is at the limit, the gate passes at most 1 % of runs.
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
		passed += share(GateHolds(n, misses, 1, .99, .01), runs)
	}
	t.Logf("passed %.4f", passed)
	near(t, "passed", passed, atMost(1, n, .01), slack(.01, runs, math.MaxInt))
}

func TestQuantileRequests(t *testing.T) {
	for _, c := range []struct {
		q, target float64
		want      int
	}{{.99, .02, 11671}, {.99, .068, 1010}, {.99, 1, 1000}, {.999, 1, 10000}, {.5, .02, 5204}} {
		if got := QuantileRequests(c.q, c.target); got != c.want {
			t.Errorf("p%g within %g: %d, want %d", 100*c.q, c.target, got, c.want)
		}
	}
	near(t, "1,000 requests", QuantileError(.99, 1000), .068, .0005)
	near(t, "10,000 requests", QuantileError(.99, 10000), .0216, .00005)
}

// TestQuantileError: p99 of exponential latencies scatters as said, within four
// standard errors of a standard deviation and the 2 % that 1,000 requests are off the limit.
func TestQuantileError(t *testing.T) {
	r, runs := seeded(t, 127), times(3000, 600)
	const requests = 1000
	logs, x := make([]float64, runs), make([]float64, requests)
	for i := range logs {
		for k := range x {
			x[k] = r.ExpFloat64()
		}
		slices.Sort(x)
		logs[i] = math.Log(Quantile(x, .99))
	}
	t.Logf("scatter %.4f", SD(logs))
	near(t, "scatter", SD(logs)/QuantileError(.99, requests), 1, .02+4/math.Sqrt(2*float64(runs)))
}

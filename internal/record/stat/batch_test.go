package stat

import (
	"math"
	"testing"

	"plimsoll/internal/base/simtest"
)

// TestWithinRunGolden holds values of method-sim/s3.py (ess_tau) and scipy.
func TestWithinRunGolden(t *testing.T) {
	for _, c := range []struct {
		n                      int
		phi, mean, tau, lo, hi float64
	}{
		{120, 0, 100.4487568600366, 1, 100.30474719590562, 100.59276652416757},
		{120, .6, 101.08720212496965, 1.6575858249205768, 100.7713749821491, 101.4030292677902},
		{125, .85, 102.79942489854376, 5.613971397888218, 102.09478635896055, 103.43919458978583},
		{300, .5, 100.79988551635671, 1, 100.65586656668876, 100.94390446602466},
	} {
		x := shape{at: from(0, 100, 100)}.run(scaled(smoothed(chaotic(c.n), c.phi), .05))
		iv := BatchInterval(x, .05)
		near(t, "mean", Mean(x), c.mean, 1e-7)
		near(t, "tau", autocorrelationTime(x), c.tau, 1e-7)
		near(t, "lo", iv.Lo, c.lo, 1e-6)
		near(t, "hi", iv.Hi, c.hi, 1e-6)
	}
}

func TestWithinRunEdges(t *testing.T) {
	if iv := BatchInterval(make([]float64, 9), .05); !math.IsInf(iv.Hi, 1) {
		t.Errorf("9 windows: %+v", iv)
	}
	for _, x := range [][]float64{nil, {3}, {3, 3, 3, 3}, {1, -1, 1, -1, 1, -1}} {
		near(t, "tau", autocorrelationTime(x), 1, 0)
	}
}

// TestWithinRunCoverage: how often the interval contains the true mean of a run, by 10 batches, by the effective
// number, and by all windows as if they were independent; within four standard errors of the method's table.
func TestWithinRunCoverage(t *testing.T) {
	simtest.Long(t)
	const oracle = 4000
	r, runs := seeded(t, 149), times(4000, 600)
	for _, c := range []struct {
		n                        int
		phi, naive, batch, bytau float64
	}{
		{60, 0, .944, .943, .958}, {60, .6, .672, .905, .911},
		{120, 0, .948, .948, .959}, {120, .3, .853, .947, .949}, {120, .6, .668, .931, .928}, {120, .85, .431, .873, .898},
		{300, .6, .658, .944, .946}, {300, .85, .420, .926, .928},
	} {
		var naive, batch, bytau float64
		for range runs {
			x := autoregressive(r, c.n, c.phi, .05)
			n := max(float64(c.n)/autocorrelationTime(x), 2)
			half := tCrit(.05, max(n-1, 2)) * SD(x) / math.Sqrt(n)
			bytau += holds(Interval{Mean(x) - half, Mean(x) + half}, 0) / float64(runs)
			naive += holds(TInterval(x, .05, 0), 0) / float64(runs)
			batch += holds(BatchInterval(x, .05), 0) / float64(runs)
		}
		t.Logf("%d windows, AR %.2f: naive %.3f, 10 batches %.3f, by n/tau %.3f", c.n, c.phi, naive, batch, bytau)
		near(t, "naive", naive, c.naive, .0005+slack(c.naive, runs, oracle))
		near(t, "batches", batch, c.batch, .0005+slack(c.batch, runs, oracle))
		near(t, "by n/tau", bytau, c.bytau, .0005+slack(c.bytau, runs, oracle))
	}
}

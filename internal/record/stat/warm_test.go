package stat

import (
	"math"
	"slices"
	"testing"
)

// TestWarmFrom: a server that approaches twice its first speed with time constants of 0.5 to 3 s, in 100 windows of 0.1
// s with noise of 5%. What is found lies between 2 and 4 time constants, when 93 and 99% of the way are gone; one
// that is warm at once is mostly found so, and one that needs longer than it is watched is not found warm.
func TestWarmFrom(t *testing.T) {
	r, n := seeded(t, 179), times(600, 200)
	starts := func(curve func(i float64) float64) (median, kept float64) {
		var at []float64
		for range n {
			x := normals(r, 100, 0, .05)
			for i := range x {
				x[i] = curve(float64(i)) * (1 + x[i])
			}
			s, ok := WarmFrom(x)
			if !ok {
				t.Fatal("100 windows are too few")
			}
			at = append(at, float64(s.Start))
			if s.Holds() {
				kept += 1 / float64(n)
			}
		}
		slices.Sort(at)
		return Quantile(at, .5), kept
	}
	for _, tau := range []float64{5, 10, 20, 30} {
		m, kept := starts(func(i float64) float64 { return 2 - math.Exp(-i/tau) })
		t.Logf("time constant %g windows: median start %g, warm in %.3f", tau, m, kept)
		if tau <= 20 && (m < 1.5*tau || m > 4*tau || kept < .9) {
			t.Errorf("time constant %g: median start %g, warm in %.3f", tau, m, kept)
		}
	}
	m, kept := starts(func(float64) float64 { return 1 })
	t.Logf("warm at once: median start %g, warm in %.3f", m, kept)
	if m != 0 || kept < .97 {
		t.Errorf("warm at once: median start %g, warm in %.3f", m, kept)
	}
	_, kept = starts(func(i float64) float64 { return 1 + i/50 })
	t.Logf("rises all the time: warm in %.3f", kept)
	if kept > .10 {
		t.Errorf("rises all the time: warm in %.3f", kept)
	}
	if _, ok := WarmFrom(make([]float64, 29)); ok {
		t.Error("29 windows tell")
	}
}

package stat

import (
	"math"
	"testing"
)

// TestRiseOf: of 10 windows without a rise 1% have P below 0.01; a rise of 10% over noise of 2% is found nearly
// always; and if each window repeats 0.6 of the one before it errs more often, as documented.
func TestRiseOf(t *testing.T) {
	r, n := seeded(t, 173), times(20000, 4000)
	share := func(rise, ar float64) float64 {
		found := 0.0
		for range n {
			e := normals(r, 10, 0, .02)
			for i := range e {
				if i > 0 {
					e[i] += ar * e[i-1]
				}
			}
			for i := range e {
				e[i] += 1 + rise*float64(i)/9
			}
			if d, ok := RiseOf(e); ok && d.P < .01 && d.Change > .01 {
				found += 1 / float64(n)
			}
		}
		return found
	}
	none, some, sticky := share(0, 0), share(.10, 0), share(0, .6)
	t.Logf("without a rise %.4f, with one %.3f, autocorrelated %.3f", none, some, sticky)
	near(t, "without a rise", none, .005, slack(.005, n, math.MaxInt))
	if some < .9 {
		t.Errorf("a rise of 10%% is found in %.3f", some)
	}
	if sticky < 2*none {
		t.Errorf("%.3f of autocorrelated runs: the comment is not right", sticky)
	}
	d, ok := RiseOf([]float64{1, 2, 3, 4, 5})
	if !ok || math.Abs(d.Change-5./3) > 1e-12 || d.P > 1e-9 {
		t.Errorf("a straight line: %+v", d)
	}
	if _, ok := RiseOf([]float64{1, 2, 3, 4}); ok {
		t.Error("four windows tell")
	}
	if d, ok := RiseOf(make([]float64, 5)); ok {
		t.Errorf("of nothing: %+v", d)
	}
}

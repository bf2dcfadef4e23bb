package agent

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
)

// windowsOf are counts about 10,000 a second, times a shape, with 1 % of noise.
func windowsOf(n int, shape func(i int) float64) load.Windows {
	r := rand.New(rand.NewPCG(9, uint64(n)))
	w := load.Windows{StepNs: 1e9, Ops: make([]int64, n)}
	for i := range w.Ops {
		w.Ops[i] = int64(1e4 * shape(i) * (1 + .01*r.NormFloat64()))
	}
	return w
}

func TestWithin(t *testing.T) {
	t.Log("seed 9")
	closed := record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamCPUs}
	flat := func(int) float64 { return 1 }
	near := func(got, want, by float64) bool { return math.Abs(got-want) <= by }

	w := withinOf(closed, windowsOf(60, flat))
	if w == nil || w.Windows != 60 || w.SteadyS != 0 || w.Kept != 1 || !near(w.SD, .01, .004) || !near(w.Tau, 1, 1.2) || w.DriftP < .01 {
		t.Errorf("flat: %+v", w)
	}
	w = withinOf(closed, windowsOf(120, func(i int) float64 {
		if i < 40 {
			return .8
		}
		return 1
	}))
	if w == nil || !near(w.SteadyS, 40, 1) || !near(w.Kept, 2./3, .01) || !near(w.SD, .01, .004) {
		t.Errorf("warming up for 40 s: %+v", w)
	}
	w = withinOf(closed, windowsOf(120, func(i int) float64 { return 1 - .1*float64(i)/119 }))
	if w == nil || w.SteadyS == 0 && (w.Drift > -.05 || w.DriftP > .01) {
		t.Errorf("falling by 10 %%: %+v", w)
	}
	for name, none := range map[string]*record.Within{
		"too short":    withinOf(closed, windowsOf(29, flat)),
		"nothing":      withinOf(closed, windowsOf(40, func(int) float64 { return 0 })),
		"a rate":       withinOf(record.LoadPoint{Kind: record.Open, Level: 100}, windowsOf(60, flat)),
		"a single run": withinOf(record.LoadPoint{Kind: record.Once}, load.Windows{}),
	} {
		if none != nil {
			t.Errorf("%s: %+v", name, none)
		}
	}
}

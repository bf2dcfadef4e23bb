package course

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
)

// heatWindows are 100 windows of 0.1 s whose throughput follows f, with noise.
func heatWindows(t *testing.T, seed uint64, noise float64, f func(seconds float64) float64) load.Windows {
	t.Helper()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	w := load.Windows{StepNs: 1e8}
	for i := range 100 {
		w.Ops = append(w.Ops, int64(10_000*f(float64(i)/10)*(1+noise*r.NormFloat64())))
	}
	return w
}

// TestHeatOf: a server that doubles its speed in three seconds, one that is fast at once, and one that is not there
// after ten.
func TestHeatOf(t *testing.T) {
	step := WarmupOf(heatWindows(t, 1, .05, func(s float64) float64 {
		if s < 3 {
			return .5
		}
		return 1
	}))
	if step == nil || step.Seconds != 10 || math.Abs(step.SettledS-3) > .2 || math.Abs(step.Gain-2) > .1 ||
		math.Abs(step.Kept-.7) > .03 {
		t.Errorf("%+v", step)
	}
	flat := WarmupOf(heatWindows(t, 2, .05, func(float64) float64 { return 1 }))
	if flat == nil || flat.SettledS != 0 || flat.Kept != 1 {
		t.Errorf("%+v", flat)
	}
	rising := WarmupOf(heatWindows(t, 3, .02, func(s float64) float64 { return 1 + s }))
	if rising == nil || rising.Kept >= .25 {
		t.Errorf("%+v", rising)
	}
	if got := WarmupOf(load.Windows{StepNs: 1e8, Ops: make([]int64, 100)}); got != nil {
		t.Errorf("nothing was done: %+v", got)
	}
	if got := WarmupOf(load.Windows{}); got != nil {
		t.Errorf("no heat: %+v", got)
	}
}

func TestRiseOf(t *testing.T) {
	closed := record.LoadPoint{Kind: record.Closed, Level: 2}
	w := load.Windows{StepNs: window, Ops: []int64{100, 101, 103, 104, 106, 107, 109, 110}}
	if got := RiseOf(closed, w); got == nil || got.Windows != 8 || math.Abs(got.Change-.113) > .01 || got.P > 1e-6 {
		t.Errorf("%+v", got)
	}
	if RiseOf(record.LoadPoint{Kind: record.Open, Level: 2}, w) != nil ||
		RiseOf(closed, load.Windows{StepNs: window, Ops: []int64{1, 2, 3, 4}}) != nil {
		t.Error("a rise of an open load, or of four windows")
	}
}

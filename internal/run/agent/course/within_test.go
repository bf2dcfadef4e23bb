package course

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
)

// windowsOf are counts about 10,000 a second, times a shape, with 1% of noise.
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

	w := SteadyStateOf(closed, windowsOf(60, flat))
	if w == nil || w.Windows != 60 || w.SteadyS != 0 || w.Kept != 1 || !near(w.SD, .01, .004) || !near(w.Tau, 1, 1.2) ||
		w.DriftP < .01 {
		t.Errorf("flat: %+v", w)
	}
	w = SteadyStateOf(closed, windowsOf(120, func(i int) float64 {
		if i < 40 {
			return .8
		}
		return 1
	}))
	if w == nil || !near(w.SteadyS, 40, 1) || !near(w.Kept, 2./3, .01) || !near(w.SD, .01, .004) {
		t.Errorf("warming up for 40 s: %+v", w)
	}
	w = SteadyStateOf(closed, windowsOf(120, func(i int) float64 { return 1 - .02*float64(i)/119 }))
	if w == nil || w.SteadyS == 0 && (!near(w.Drift, -.02, .01) || w.DriftP > .01) {
		t.Errorf("falling by 2%%: %+v", w)
	}
	w = SteadyStateOf(closed, windowsOf(100, func(i int) float64 {
		if i < 82 {
			return 1
		}
		return .7
	}))
	if w == nil || !near(w.SteadyS, 82, 1) || !near(w.Kept, .18, .01) {
		t.Errorf("losing 30%% for its last 18 s: %+v", w)
	}
	w = SteadyStateOf(closed, windowsOf(60, func(i int) float64 {
		if i%10 == 7 {
			return 0
		}
		return 1
	}))
	if w == nil || w.Kept != 1 || !near(w.SD, .34, .02) || w.DriftP < .01 {
		t.Errorf("stalls of a second: %+v", w)
	}
	for name, none := range map[string]*record.SteadyState{
		"too short":    SteadyStateOf(closed, windowsOf(29, flat)),
		"nothing":      SteadyStateOf(closed, windowsOf(40, func(int) float64 { return 0 })),
		"a rate":       SteadyStateOf(record.LoadPoint{Kind: record.Open, Level: 100}, windowsOf(60, flat)),
		"a single run": SteadyStateOf(record.LoadPoint{Kind: record.Once}, load.Windows{}),
	} {
		if none != nil {
			t.Errorf("%s: %+v", name, none)
		}
	}
}

// Whatever was counted, what is said of it can be written as JSON, and is what the fields may hold.
func TestWithinOfAnySeries(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	closed := record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamCPUs}
	said := 0
	for range 3000 {
		w := load.Windows{StepNs: 1e9, Ops: make([]int64, 30+r.IntN(90))}
		most, from := 1+r.Int64N(1<<r.IntN(40)), r.IntN(120)
		for i := from; i < len(w.Ops); i++ {
			w.Ops[i] = r.Int64N(most)
		}
		got := SteadyStateOf(closed, w)
		if got == nil {
			continue
		}
		said++
		if _, err := json.Marshal(got); err != nil {
			t.Fatalf("%v: %+v: %v", w.Ops, got, err)
		}
		if got.Windows != len(w.Ops) || got.Kept <= 0 || got.Kept > 1 || got.SD < 0 || got.Tau < 1 || got.DriftP < 0 ||
			got.DriftP > 1 ||
			math.Abs(got.SteadyS-(1-got.Kept)*float64(got.Windows)) > 1e-6 {
			t.Fatalf("%v: %+v", w.Ops, got)
		}
	}
	if said < 1000 {
		t.Errorf("something was said of %d series of 3000", said)
	}
}

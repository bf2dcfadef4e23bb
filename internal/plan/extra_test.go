package plan

import (
	"math"
	"testing"

	"plimsoll/internal/record"
)

// disturbed runs a sequential comparison whose pairs of these replicates are tainted.
func disturbed(p record.Plan, effect float64, tainted func(replicate int) bool) []record.Trial {
	steal := 5.0
	var done []record.Trial
	for range 200 {
		o, ok := Next(p, done)
		if !ok {
			break
		}
		for i, s := range o.Sides {
			v := record.Value{Metric: record.Metric{Name: record.Throughput, Better: record.Higher},
				Value: math.Exp(effect*float64(s.Cell) + .004*math.Sin(float64(7*o.Replicate+3*s.Cell)))}
			t := record.Trial{ID: o.SlotOf(i).ID(), Slot: o.SlotOf(i),
				Values: []record.Value{v}}
			if tainted(o.Replicate) && s.Cell == 1 {
				t.Ledger = &record.Ledger{StealPct: &steal}
			}
			done = append(done, t)
		}
	}
	return done
}

func countPairs(trials []record.Trial) (pairs, extra int) {
	for _, t := range trials {
		switch {
		case t.Extra:
			extra++
		case t.Cell == 0:
			pairs++
		}
	}
	return pairs, extra / 2
}

func TestTaintedPairsGetExtraOnes(t *testing.T) {
	p := sequentialPlan(t, nil)
	for name, c := range map[string]struct {
		tainted      func(int) bool
		pairs, extra int
	}{
		"none":           {func(int) bool { return false }, 5, 0},
		"two":            {func(r int) bool { return r == 1 || r == 4 }, 5, 2},
		"also the extra": {func(r int) bool { return r == 1 || r >= p.Replicates }, 5, 1},
		"most":           {func(r int) bool { return r > 1 }, 5, 0},
	} {
		trials := disturbed(p, math.Log(1.1), c.tainted)
		if pairs, extra := countPairs(trials); pairs != c.pairs || extra != c.extra {
			t.Errorf("%s tainted: %d pairs and %d extra, want %d and %d", name, pairs, extra, c.pairs, c.extra)
		}
		for _, trial := range trials {
			if trial.Extra != (trial.Replicate >= p.Replicates) {
				t.Errorf("%s: replicate %d extra %t", name, trial.Replicate, trial.Extra)
			}
		}
	}
	fixed := sequentialPlan(t, func(r *Request) { r.Replicates = 6 })
	if pairs, extra := countPairs(disturbed(fixed, .1, func(r int) bool { return r == 1 })); pairs != 6 || extra != 0 {
		t.Errorf("of a stated number: %d pairs, %d extra", pairs, extra)
	}
}

// TestExtraPairsChangeNoLook: the pairs that a verdict rests on are those before it was reached.
func TestExtraPairsChangeNoLook(t *testing.T) {
	p := sequentialPlan(t, nil)
	trials := disturbed(p, math.Log(1.1), func(r int) bool { return r == 0 })
	for i := range trials {
		if trials[i].Extra {
			trials[i].Values[0].Value = 1e-9
		}
	}
	if o, ok := Next(p, trials); ok {
		t.Errorf("an extra pair of another value asks for %+v", o)
	}
}

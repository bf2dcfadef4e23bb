package plan

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// TestCompareSaysWhatEndedTheSession: in a finished session, verdict, pairs and interval are those of the interim
// analysis that ended each comparison, even if pairs continued for another one.
func TestCompareSaysWhatEndedTheSession(t *testing.T) {
	effects := map[string]float64{"16KiB": 0, "32KiB": .1, "64KiB": .004}
	verdicts := map[trialset.Verdict]int{}
	for seed := range uint64(40) {
		p := sequentialPlan(t, func(r *Request) {
			r.Factors = []Factor{Vary("kernel.size", []string{"16KiB", "32KiB", "64KiB"})}
			r.Quick = seed%4 == 0
		})
		sd := .005 * float64(1+seed%5)
		trials := simulate(p, seed, sd, func(cell int) float64 { return effects[p.Cells[cell].Levels["kernel.size"]] }, 400)
		got, err := judge.Compare(trials, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}, judge.Options{By: "kernel.size"})
		if err != nil {
			t.Fatal(err)
		}
		endings := sequential.Endings(p, trials)
		if len(got.Pairs) != len(endings) {
			t.Fatalf("seed %d: %d pairs of sides, %d endings", seed, len(got.Pairs), len(endings))
		}
		for i, e := range endings {
			v := got.Pairs[i].Verdicts[0]
			verdicts[v.Verdict]++
			if v.Verdict != e.Verdict || v.N != e.Pairs || *v.Lo != *e.Lo || *v.Hi != *e.Hi || !v.Paired {
				t.Errorf("seed %d, %s: compare says %s, n=%d, %v to %v; it ended %s, n=%d, %v to %v",
					seed, e.B, v.Verdict, v.N, *v.Lo, *v.Hi, e.Verdict, e.Pairs, *e.Lo, *e.Hi)
			}
		}
	}
	for _, v := range []trialset.Verdict{trialset.Different, trialset.Equivalent, trialset.Undecided} {
		if verdicts[v] == 0 {
			t.Errorf("no session of these ended %s: %v", v, verdicts)
		}
	}
}

// TestCompareOfACutSession: between two looks the last one stands, and before the first there is none.
func TestCompareOfACutSession(t *testing.T) {
	p := sequentialPlan(t, nil)
	for pairs, want := range map[int]int{4: 4, 5: 5, 9: 8, 11: 10} {
		trials := simulate(p, 3, .2, second(0), pairs)
		got, err := judge.Compare(trials, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}, judge.Options{By: "kernel.bits"})
		if err != nil {
			t.Fatal(err)
		}
		v := got.Pairs[0].Verdicts[0]
		if v.N != want || (v.Lo == nil) != (pairs < 5) || (v.Verdict == "") != (pairs < 5) || math.IsNaN(v.Ratio) {
			t.Errorf("after %d pairs: %+v", pairs, v)
		}
		if len(v.Flags) == 0 {
			t.Errorf("after %d pairs nothing says that it is not decided", pairs)
		}
	}
}

// TestZerosEndASessionAsCompareSays: pairs with a zero are pairs. A session that ends, ends by ranks over all of its
// pairs, as compare judges them, and one of nothing but zeros is EQUIVALENT.
func TestZerosEndASessionAsCompareSays(t *testing.T) {
	verdicts := map[trialset.Verdict]int{}
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		zeros := [][2]float64{{.3, .3}, {0, .5}, {1, 1}, {1, 0}, {.05, .05}}[seed%5] // share of either side's runs
		p := sequentialPlan(t, nil)
		trials := simulate(p, seed, .05, func(cell int) float64 {
			if r.Float64() < zeros[cell] {
				return math.Inf(-1)
			}
			return .3 * float64(cell)
		}, 400)
		got, err := judge.Compare(trials, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}, judge.Options{By: "kernel.bits"})
		if err != nil {
			t.Fatal(err)
		}
		e, v := sequential.Endings(p, trials)[0], got.Pairs[0].Verdicts[0]
		verdicts[v.Verdict]++
		if e.Pairs != len(trials)/2 || e.Pairs < 30 && e.Verdict == trialset.Undecided || v.Verdict != e.Verdict ||
			v.N != e.Pairs {
			t.Errorf("seed %d: of %d pairs it ended %q after %d (%+v), compare says %q of %d: %v", seed, len(trials)/2,
				e.Verdict, e.Pairs, e.Futile, v.Verdict, v.N, v.Flags)
		}
		if zeros == [2]float64{1, 1} && (e.Verdict != trialset.Equivalent || e.Pairs != 10) ||
			zeros == [2]float64{1, 0} && (e.Verdict != trialset.Different || e.Pairs > 12) {
			t.Errorf("seed %d, zeros of %v: %s after %d pairs", seed, zeros, e.Verdict, e.Pairs)
		}
	}
	for _, v := range []trialset.Verdict{trialset.Different, trialset.Equivalent, trialset.Undecided} {
		if verdicts[v] == 0 {
			t.Errorf("no session of these ended %s: %v", v, verdicts)
		}
	}
}

package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// sequentialPlan returns the plan of one comparison that ends when it is decided.
func sequentialPlan(t *testing.T, change func(*Request)) record.Plan {
	t.Helper()
	req := Request{Measure: kernel(nil), Factors: []Factor{Vary("kernel.bits", []string{"128", "256"})}}
	if change != nil {
		change(&req)
	}
	return resolve(t, req)
}

// simulate runs a plan to its end, or up to most orders, on a machine whose log values are the drift of the replicate
// plus effect and noise of the cell.
func simulate(p record.Plan, seed uint64, sd float64, effect func(cell int) float64, most int) []record.Trial {
	r := rand.New(rand.NewPCG(seed, 0))
	var done []record.Trial
	for range most {
		o, ok := Next(p, done)
		if !ok {
			break
		}
		drift := .1 * math.Sin(float64(o.Replicate))
		for i, s := range o.Sides {
			v := record.Value{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher},
				Value: math.Exp(20 + drift + effect(s.Cell) + sd*r.NormFloat64()/math.Sqrt2)}
			keys := map[string]string{record.KeyMachine: "m", record.KeyWorkload: s.Workload, record.KeyLoad: s.Load.Key()}
			for name, value := range s.Params {
				keys[s.Workload+"."+name] = value
			}
			for name, level := range s.Levels {
				keys[record.FactorPrefix+name] = level
			}
			done = append(done, record.Trial{ID: o.SlotOf(i).ID(), Slot: o.SlotOf(i),
				Load: s.Load, Keys: keys, Values: []record.Value{v}})
		}
	}
	return done
}

func second(by float64) func(int) float64 {
	return func(cell int) float64 {
		if cell == 1 {
			return math.Log1p(by)
		}
		return 0
	}
}

func TestWhenASessionIsSequential(t *testing.T) {
	if p := sequentialPlan(t, nil); p.Stop == nil || p.Replicates != 30 || p.Stop.Looks[0] != 5 || p.Stop.Early ||
		p.Stop.Futile != stat.FutileBelow || p.Stop.Alone != DefaultReplicates {
		t.Errorf("a comparison of which nobody said how long: %+v", p)
	}
	if p := sequentialPlan(t, func(r *Request) { r.Quick = true }); p.Stop == nil || !p.Stop.Early ||
		p.Stop.Looks[0] != 3 {
		t.Errorf("quick: %+v", p.Stop)
	}
	if p := sequentialPlan(t, func(r *Request) { r.Replicates = 7 }); p.Stop != nil || p.Replicates != 7 {
		t.Errorf("replicates stated: %+v", p)
	}
	if p := sequentialPlan(t, func(r *Request) { r.Limit = 11 }); p.Replicates != 11 || slices.Max(p.Stop.Looks) != 11 {
		t.Errorf("at most 11: %+v", p)
	}
	if p := sequentialPlan(t, func(r *Request) { r.Limit = 300 }); p.Replicates != 300 || slices.Max(p.Stop.Looks) != 300 {
		t.Errorf("at most 300: %+v", p)
	}
	if p := sequentialPlan(t, func(r *Request) { r.MaxS, r.DurationS, r.WarmupS = 300, 1, .5 }); p.Replicates != 100 ||
		p.MaxS != 300 {
		t.Errorf("as many as fit into 5 minutes: %+v", p)
	}
	if p := resolve(t, Request{Measure: kernel(nil)}); p.Stop != nil || p.Replicates != DefaultReplicates {
		t.Errorf("nothing to compare: %+v", p)
	}
	for name, change := range map[string]func(*Request){
		"before the first look": func(r *Request) { r.Limit = 4 }, "beyond the last": func(r *Request) { r.Limit = 1001 },
		"alpha": func(r *Request) { r.Alpha = .03 }} {
		req := Request{Measure: kernel(nil), Factors: []Factor{Vary("kernel.bits", []string{"128", "256"})}}
		change(&req)
		if _, err := Resolve(req, declared(), map[string]Target{"": {CPUs: 8}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestSequentialStops: groups without a comparison get few replicates, decided ones stop, undecided ones continue to
// the limit.
func TestSequentialStops(t *testing.T) {
	p := resolve(t, Request{
		Measure: []Ask{{Workload: "command"}, {Workload: "kernel", Sweep: []Axis{{"size", []string{"1KiB", "2KiB"}}}}},
		Factors: []Factor{Vary("kernel.bits", []string{"128", "256"})},
	})
	p.Stop.Futile = 0
	effect := func(cell int) float64 { return []float64{0, 0, .60, 0, .01}[cell] }
	counts := map[int]int{}
	for _, t := range simulate(p, 3, .06, effect, 1000) {
		counts[t.Cell]++
	}
	if counts[0] != 5 || counts[1] != 5 || counts[2] != 5 || counts[3] != 30 || counts[4] != 30 {
		t.Errorf("trials by cell: %v", counts)
	}
}

// TestSequentialResumes: cut anywhere, the same orders follow.
func TestSequentialResumes(t *testing.T) {
	p := sequentialPlan(t, nil)
	whole := simulate(p, 5, .03, second(.02), 1000)
	for cut := range len(whole) {
		o, ok := Next(p, whole[:cut])
		if !ok {
			t.Fatalf("ends after %d of %d trials", cut, len(whole))
		}
		if o.Sides[0].Cell != whole[cut].Cell && cut%2 == 0 {
			t.Errorf("after %d trials cell %d follows, not %d", cut, o.Sides[0].Cell, whole[cut].Cell)
		}
	}
	if again := simulate(p, 5, .03, second(.02), 1000); !reflect.DeepEqual(whole, again) {
		t.Error("the same seed gives another session")
	}
}

// TestSequentialRates checks the method's table (docs/derivations.md#interim-analyses, pair sd 2%)
// through Next and judge.Compare together: claims of A/A, and how soon 5% are found.
func TestSequentialRates(t *testing.T) {
	simtest.Long(t)
	sessions := 300
	if testing.Short() {
		sessions = 80
	}
	for _, c := range []struct {
		effect                  float64
		least, most, meanAtMost float64 // share of DIFFERENT, mean of pairs
	}{{0, 0, .06, 18}, {.05, .98, 1, 6.5}} {
		claims, pairs, wrong, futile := 0, 0, 0, 0
		for i := range sessions {
			p := sequentialPlan(t, func(r *Request) { r.Session = fmt.Sprint(i) })
			trials := simulate(p, uint64(i)+1, .02, second(c.effect), 1000)
			got, err := judge.Compare(trials, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}, judge.Options{By: "kernel.bits"})
			if err != nil {
				t.Fatal(err)
			}
			v := got.Pairs[0].Verdicts[0]
			pairs += v.N
			if v.Verdict == trialset.Different {
				claims++
				if c.effect > 0 && v.Better != "b" {
					wrong++
				}
			}
			if v.N < 30 && v.Verdict == trialset.Undecided {
				futile++
			}
		}
		share, mean := float64(claims)/float64(sessions), float64(pairs)/float64(sessions)
		slack := 3 * math.Sqrt(.05*.95/float64(sessions)) // Monte Carlo error
		if share < c.least-slack || share > c.most+slack || mean > c.meanAtMost || wrong > 0 ||
			futile > sessions/20 {
			t.Errorf("effect %g, seeds 1 to %d: %.3f claimed, %.1f pairs on average, %d of the wrong sign, %d ended "+
				"for futility", c.effect, sessions, share, mean, wrong, futile)
		}
	}
}

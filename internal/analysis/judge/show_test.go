package judge

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

func TestShow(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		value  float64
		half   float64 // of the interval's logs; 0: there is none
		doubts []string
	}{
		{"geometric mean", []float64{100, 100, 100}, 100, 4.302652729911275 * .005 / math.Sqrt(3), []string{}},
		{"spread", []float64{100, 200, 400}, 200, 4.302652729911275 * math.Ln2 / math.Sqrt(3),
			[]string{"results are noisy: run-to-run variation is 65%"}},
		{"two", []float64{100, 400}, 200, 0, []string{"results are noisy: run-to-run variation is 85%",
			"a confidence interval needs at least 3 runs"}},
		{"a zero: arithmetic", []float64{0, 2}, 1, 0, []string{"results are noisy: run-to-run variation is 141%",
			"a confidence interval needs at least 3 runs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var trials []record.Trial
			for i, v := range c.values {
				trials = append(trials, trial("m1", i, v))
			}
			trials = append(trials, trial("m1", 9, 1e9, void("late")))
			got := Show(trials, nil, nil).Workloads
			if len(got) != 1 || got[0].N != len(c.values) || got[0].Void != 1 || len(got[0].Trials) != len(trials) {
				t.Fatalf("%+v", got)
			}
			if math.Abs(got[0].Value-c.value) > 1e-9 || !slices.Equal(note.Texts(got[0].Doubts), c.doubts) {
				t.Errorf("value %v, doubts %q", got[0].Value, got[0].Doubts)
			}
			if (got[0].Lo != nil) != (c.half > 0) {
				t.Fatalf("interval %v to %v", got[0].Lo, got[0].Hi)
			}
			if c.half > 0 && math.Abs(math.Log(*got[0].Hi / *got[0].Lo)/2-c.half) > 1e-9 {
				t.Errorf("half width %v, want %v", math.Log(*got[0].Hi / *got[0].Lo)/2, c.half)
			}
		})
	}
}

func TestShowNotPositive(t *testing.T) {
	c := Show([]record.Trial{trial("m1", 0, 0), trial("m1", 1, 2), trial("m1", 2, 4)}, nil, nil).Workloads[0]
	if half := 4.302652729911275 * 2 / math.Sqrt(3); c.Value != 2 || math.Abs(*c.Hi-2-half) > 1e-9 {
		t.Errorf("want 2 ± %v: %v to %v", half, *c.Lo, *c.Hi)
	}
}

// TestShowOrder: cells stand in the order of the plan, however its trials were
// shuffled, and each metric of a cell is one entry.
func TestShowOrder(t *testing.T) {
	var trials []record.Trial
	for _, i := range []int{2, 0, 1} {
		size := []string{"4KiB", "1KiB", "2KiB"}[i]
		trials = append(trials, trial("m1", 0, 1, cellNo(i), key("aes.size", size),
			measured("latency_p50", "s", record.Lower, 2)))
	}
	var got []string
	for _, c := range Show(trials, nil, nil).Workloads {
		got = append(got, c.Params["size"]+" "+c.Metric)
		if c.Primary != (c.Metric == record.Throughput) {
			t.Errorf("%s: primary %v", c.Metric, c.Primary)
		}
	}
	want := []string{"4KiB throughput", "4KiB latency_p50", "1KiB throughput", "1KiB latency_p50", "2KiB throughput",
		"2KiB latency_p50"}
	if !slices.Equal(got, want) {
		t.Errorf("cells %q, want %q", got, want)
	}
}

func TestShowDoubts(t *testing.T) {
	throttled := 0.1
	trials := []record.Trial{
		trial("m1", 0, 1, steal(1.5)), trial("m1", 1, 1, steal(1)), trial("m2", 0, 1),
		trial("m1", 2, 1, key(record.KeyEmulated, "tcg"), func(t *record.Trial) {
			t.Doubts = []string{"warm-up too short"}
			t.Ledger = &record.Ledger{ThrottledS: &throttled}
		}),
	}
	machines := []record.Machine{{Name: "m2", Emulated: "qemu-user"}}
	got := Show(trials, machines, nil)
	want := [][]string{{"the hypervisor stole over 1% of the CPU time"}, nil,
		{"warm-up too short", "the CPUs were emulated: figures do not apply to real CPUs", "a CPU quota throttled the run"}}
	for i, trial := range got.Workloads[0].Trials {
		if !slices.Equal(note.Texts(trial.Doubts), want[i]) {
			t.Errorf("replicate %d: doubts %q, want %q", i, trial.Doubts, want[i])
		}
	}
	if d := got.Workloads[1].Trials[0].Doubts; !slices.Equal(note.Texts(d),
		[]string{"the CPUs were emulated: figures do not apply to real CPUs"}) {
		t.Errorf("a trial of an emulated machine has doubts %q", d)
	}
}

// TestStarved names clients without an answer, and operations if there are more of these.
func TestStarved(t *testing.T) {
	for want, use := range map[string]record.LoadUse{
		"1 of 4 clients got no answer":                             {Unanswered: 1, Starved: 1, Clients: 4},
		"1 operation got no answer":                                {Stale: 1},
		"2 operations got no answer":                               {Unanswered: 2, Clients: 4},
		"1 of 2 clients got no answer; 9 operations got no answer": {Unanswered: 9, Starved: 1, Clients: 2},
		"": {Clients: 4},
	} {
		got := note.Texts(integrity.Starved([]record.Trial{{}, {Generator: &use}, {Generator: &record.LoadUse{}}}))
		if strings.Join(got, "; ") != want {
			t.Errorf("%+v: %q, want %q", use, got, want)
		}
	}
}

func TestShowAllVoid(t *testing.T) {
	crashed := trial("m1", 0, 1, void("crashed"), func(t *record.Trial) { t.Values = nil })
	got := Show([]record.Trial{crashed}, nil, nil).Workloads
	if len(got) != 1 || got[0].N != 0 || got[0].Void != 1 || !math.IsNaN(got[0].Value) ||
		!slices.Equal(note.Texts(got[0].Doubts), []string{"all runs failed"}) {
		t.Errorf("%+v", got)
	}
}

func TestEffects(t *testing.T) {
	for _, c := range Show(append(factorialTrials("m1", 4), factorialTrials("m2", 4)...), nil, plans(tlsFactor)).
		Workloads {
		if c.Params["tls"] == "on" {
			if len(compare.KindEffect.All(c)) != 0 {
				t.Errorf("an effect on %v, which is not at the first level: %+v", c.Params, compare.KindEffect.All(c))
			}
			continue
		}
		if len(compare.KindEffect.All(c)) != 1 {
			t.Fatalf("%s %v: effects %+v", c.Machine, c.Params, compare.KindEffect.All(c))
		}
		e := compare.KindEffect.All(c)[0]
		if e.Factor != "tls" || e.From != "off" || e.To != "on" || e.Verdict != trialset.Different || e.N != 4 ||
			math.Abs(e.Ratio-.9) > .002 {
			t.Errorf("%s %v: %+v", c.Machine, c.Params, e)
		}
	}
}

// TestCompareStarved: a comparison says which side's clients got no answer.
func TestCompareStarved(t *testing.T) {
	trials := session(4, .05, .005)
	for i := range trials {
		if trials[i].Keys[record.KeyMachine] == "m2" {
			trials[i].Generator = &record.LoadUse{Done: 70, Unanswered: 3, Starved: 3, Clients: 4, InFlight: 4, Accounted: 4}
		}
	}
	got, err := Compare(trials, nil, plans(nil), Options{})
	if err != nil || len(got.Pairs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	said := false
	for _, c := range got.Pairs[0].Verdicts {
		said = said || slices.Contains(note.Texts(c.Flags), "candidate: 3 of 4 clients got no answer")
	}
	if !said {
		t.Errorf("%+v", got.Pairs[0])
	}
}

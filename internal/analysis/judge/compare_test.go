package judge

import (
	"math"
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

func TestVerdicts(t *testing.T) {
	quick := func(p *record.Plan) { p.Quick = true }
	for _, c := range []struct {
		name    string
		trials  []record.Trial
		plan    func(*record.Plan)
		verdict trialset.Verdict
		better  string
		flag    string // in one of the flags; "": there is no flag
	}{
		{name: "faster", trials: session(8, .05, .005), verdict: trialset.Different, better: "b"},
		{name: "slower", trials: session(8, -.05, .005), verdict: trialset.Different, better: "a"},
		{name: "more latency is worse", trials: session(8, .05, .005, as(record.LatencyP50, record.Lower)),
			verdict: trialset.Different, better: "a"},
		{name: "alike", trials: session(10, 0, .005), verdict: trialset.Equivalent},
		{name: "alike for a wide margin only", trials: session(10, .01, .02), plan: func(p *record.Plan) { p.Margin = .1 },
			verdict: trialset.Equivalent},
		{name: "both could hold", trials: session(30, .008, .004), verdict: trialset.Equivalent},
		{name: "quick and alike", trials: session(10, 0, .005), plan: quick, verdict: trialset.Undecided,
			flag: "a quick run cannot establish that both sides are equal"},
		{name: "quick and faster", trials: session(8, .05, .005), plan: quick, verdict: trialset.Different, better: "b"},
		{name: "too noisy", trials: session(5, .01, .06), verdict: trialset.Undecided, flag: "inconclusive: about "},
		{name: "two pairs", trials: session(2, .5, .001), flag: "at least 3 pairs"},
		{name: "emulated by key", trials: session(8, .05, .005, key(record.KeyEmulated, "tcg")),
			flag: "the CPUs were emulated, so no verdict is given"},
		{name: "other ciphers", trials: alter(session(8, .05, .005, key(record.KeyTLS, "TLS 1.3, A")), on("m2"),
			key(record.KeyTLS, "TLS 1.3, B")), verdict: trialset.Different, better: "b",
			flag: "baseline and candidate use different encryption: TLS 1.3, A against TLS 1.3, B"},
		{name: "one cipher", trials: session(8, .05, .005, key(record.KeyTLS, "TLS 1.3, A")), verdict: trialset.Different,
			better: "b"},
		{name: "neutral", trials: session(8, .05, .005, as("size", record.Neutral)), flag: "whether more size is better"},
		{name: "zero", trials: session(8, .05, .005, measured(record.Throughput, "B/s", record.Higher, 0)),
			verdict: trialset.Equivalent, flag: "ranks and differences are compared"},
		{name: "p99 of few", trials: session(8, .05, .005, as(record.LatencyP99, record.Lower), done(3000)),
			verdict: trialset.Different, better: "a", flag: "p99 has only 3000 operations"},
		{name: "p99 of many", trials: session(8, .05, .005, as(record.LatencyP99, record.Lower), done(10000)),
			verdict: trialset.Different, better: "a"},
		{name: "stricter alpha", trials: session(3, .04, .004), plan: func(p *record.Plan) { p.Alpha = .0001 },
			verdict: trialset.Undecided, flag: "inconclusive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Compare(c.trials, nil, plans(c.plan), Options{})
			if err != nil || len(got.Pairs) != 1 {
				t.Fatalf("%+v, %v", got, err)
			}
			v := got.Pairs[0].Verdicts[0]
			if v.Verdict != c.verdict || v.Better != c.better || !v.Primary || !v.Paired {
				t.Errorf("verdict %q, better %q: %+v", v.Verdict, v.Better, v)
			}
			if c.flag == "" && len(v.Flags) > 0 || c.flag != "" && !flagged(v.Flags, c.flag) {
				t.Errorf("flags %q, want %q", v.Flags, c.flag)
			}
		})
	}
}

// TestOnlyPrimaryDecides: other metrics have intervals and no verdict.
func TestOnlyPrimaryDecides(t *testing.T) {
	got, err := Compare(session(8, .05, .005, measured(record.LatencyP50, "s", record.Lower, .01)), nil, plans(nil),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := got.Pairs[0].Verdicts
	if len(v) != 2 || v[1].Metric != record.LatencyP50 || v[1].Primary || v[1].Verdict != "" || v[1].Lo == nil {
		t.Errorf("want an interval without a verdict: %+v", v)
	}
}

func TestEmulatedMachine(t *testing.T) {
	machines := []record.Machine{{Name: "m2", Emulated: "qemu-user"}}
	got, err := Compare(session(8, .05, .005), machines, plans(nil), Options{})
	if v := only(t, got, err); v.Verdict != "" || !flagged(v.Flags, "emulated") {
		t.Errorf("%+v", v)
	}
}

func TestUnpaired(t *testing.T) {
	separate := alter(session(8, .05, .005), on("m2"), planned("p2"))
	rerun := alter(session(8, .05, .005), on("m2"), cellNo(0))
	imported := alter(session(8, .05, .005), func(record.Trial) bool { return true }, planned(""))
	for name, trials := range map[string][]record.Trial{"two plans": separate, "one plan on two machines": rerun,
		"imported": imported} {
		got, err := Compare(trials, nil, plans(nil), Options{})
		v := only(t, got, err)
		if v.Paired || v.N != 8 || v.Verdict != trialset.Undecided ||
			!flagged(v.Flags, "the runs were not interleaved, so drift is not cancelled") {
			t.Errorf("%s: the drift of both sides must hide 5%%: %+v", name, v)
		}
	}
}

// TestVoidNeverCounts: a void trial takes its partner out of the pairs and its
// value out of every estimate.
func TestVoidNeverCounts(t *testing.T) {
	third := func(t record.Trial) bool { return on("m2")(t) && t.Replicate == 3 }
	trials := alter(session(8, .05, .005), third, void("late"), measured(record.Throughput, "B/s", record.Higher, 1))
	got, err := Compare(trials, nil, plans(nil), Options{})
	if v := only(t, got, err); v.N != 7 || v.Verdict != trialset.Different || v.Ratio < 1.04 {
		t.Errorf("%+v", v)
	}
}

func TestDisturbedTrials(t *testing.T) {
	late := func(t record.Trial) bool { return on("m2")(t) && t.Replicate >= 4 }
	for _, c := range []struct {
		name   string
		trials []record.Trial
		flag   string
	}{
		{"the same without them", alter(session(8, .05, .005), late, steal(3)),
			"4 of 8 pairs were disturbed, and the verdict is DIFFERENT without them too, n=4"},
		{"the same with four left", alter(session(6, .05, .005), late, steal(3)),
			"2 of 6 pairs were disturbed, and the verdict is DIFFERENT without them too, n=4"},
		{"none left", alter(session(6, .05, .005), on("m1"), steal(3)), "0 of 6 pairs ran undisturbed"},
		{"steal below the threshold", alter(session(6, .05, .005), on("m1"), steal(.9)), ""},
		{"another verdict without them", alter(session(12, 0, .005), late, steal(3),
			func(t *record.Trial) { t.Values[0].Value *= 1.2 }), "without the disturbed runs the verdict is"},
	} {
		got, err := Compare(c.trials, nil, plans(nil), Options{})
		v := only(t, got, err)
		right := flagged(v.Flags, c.flag)
		if c.flag == "" {
			right = !flagged(v.Flags, "without the disturbed runs") && !flagged(v.Flags, "disturbed")
		}
		if !right || v.Verdict != trialset.Different || v.N != len(c.trials)/2 {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// TestStalledPair: one run that stalled neither moves the estimate nor takes the verdict, and is named.
func TestStalledPair(t *testing.T) {
	wild := func(t record.Trial) bool { return on("m2")(t) && t.Replicate == 9 }
	trials := alter(session(14, .03, .006), wild, func(t *record.Trial) { t.Values[0].Value *= .7 })
	got, err := Compare(trials, nil, plans(nil), Options{})
	if v := only(t, got, err); v.Verdict != trialset.Different || v.Better != "b" || math.Abs(v.Ratio-1.03) > .005 ||
		!flagged(v.Flags, "pair 10 is an outlier") {
		t.Errorf("%+v", v)
	}
}

// TestSwap: the ratio of a to b is the inverse of that of b to a.
func TestSwap(t *testing.T) {
	for _, trials := range [][]record.Trial{session(9, .03, .02), alter(session(9, .03, .02), on("m2"), planned("p2"))} {
		got, err := Compare(trials, nil, plans(nil), Options{})
		v := only(t, got, err)
		got, err = Compare(trials, nil, plans(nil), Options{Baseline: "m2"})
		w := only(t, got, err)
		if got.Pairs[0].A != "m2" || math.Abs(v.Ratio*w.Ratio-1) > 1e-12 || math.Abs(*v.Lo**w.Hi-1) > 1e-12 || v.A != w.B {
			t.Errorf("%+v\n%+v", v, w)
		}
		if !v.Paired && math.Abs(v.B/v.A-v.Ratio) > 1e-12 {
			t.Errorf("ratio %v is not that of the sides' means, %v", v.Ratio, v.B/v.A)
		}
	}
}

// TestStrictestPlan: where plans differ, the smaller margin and error rate hold.
func TestStrictestPlan(t *testing.T) {
	wide := plans(func(p *record.Plan) { p.Margin, p.Alpha = .1, .1 })[0].Plan
	byHash := map[string]record.Plan{"p1": wide, "p2": plans(nil)[0].Plan}
	s := trialset.Sample{A: []record.Trial{{Slot: record.Slot{Plan: "p1"}}},
		B: []record.Trial{{Slot: record.Slot{Plan: "p2"}}}}
	for _, s := range []trialset.Sample{s, {A: s.B, B: s.A}} {
		if r := trialset.PreregisteredFor(s, byHash); r.Margin != .02 || r.Alpha != .05 {
			t.Errorf("%+v", r)
		}
	}
}

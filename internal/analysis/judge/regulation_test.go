package judge

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/throttling"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

func is(v float64) *float64 { return &v }

// held is a trial whose disk was held back like that.
func held(replicate int, g record.Regulation, changes ...change) record.Trial {
	g.ObservedS, g.Bytes, g.IOBytes = 30, 30*g.Rate, 1e5
	t := trial("m", replicate, g.Rate, changes...)
	if t.Load.Kind == "" {
		t.Load = record.LoadPoint{Kind: record.Closed, Level: 32, Unit: record.ParamClients}
	}
	t.Regulation = &g
	return t
}

func quantumAt(period float64) record.Regulation {
	return record.Regulation{Class: stat.Quantum, PeriodS: is(period), QuantumBytes: is(1e7), Rate: 1e7 / period,
		BurstRate: is(1e9), Duty: is(.01 / period),
		ZeroFraction: 1 - .01/period, SafeRate: is(1e7 / period), SafeBurst: is(9.9e6), Cycles: 29, AutoPeriodS: is(period),
		SilenceS: is(.09), ZeroP50S: is(.09), ZeroMaxS: is(.1 + period/100)}
}

func smoothAt(rate float64) record.Regulation {
	return record.Regulation{Class: stat.Smooth, Rate: rate}
}

func creditOf(bucket float64) record.Regulation {
	return record.Regulation{Class: stat.Credit, Rate: 1e8, BurstRate: is(1e9), BucketBytes: is(bucket),
		ExhaustedS: is(bucket / 9e8), SafeRate: is(1e8), SafeBurst: is(bucket / .9)}
}

// near is a trial at a share of the safe rate.
func nearSafe(replicate int, share float64, g record.Regulation, changes ...change) record.Trial {
	t := held(replicate, g, func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Open, Level: share * 1000, Unit: record.ParamRate}
		t.Capped = share
	})
	for _, c := range changes {
		c(&t)
	}
	return t
}

func regulationIn(t *testing.T, s finding.Shown) *throttling.Regulation {
	t.Helper()
	if len(s.Workloads) != 1 {
		t.Fatalf("%d cells", len(s.Workloads))
	}
	return throttling.KindRegulation.Of(s.Workloads[0])
}

func TestRegulationOverReplicates(t *testing.T) {
	g := regulationIn(t,
		Show([]record.Trial{held(0, quantumAt(.099)), held(1, quantumAt(.1)), held(2, quantumAt(.101)),
			held(3, smoothAt(2e8)), held(4, quantumAt(9), void("disturbed"))}, nil, nil))
	if g == nil || g.Class != stat.Quantum || g.N != 3 || g.Classes[stat.Smooth] != 1 {
		t.Fatalf("%+v", g)
	}
	if math.Abs(*g.PeriodS-.1) > 1e-4 || *g.Intervals["period_s"].Lo >= .099 || *g.Intervals["period_s"].Hi <= .101 ||
		g.BucketBytes != nil || math.Abs(*g.ZeroMaxS-.10101) > 1e-9 {
		t.Errorf("period %v in %+v, longest silence %v", *g.PeriodS, g.Intervals["period_s"], *g.ZeroMaxS)
	}
	if len(g.Doubts) != 1 || g.Doubts[0].Text() != "1 of 4 runs show another kind of throttling: 1 smooth" {
		t.Errorf("doubts %q", g.Doubts)
	}
	two := regulationIn(t, Show([]record.Trial{held(0, quantumAt(.1)), held(1, quantumAt(.1))}, nil, nil))
	if len(two.Intervals) != 0 || two.PeriodS == nil {
		t.Errorf("of two trials %+v", two)
	}
}

// TestRegulationKeys: other programs rely on these, each of them there, with null for what a class does not have.
func TestRegulationKeys(t *testing.T) {
	text, err := json.Marshal(regulationIn(t, Show([]record.Trial{held(0, smoothAt(1e8))}, nil, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"period_s", "quantum_bytes", "burst_rate", "duty", "bucket_bytes", "safe_rate",
		"safe_burst_bytes"} {
		if !strings.Contains(string(text), `"`+key+`":null`) {
			t.Errorf("no %s in %s", key, text)
		}
	}
	if !strings.Contains(string(text), `"class":"smooth"`) || !strings.Contains(string(text), `"rate":100000000`) ||
		!strings.Contains(string(text), `"zero_fraction":0`) {
		t.Errorf("%s", text)
	}
}

func TestACreditThatIsEmptyFromThenOn(t *testing.T) {
	g := regulationIn(t, Show([]record.Trial{held(0, creditOf(2e9)), held(1, smoothAt(1.01e8)), held(2, smoothAt(.99e8))},
		nil, nil))
	if g.Class != stat.Credit || g.N != 1 || *g.BucketBytes != 2e9 ||
		!strings.Contains(strings.Join(note.Texts(g.Doubts), ";"), "2 of 3 runs began with no burst credits") {
		t.Errorf("%+v", g)
	}
	faster := regulationIn(t, Show([]record.Trial{held(0, creditOf(2e9)), held(1, smoothAt(3e8)), held(2, smoothAt(3e8))},
		nil, nil))
	if faster.Class != stat.Smooth {
		t.Errorf("two trials of another rate: %+v", faster)
	}
	partly := regulationIn(t, Show([]record.Trial{held(0, creditOf(2e9)), held(1, creditOf(1e9)), held(2, creditOf(1e9))},
		nil, nil))
	if _, bounded := partly.Intervals["bucket_bytes"]; *partly.BucketBytes != 2e9 || bounded {
		t.Errorf("of unlike buckets %v, interval %v", *partly.BucketBytes, bounded)
	}
}

func TestTooShortForARegulation(t *testing.T) {
	few := record.Regulation{Class: stat.Stalls, Rate: 1e8, Cycles: 4, ZeroFraction: .8}
	g := regulationIn(t, Show([]record.Trial{held(0, few)}, nil, nil))
	if len(g.Doubts) != 1 || !strings.Contains(g.Doubts[0].Text(),
		"only 4 throttling cycles were seen, but 10 are needed\nhint: --for 78s") {
		t.Errorf("%q", g.Doubts)
	}
	g = regulationIn(t, Show([]record.Trial{held(0, creditOf(1.8e10))}, nil, nil))
	if len(g.Doubts) != 1 || !strings.Contains(g.Doubts[0].Text(), "hint: --for 60s") {
		t.Errorf("%q", g.Doubts)
	}
	warm := func(t *record.Trial) { t.WarmupS = 8 } // of the 20 s, so that the timeline saw 12
	g = regulationIn(t, Show([]record.Trial{held(0, creditOf(1.8e10), warm)}, nil, nil))
	if len(g.Doubts) != 1 || !strings.Contains(g.Doubts[0].Text(),
		"the burst took 12 s of 30 s: use longer runs\nhint: --for 36s") {
		t.Errorf("%q", g.Doubts)
	}
}

func TestTooFewOperationsForAShortPeriod(t *testing.T) {
	slow := smoothAt(1e6)
	slow.BinS = .01
	if g := regulationIn(t, Show([]record.Trial{held(0, slow)}, nil, nil)); len(g.Doubts) != 1 ||
		!strings.Contains(g.Doubts[0].Text(), "only periods over 40 ms") {
		t.Errorf("%q", g.Doubts)
	}
}

func TestNoRegulationOfARate(t *testing.T) {
	open := func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Open, Level: 100, Unit: record.ParamRate}
	}
	if g := regulationIn(t, Show([]record.Trial{held(0, smoothAt(1e8), open)}, nil, nil)); g != nil {
		t.Errorf("%+v", g)
	}
}

func TestVerified(t *testing.T) {
	calm, silent, hiccups := smoothAt(.95e8), smoothAt(1e8), smoothAt(1e8)
	silent.ZeroFraction, silent.SilenceS = .3, is(.08)
	hiccups.ZeroFraction, hiccups.SilenceS = .03, is(.002)
	over := func(t *record.Trial) { t.Void, t.Over = "fell behind", true }
	full := []record.Trial{held(0, quantumAt(.1)), held(1, quantumAt(.1))}
	asked := []record.PlanLine{{Hash: "p1", Plan: record.Plan{Cells: []record.Cell{{Safe: true}}}}}
	for name, c := range map[string]struct {
		full, near []record.Trial
		holds      *bool
		reason     string
	}{
		"as it should be": {full, []record.Trial{nearSafe(0, .95, calm), nearSafe(0, 1.05, silent),
			nearSafe(1, .95, hiccups), nearSafe(1, 1.05, calm, over)}, yes(true), ""},
		"stalls below":       {full, []record.Trial{nearSafe(0, .95, silent), nearSafe(0, 1.05, silent)}, yes(false), ""},
		"falls behind below": {full, []record.Trial{nearSafe(0, .95, calm, over), nearSafe(0, 1.05, silent)}, yes(false), ""},
		"none above":         {full, []record.Trial{nearSafe(0, .95, calm), nearSafe(0, 1.05, calm)}, yes(false), ""},
		"a credit again": {[]record.Trial{held(0, creditOf(2e9))},
			[]record.Trial{nearSafe(0, .95, calm), nearSafe(0, 1.05, calm)}, nil, "outlasted the runs"},
		"a void one": {full, []record.Trial{nearSafe(0, .95, calm),
			nearSafe(0, 1.05, silent, void("the generator was late"))}, nil, "could be measured"},
		"not held back": {[]record.Trial{held(0, smoothAt(1e8))}, nil, nil, "the disk was never throttled"},
		"random": {[]record.Trial{held(0, record.Regulation{Class: stat.Stalls, Rate: 1e8, Cycles: 40})}, nil, nil,
			"the stalls are irregular"},
	} {
		g := regulationIn(t, Show(append(append([]record.Trial{}, c.full...), c.near...), nil, asked))
		v := g.Verified
		if v == nil || (v.Holds == nil) != (c.holds == nil) || v.Holds != nil && *v.Holds != *c.holds ||
			!strings.Contains(v.Reason.Text(), c.reason) {
			t.Errorf("%s: %+v", name, v)
		}
	}
	shown := Show(append(full, nearSafe(0, .95, calm), nearSafe(0, 1.05, silent)), nil, asked)
	if v := regulationIn(t, shown).Verified; math.Abs(*v.Below.Rate-.95e8) > 1 || v.Above.Trials != 1 {
		t.Errorf("%+v", v)
	}
	if shown.Workloads[0].N != 2 || len(shown.Warnings) != 0 {
		t.Errorf("%d trials are averaged, warnings %q", shown.Workloads[0].N, shown.Warnings)
	}
}

func yes(b bool) *bool { return &b }

// TestWhatIsRefutedIsWithdrawn: runs near the safe rate that do not bear it out take the quota back, with all figures
// of it.
func TestWhatIsRefutedIsWithdrawn(t *testing.T) {
	silent, calm := smoothAt(1e8), smoothAt(.95e8)
	silent.ZeroFraction, silent.SilenceS = .3, is(.08)
	for name, c := range map[string]struct {
		full  record.Regulation
		below record.Regulation
		class string
	}{"a quota": {quantumAt(.1), silent, stat.Stalls}, "a credit": {creditOf(2e9), silent, stat.Smooth},
		"a quota that holds": {quantumAt(.1), calm, stat.Quantum}} {
		trials := []record.Trial{held(0, c.full), nearSafe(0, .95, c.below), nearSafe(0, 1.05, silent)}
		asked := []record.PlanLine{{Hash: "p1", Plan: record.Plan{Cells: []record.Cell{{Safe: true}}}}}
		g := regulationIn(t, Show(trials, nil, asked))
		gone := g.SafeRate == nil && g.SafeBurst == nil && g.QuantumBytes == nil && g.BucketBytes == nil && g.HeldTo() == ""
		if g.Class != c.class || gone == (c.class == stat.Quantum) || (g.Refuted != nil) != gone || g.Rate == nil ||
			gone && *g.Refuted != c.full.Class {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// TestAQuotaOfAnEarlierVersion: sessions from before bursts were held against what was in flight are judged by it too.
func TestAQuotaOfAnEarlierVersion(t *testing.T) {
	deep := func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Closed, Level: 512, Unit: record.ParamClients}
	}
	g := regulationIn(t, Show([]record.Trial{held(0, quantumAt(.1), deep), held(1, quantumAt(.1), deep)}, nil, nil))
	if g.Class != stat.Bursts || g.SafeRate != nil || g.BurstRate != nil || math.Abs(*g.InFlight/51.2e6-1) > 1e-9 ||
		g.N != 2 ||
		len(g.Doubts) != 1 || !strings.Contains(g.Doubts[0].Text(), "a quota or the deep queue may cause the bursts") {
		t.Errorf("%+v", g)
	}
	if g := regulationIn(t, Show([]record.Trial{held(0, quantumAt(.1))}, nil, nil)); g.Class != stat.Quantum {
		t.Errorf("32 in flight: %+v", g)
	}
}

package judge

import (
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// fixedRate is 5 pairs of two machines at one offered rate, of which each carries
// a share; m2's latency is 20% lower.
func fixedRate(carriedA, carriedB float64, changes ...change) []record.Trial {
	var out []record.Trial
	for i := range 5 {
		drift := 1 + .01*float64(i)
		out = append(out, rateSweep("m1", i, []reading{{1000, 1000 * carriedA, 0, .010 * drift}}, changes...)...)
		out = append(out, rateSweep("m2", i, []reading{{1000, 1000 * carriedB, 0, .008 * drift}},
			append(changes, cellNo(1001))...)...)
	}
	return out
}

func comparisonOf(t *testing.T, trials []record.Trial, metric, load string) finding.Comparison {
	t.Helper()
	got, err := Compare(trials, nil, plans(nil), Options{})
	if err != nil || len(got.Pairs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	at := slices.IndexFunc(got.Pairs[0].Verdicts, func(c finding.Comparison) bool {
		return c.Metric == metric && c.Load == load
	})
	if at < 0 {
		t.Fatalf("%s at %s was not compared: %+v", metric, load, got.Pairs[0].Verdicts)
	}
	return got.Pairs[0].Verdicts[at]
}

func TestRateLimited(t *testing.T) {
	bytes := func(t *record.Trial) { t.Values[0].Unit = "B/s" }
	closed := func(t *record.Trial) { t.Load.Kind = record.Closed }
	generated := func(t *record.Trial) { t.Generator = &record.LoadUse{Done: 99_500, Offered: 100_000} }
	for _, c := range []struct {
		name    string
		a, b    float64
		changes []change
		flag    string // "": none
		verdict trialset.Verdict
		shown   bool // as a doubt, of the first machine
	}{
		{"both", 1, .995, nil, "both sides handle the target rate: compare their latency instead", "", true},
		{"one", 1, .8, nil, "the baseline handles the target rate and may handle more", trialset.Different, true},
		{"the other", .8, 1, nil, "the candidate handles the target rate", trialset.Different, false},
		{"none", .8, .9, nil, "", trialset.Different, false},
		{"bytes", 1, 1, []change{bytes}, "both sides reach the same rate, which may be a cap", "", false},
		{"bytes, and not the same", 1, .9, []change{bytes}, "", trialset.Different, false},
		{"bytes of counted operations", 1, 1, []change{bytes, generated}, "both sides handle the target rate", "", true},
		{"a closed load", 1, 1, []change{closed}, "", trialset.Equivalent, false},
	} {
		trials := fixedRate(c.a, c.b, c.changes...)
		got := comparisonOf(t, trials, record.Throughput, "1000/s")
		if got.Verdict != c.verdict || c.flag == "" && flagged(got.Flags, "the target rate") ||
			c.flag != "" && !flagged(got.Flags, c.flag) {
			t.Errorf("%s: %q, flags %q", c.name, got.Verdict, got.Flags)
		}
		latency := comparisonOf(t, trials, record.LatencyP99, "1000/s")
		if refused := c.verdict == ""; latency.Primary != refused || got.Primary == refused ||
			(latency.Verdict == trialset.Different) != refused || latency.Lo == nil {
			t.Errorf("%s: latency is compared as %+v", c.name, latency)
		}
		cell := Show(trials, nil, nil).Workloads[0]
		if cell.Metric != record.Throughput || flagged(cell.Doubts, "the target rate") != c.shown {
			t.Errorf("%s: shown with %q", c.name, cell.Doubts)
		}
	}
}

// TestSweepOfRatesIsNotRefused: its loads together say what can be carried, and at each of them latency decides.
func TestSweepOfRatesIsNotRefused(t *testing.T) {
	var trials []record.Trial
	for i := range 3 {
		trials = append(trials, rateSweep("m1", i, knee())...)
		for _, m2 := range rateSweep("m2", i, knee()) {
			m2.Cell += 10_000
			trials = append(trials, m2)
		}
	}
	got := comparisonOf(t, trials, record.Throughput, "800/s")
	if flagged(got.Flags, "the target rate") || got.Verdict != "" || got.Primary ||
		!flagged(got.Flags, "both sides handle this load") {
		t.Errorf("%q, %q", got.Verdict, got.Flags)
	}
	if got := comparisonOf(t, trials, record.LatencyP99, "800/s"); !got.Primary || got.Verdict == "" {
		t.Errorf("latency at 800/s: %+v", got)
	}
	for _, c := range Show(trials, nil, nil).Workloads {
		if flagged(c.Doubts, "the target rate") {
			t.Errorf("%s: %q", c.Load, c.Doubts)
		}
	}
}

// TestNothingDecides: without a latency nothing of such a cell gets a verdict, nor a share
// of what the machine costs.
func TestNothingDecides(t *testing.T) {
	trials := alter(fixedRate(1, 1), func(record.Trial) bool { return true },
		func(t *record.Trial) { t.Values = t.Values[:1] })
	priced := func(record.Machine) finding.Basis { return finding.Basis{VCPUs: 8, Cores: 8, PricePerHour: 1} }
	got, err := Compare(trials, nil, plans(nil), Options{Basis: priced})
	if err != nil || len(got.Pairs[0].Verdicts) != 1 || got.Pairs[0].Verdicts[0].Verdict != "" ||
		got.Pairs[0].Verdicts[0].Primary {
		t.Errorf("%+v, %v", got, err)
	}
}

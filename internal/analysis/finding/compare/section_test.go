package compare

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

func TestClaimText(t *testing.T) {
	of := func(claims ...string) []finding.Comparison {
		var out []finding.Comparison
		for _, c := range claims {
			out = append(out, finding.Comparison{Claim: c})
		}
		return out
	}
	for want, cs := range map[string][]finding.Comparison{
		"": nil, "for these machines, not for their types": of("machine", "machine"),
		"for the machine types": of("type", "type"),
		"some verdicts are for the machine types, others for these machines": of("type", "machine"),
	} {
		if got := claimText(cs); got != want {
			t.Errorf("%v: %q, want %q", cs, got, want)
		}
	}
}

// TestTakenCPUs: the metric that decides has a note if other programs took the CPUs, unless it is CPU time. A line of a
// comparison has no hint.
func TestTakenCPUs(t *testing.T) {
	of := func(metric string, foreign, pressure float64) trialset.Sample {
		trial := record.Trial{DurationS: 10, CPU: &record.CPUUse{Work: 5, CPUs: 2, GeneratorCPUs: 2},
			Ledger: &record.Ledger{ForeignCPU: &foreign, PSICPUPct: &pressure}}
		for _, name := range []string{metric, record.Throughput} {
			trial.Values = append(trial.Values, record.Value{Metric: record.Metric{Name: name, Unit: "s"}, Value: 1})
		}
		return trialset.Sample{A: []record.Trial{trial}, B: []record.Trial{trial}}
	}
	for _, c := range []struct {
		name, metric string
		sample       trialset.Sample
		want         string
	}{
		{"crowded", record.Elapsed, of(record.Elapsed, 178, 95),
			"other programs took 89% of the CPUs, and the work waited for one"},
		{"quiet", record.Elapsed, of(record.Elapsed, 2, 1), ""},
		{"CPU time", record.CPUTime, of(record.CPUTime, 178, 95), ""},
		{"another metric", record.Throughput, of(record.Elapsed, 178, 95), ""},
	} {
		comparison := finding.Comparison{Metric: c.metric}
		flagTaken(&comparison, c.sample)
		var g flagged
		for _, f := range comparison.Flags {
			g.add(f, "exec")
		}
		got := ""
		if len(g.flags) > 0 {
			got = g.sentences(true)[0].Text
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestReplacementNotes(t *testing.T) {
	got := replacementNotes(finding.Comparison{ExtraMachines: []finding.Replacement{
		{Of: 1, Machines: 2, Lo: 2, Hi: 2}, {Of: 10, Machines: 13, Lo: 12, Hi: 13}}}, "x", "y", "aes, 8 cpus, throughput")
	if len(got) != 1 || got[0].Text != "x can be replaced by y: 1 by 2, 10 by 12 to 13: aes, 8 cpus, throughput" {
		t.Errorf("%+v", got)
	}
}

func TestExtraSentence(t *testing.T) {
	extra := func(e finding.ExtraCPUs) finding.Comparison { return finding.Comparison{Extra: &e} }
	linear := finding.ExtraCPUs{Side: "a", Over: 8, CPUs: 1.97, Bounds: figure.Between(1.8, 2.1)}
	curved, beyond, never, peaked := linear, linear, linear, linear
	curved.Side, curved.OnCurve = "b", new(4.5)
	beyond.OnCurve, beyond.Beyond = new(4.5), true
	never.Never = true
	peaked.Never, peaked.Peak = true, 19
	for want, e := range map[string]finding.ExtraCPUs{
		"A would reach the throughput of B with 3 more CPUs than its 8 (1.80 to 2.10 if throughput grew " +
			"in proportion): aes, 8 cpus, throughput": linear,
		"B would reach the throughput of A with 3 more CPUs than its 8 (1.80 to 2.10 if throughput grew in proportion); by " +
			"its own curve 4.50: aes, 8 cpus, throughput": curved,
		"in proportion); by its own curve 4.50, an extrapolation":                                                 beyond,
		"A does not reach the throughput of B with twice the measured CPUs, by its own curve":                     never,
		"A never reaches the throughput of B with more CPUs: its own curve peaks at 19 and falls from there: aes": peaked,
	} {
		got := extraNotes(extra(e), "A", "B", "aes, 8 cpus, throughput")
		if len(got) != 1 || !strings.Contains(got[0].Text, want) || e.Never && strings.Contains(got[0].Text, "proportion") {
			t.Errorf("%+v, want %q", got, want)
		}
	}
	if got := extraNotes(finding.Comparison{}, "A", "B", ""); len(got) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

// TestPricesText: 20% less one way is 25% more the other.
func TestPricesText(t *testing.T) {
	p := finding.Pair{A: "m5d.8xlarge", B: "m6gd.8xlarge", BasisA: &finding.Basis{PricePerHour: 1.808},
		BasisB: &finding.Basis{PricePerHour: 1.4464}}
	if got := pricesText(p); got != "m6gd.8xlarge costs 20.0% less than m5d.8xlarge, which costs 25.0% more" {
		t.Errorf("%q", got)
	}
	p.BasisB = &finding.Basis{PricePerHour: 1.808}
	if got := pricesText(p); got != "" {
		t.Errorf("of one price: %q", got)
	}
	p.BasisB = nil
	if got := pricesText(p); got != "" {
		t.Errorf("of none: %q", got)
	}
}

// TestWorthSaying: a table has the comparisons that do not repeat another one.
func TestWorthSaying(t *testing.T) {
	a, b := finding.Basis{VCPUs: 4, Cores: 2}, finding.Basis{VCPUs: 4, Cores: 4}
	p := finding.Pair{BasisA: &a, BasisB: &b, Verdicts: []finding.Comparison{
		{Per: "machine", Primary: true}, {Per: "vcpu"}, {Per: "core"}, {Per: "machine", Metric: record.MemoryTraffic}}}
	if got := distinctComparisons(p); len(got) != 2 || got[1].Per != "core" || len(p.Verdicts) != 4 {
		t.Errorf("%+v", got)
	}
	a.VCPUs = 8
	if got := distinctComparisons(p); len(got) != 3 {
		t.Errorf("of machines unlike in vCPUs a table has %d", len(got))
	}
	p.BasisA = nil
	if got := distinctComparisons(p); len(got) != 3 {
		t.Errorf("of unknown machines a table has %d", len(got))
	}
}

// TestIdle: a figure per core of a machine that the load did not fill is in the table alone; a dollar's stays, for its
// break-even.
func TestIdle(t *testing.T) {
	flags := []note.Note{note.New("few-clients", "1 client", 4.)}
	if idle(finding.Comparison{Per: "dollar", Flags: flags}) || !idle(finding.Comparison{Per: "core", Flags: flags}) {
		t.Error("a dollar's figure is left out, or a core's is not")
	}
}

// TestConfidenceOfIntervals: an interval is named by the error rate of its plan, and not always 95%.
func TestConfidenceOfIntervals(t *testing.T) {
	c := finding.Comparison{Metric: "time"}
	for alpha, want := range map[float64]string{.05: "95% CI", .01: "99% CI", .1: "90% CI"} {
		c.Confidence = trialset.Preregistered{Alpha: alpha}.Confidence()
		if got := intervalsText([]finding.Comparison{c, c}); got != want || (c.Confidence == 0) != (alpha == .05) {
			t.Errorf("alpha %g: %s, want %s", alpha, got, want)
		}
	}
	c.Confidence = trialset.Preregistered{Alpha: .01}.Confidence()
	if got := intervalsText([]finding.Comparison{c, {}}); got == finding.SureLead(c.Confidence) {
		t.Errorf("intervals of several confidences are headed %q", got)
	}
}

// TestSidesOfDifferences: both sides are the means whose difference is given, not geometric means.
func TestSidesOfDifferences(t *testing.T) {
	c := finding.Comparison{Metric: "errors", N: 6, Ranked: stat.Ranked{A: make([]float64, 6),
		B:     []float64{1, 2, 3, 4, 5, 6},
		Alpha: .05}}
	settleByRanks(&c, record.Metric{Name: "errors", Better: record.Lower}, true, trialset.Preregistered{}.WithDefaults())
	if c.A != 0 || c.B != 3.5 || c.Difference.Value != 3.5 || c.Better != "a" {
		t.Errorf("%g to %g, by %+v: %s", c.A, c.B, c.Difference, c.Better)
	}
}

// TestSessionsAtOnce: sessions that loaded one machine together are told from those that ran one after the other.
func TestSessionsAtOnce(t *testing.T) {
	at := func(id string, starts ...string) (out []record.Trial) {
		for _, s := range starts {
			out = append(out, record.Trial{Start: "2026-03-01T" + s + "Z", DurationS: 10,
				Keys: map[string]string{record.KeyMachineID: id}})
		}
		return out
	}
	a := at("m", "10:00:00", "10:00:20", "10:00:40")
	for want, b := range [][]record.Trial{at("m", "10:00:10", "10:00:50"), at("m", "10:00:29", "10:01:00"),
		at("m", "09:59:55", "10:00:45")} {
		if got := atOnce(a, b); got != want {
			t.Errorf("%d runs at once, want %d", got, want)
		}
	}
	if atOnce(a, at("other", "10:00:00")) != 0 || atOnce(a, at("", "10:00:00")) != 0 || atOnce(nil, a) != 0 {
		t.Error("runs of another machine, or of an unknown one, are at once")
	}
}

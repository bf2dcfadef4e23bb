package judge

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

func byClients(n float64) change {
	return func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Closed, Level: n, Unit: record.ParamClients}
		t.Keys[record.KeyLoad] = t.Load.Key()
	}
}

// TestImplausible: an import whose values contradict each other is doubted.
func TestImplausible(t *testing.T) {
	ops := func(v float64) change { return measured(record.Throughput, "op/s", record.Higher, v) }
	latency := func(name string, s float64) change { return measured(name, "s", record.Lower, s) }
	for name, c := range map[string]struct {
		changes []change
		want    string
	}{
		"as it should be": {[]change{byClients(8), ops(800), latency(record.Latency, .01)}, ""},
		"a bit less":      {[]change{byClients(8), ops(800), latency(record.Latency, .006)}, ""},
		"too many in flight": {[]change{byClients(8), ops(8000), latency(record.Latency, .01)},
			"latency of 0.01 s at 8000 op/s makes about 80 requests in flight, but there are 8 clients"},
		"too few in flight": {[]change{byClients(32), ops(100), latency(record.Latency, .01)},
			"makes only 1 requests in flight"},
		"few of a paced load": {[]change{byClients(32), measured(record.Throughput, "op/s", record.Neutral, 100),
			latency(record.Latency, .01)}, ""},
		"by the median": {[]change{byClients(8), ops(8000), latency(record.LatencyP50, .01)},
			"latency_p50 of 0.01 s at 8000 op/s makes at least 40 requests in flight"},
		"a median is no mean": {[]change{byClients(8), ops(80), latency(record.LatencyP50, .01)}, ""},
		"under another name": {[]change{byClients(8), measured(record.Throughput, "tps", record.Higher, 8000),
			latency(record.Latency, .01)}, "(Little's law)"},
		"bytes are no requests": {[]change{byClients(8), latency(record.Latency, .01)}, ""},
		"a producer": {[]change{byClients(1), ops(8000), latency(record.Latency, .01),
			key(record.KeyImported, "rdkafka_performance")}, ""},
		"over an offered rate": {[]change{ops(1500), func(t *record.Trial) {
			t.Load = record.LoadPoint{Kind: record.Open, Level: 1000}
		}}, "1500 op/s were handled, but only 1000 a second were offered"},
		"clients above a rate": {[]change{byClients(8), ops(1500), key("aes.rate", "1000")},
			"1500 op/s were handled, but only 1000 a second were offered"},
		"clients within a rate":  {[]change{byClients(8), ops(1010), key("aes.rate", "1000")}, ""},
		"a rate that is no rate": {[]change{byClients(8), ops(1010), key("aes.rate", "all")}, ""},
	} {
		got := strings.Join(note.Texts(integrity.Implausible(trial("m1", 0, 1e9, c.changes...))), "; ")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestOutlierIsNamed: by its replicate, in show and in compare.
func TestOutlierIsNamed(t *testing.T) {
	trials := session(10, .05, .005, fromCSV())
	for i := range trials { // their common drift taken out
		trials[i].Values[0].Value = 1e9 * (1 + .01*float64(i%3))
	}
	for i := range trials {
		if trials[i].Replicate == 6 && trials[i].Keys[record.KeyMachine] == "m2" {
			trials[i].Values[0].Value *= 1.4
		}
	}
	shown := Show(trials, nil, plans(nil))
	if flagged(shown.Workloads[0].Doubts, "outlier") ||
		!flagged(shown.Workloads[1].Doubts, "run 7 is an outlier: it differs from the others by +40%") {
		t.Errorf("%q, %q", shown.Workloads[0].Doubts, shown.Workloads[1].Doubts)
	}
	got, err := Compare(trials, nil, plans(nil), Options{})
	if v := only(t, got, err); !flagged(v.Flags, "candidate: run 7 is an outlier") {
		t.Errorf("%q", v.Flags)
	}
}

// TestSameValuesOnBothSides: nobody measures the same twice.
func TestSameValuesOnBothSides(t *testing.T) {
	for _, c := range []struct {
		changes []change
		want    bool
	}{{[]change{fromCSV()}, true}, {nil, false}, {[]change{fromCSV(), as(record.Latency, record.Lower)}, true}} {
		trials := session(4, .05, .005, c.changes...)
		for i := range trials {
			trials[i].Values[0].Value = 1e9 + float64(trials[i].Replicate)
		}
		got, err := Compare(trials, nil, plans(nil), Options{})
		if v := only(t, got, err); flagged(v.Flags, "both sides have the same values") != c.want {
			t.Errorf("%q", v.Flags)
		}
	}
}

// TestImportsApart: imports that are taken together and differ are named.
func TestImportsApart(t *testing.T) {
	files := plans(nil)
	files[0].Plan.Imported = &record.Imported{File: "x.csv"}
	files = append(files, record.PlanLine{Hash: "p2", Plan: record.Plan{Imported: &record.Imported{File: "y.csv"}}})
	for _, c := range []struct {
		second float64
		n      int
		want   string
	}{
		{1.5e9, 3, "the pooled files differ by 50%: y.csv is over x.csv"},
		{1.05e9, 3, ""},
		{1.5e9, 1, ""}, // its scatter is said
	} {
		var trials []record.Trial
		for i := range c.n {
			trials = append(trials, trial("m1", i, 1e9, fromCSV()), trial("m1", i, c.second, fromCSV(), planned("p2")))
		}
		got := Show(trials, nil, files).Workloads[0].Doubts
		if flagged(got, "the pooled files differ") != (c.want != "") || c.want != "" && !flagged(got, c.want) {
			t.Errorf("%g: %q", c.second, got)
		}
	}
}

// TestOverLinear: a machine that handles twelve times as much a CPU as on one is not called linear unsaid.
func TestOverLinear(t *testing.T) {
	for per, want := range map[float64]bool{1: false, 1.05: false, 12.4: true} {
		var trials []record.Trial
		for _, n := range []float64{1, 2, 4, 8} {
			for i := range 4 {
				v := 1e9 * n * (1 + .001*float64(i))
				if n > 1 {
					v *= per
				}
				trials = append(trials, trial("m1", i, v, func(t *record.Trial) {
					t.Load = record.LoadPoint{Kind: record.Closed, Level: n, Unit: record.ParamCPUs}
					t.Keys[record.KeyLoad], t.Cell = t.Load.Key(), int(n)
				}))
			}
		}
		said := false
		for _, s := range sweep.ScalingsOf(trials, nil) {
			said = s.Scaling != nil && flagged(s.Scaling.Doubts, "scaling to 2 CPUs is better than linear")
		}
		if said != want {
			t.Errorf("%g a CPU: said %t", per, said)
		}
	}
}

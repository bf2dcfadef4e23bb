package judge

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// twoSides is 5 replicates of an imported cell on m1 and m2: their rates, the scatter of these, and by how much m2's
// latency differs.
func twoSides(a, b, sd, latency float64, changes ...change) []record.Trial {
	var out []record.Trial
	for side, mean := range []float64{a, b} {
		for i := range 5 {
			e := []float64{.3, -1.1, 1.4, .2, -.8}[(i+2*side)%5]
			cs := []change{fromCSV(), cellNo(side), key(record.KeyLoad, "once"),
				measured(record.Throughput, "op/s", record.Higher, mean*math.Exp(sd*e))}
			for name, base := range map[string]float64{"latency_p50": .004, "latency_p90": .008, "latency_p99": .02,
				"latency_p999": .05} {
				cs = append(cs, measured(name, "s", record.Lower, base*(1+latency*float64(side))*math.Exp(.01*e)))
			}
			out = append(out, trial([]string{"m1", "m2"}[side], i, mean, append(cs, changes...)...))
		}
	}
	return out
}

// clientsOf is a closed load.
func clientsOf(n float64) change {
	return func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Closed, Level: n, Unit: record.ParamClients}
		t.Keys[record.KeyLoad] = t.Load.Key()
	}
}

func usingCPU(a, b float64) change {
	return func(t *record.Trial) {
		measured(record.CPUPercent, "%", record.Neutral, []float64{a, b}[t.Cell])(t)
	}
}

// TestRateOrCap: what a rate, a link or idle machines made of throughput is no capacity, and latency is judged in its
// place.
func TestRateOrCap(t *testing.T) {
	bytes := func(v float64) change {
		return func(t *record.Trial) {
			w, _ := t.Value(record.Throughput)
			measured(record.Throughput, "B/s", record.Higher, w.Value)(t)
			t.Values = t.Values[:1]
		}
	}
	slower := func(t *record.Trial) { measured(record.LatencyP50, "s", record.Lower, .009*(1-.19*float64(t.Cell)))(t) }
	ours := func(t *record.Trial) { delete(t.Keys, record.KeyImported) }
	for _, c := range []struct {
		name    string
		trials  []record.Trial
		verdict trialset.Verdict // of throughput
		judged  bool             // each latency
		flag    string           // of throughput; "": none that says so
	}{
		{"an offered rate, in two operations",
			join(twoSides(1000, 1000, .0005, -.19), twoSides(1000, 1000, .0005, -.19, key("aes.size", "1KiB"), slower)), "",
			true,
			"no verdict is given: the throughput is a set rate or a cap, not the capacity: throughput varies by 0.0496% and " +
				"0.0496%, less than the 0.5% of a machine at its limit; different work gives the same throughput: aes"},
		{"an offered rate", twoSides(1000, 1000, .0005, -.19), "", true, "differs by -19%"},
		{"a link", twoSides(117.6e6, 117.6e6, .0005, 0, bytes(0)), "", false,
			"both sides run at exactly 94% of a link of 1 Gbit/s, which suggests a cap"},
		{"kernels that are flat over sizes",
			join(twoSides(1e9, 1.2e9, .002, 0, bytes(0)), twoSides(1e9, 1.2e9, .002, 0, bytes(0), key("aes.size", "1KiB"))),
			trialset.Different, false, "may be a set rate or a cap"},
		{"quiet machines", twoSides(1000, 1100, .0005, 0), trialset.Different, false,
			"the throughput may be a set rate or a cap, not the capacity: throughput varies by"},
		{"noisy machines that are alike", twoSides(1000, 1001, .008, 0), trialset.Equivalent, false, ""},
		{"idle CPUs", twoSides(1000, 1050, .01, -.19, usingCPU(22, 40)), "", true,
			"no verdict is given: the CPUs were only 22% and 40% busy"},
		{"an idle side that handles more", twoSides(1000, 1500, .01, -.19, usingCPU(95, 40)), trialset.Different, false, ""},
		{"an idle side that handles less", twoSides(1000, 900, .01, -.19, usingCPU(95, 40)), "", true,
			"95% and 40% busy"},
		{"busy CPUs", twoSides(1000, 1200, .01, -.19, usingCPU(95, 97)), trialset.Different, false, ""},
		{"a load of CPUs", twoSides(1000, 1000, .0005, -.19, usingCPU(22, 40), onCPUs(1)), trialset.Equivalent, false, ""},
		{"a closed load of ours", twoSides(1000, 1000, .0005, -.19, usingCPU(22, 40), clientsOf(8), ours),
			trialset.Equivalent, false, ""},
	} {
		got, err := Compare(c.trials, nil, plans(nil),
			Options{Basis: func(record.Machine) finding.Basis { return finding.Basis{VCPUs: 8, Cores: 4, PricePerHour: 1} }})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range got.Pairs[0].Verdicts {
			switch {
			case v.Metric == record.Throughput && v.Per == finding.PerMachine:
				said := flagged(v.Flags, "a set rate or a cap") || flagged(v.Flags, "no verdict is given")
				if v.Verdict != c.verdict || said != (c.flag != "") || c.flag != "" && !flagged(v.Flags, c.flag) {
					t.Errorf("%s: %q, %q", c.name, v.Verdict, v.Flags)
				}
			case v.Metric == record.Throughput && c.verdict == "":
				t.Errorf("%s: a figure per %s: %+v", c.name, v.Per, v)
			case strings.HasPrefix(v.Metric, "latency") && (v.Verdict == trialset.Different) != c.judged:
				t.Errorf("%s: %s has the verdict %q", c.name, v.Metric, v.Verdict)
			case v.Primary && v.Metric != record.Throughput && v.Metric != record.LatencyP99:
				t.Errorf("%s: %s is primary", c.name, v.Metric)
			}
		}
	}
}

// TestSweptRatesKeepTheirVerdicts: the loads of a sweep together say what can be carried.
func TestSweptRatesKeepTheirVerdicts(t *testing.T) {
	var trials []record.Trial
	for i, n := range []float64{8, 16, 32} {
		group := func(t *record.Trial) { t.Cell, t.Group = t.Cell+2*i, i }
		trials = append(trials, twoSides(1000*n, 1100*n, .0005, -.1, usingCPU(20+n, 10+n), clientsOf(n), group)...)
	}
	if v := comparisonOf(t, trials, record.Throughput, "16 clients"); v.Verdict != trialset.Different ||
		flagged(v.Flags, "the CPUs were only") {
		t.Errorf("%+v", v)
	}
}

// TestClientsAndShares: fewer clients than vCPUs say nothing of one of these, and carrying them has a price all the
// same.
func TestClientsAndShares(t *testing.T) {
	for _, c := range []struct {
		clients      float64
		unit, dollar string
		core         trialset.Verdict
		hint         bool
	}{
		{1, "op/s", "op/$", "", false},
		{16, "tps", "transaction/$", "", false},
		{48, "tps", "transaction/$", trialset.Different, true},
		{96, "q/s", "q/$", trialset.Different, true},
		{96, "req/s", "req/$", trialset.Different, true},
		{96, "requests/s", "requests/$", trialset.Different, true},
	} {
		named := func(t *record.Trial) {
			w, _ := t.Value(record.Throughput)
			measured(record.Throughput, c.unit, record.Higher, w.Value)(t)
		}
		got, err := Compare(twoSides(1000, 1100, .01, 0, clientsOf(c.clients), named), nil, plans(nil),
			Options{Basis: func(m record.Machine) finding.Basis {
				return map[string]finding.Basis{"m1": {VCPUs: 48, Cores: 24, PricePerHour: 2},
					"m2": {VCPUs: 8, Cores: 8, PricePerHour: 1}}[m.Name]
			}})
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, v := range got.Pairs[0].Verdicts {
			switch v.Per {
			case "vcpu", "core":
				if seen++; v.Verdict != c.core || (c.core == "") != flagged(v.Flags, "per-vCPU figures mislead") {
					t.Errorf("%g clients: %q per %s, %q", c.clients, v.Verdict, v.Per, v.Flags)
				}
			case "dollar":
				seen++
				if v.Unit != c.dollar || v.Lo == nil || v.PerOp == nil ||
					!flagged(v.Flags, "the machines may handle more") || (v.Verdict == "") != (c.core == "") {
					t.Errorf("%g clients in %s: %+v", c.clients, c.unit, v)
				}
			}
		}
		if warned := strings.Join(note.Texts(got.Pairs[0].Warnings), " "); seen != 3 ||
			strings.Contains(warned, "hint: compare the figures per core") != c.hint {
			t.Errorf("%g clients: %d figures, %s", c.clients, seen, warned)
		}
	}
}

// TestWhatHasNoValueIsSaid: a price that is not known, and a unit that is none of a rate.
func TestWhatHasNoValueIsSaid(t *testing.T) {
	unpriced := func(m record.Machine) finding.Basis {
		return finding.Basis{VCPUs: 8, PricePerHour: map[string]float64{"m1": 1}[m.Name]}
	}
	got, err := Compare(twoSides(1000, 1100, .01, 0), nil, plans(nil), Options{Basis: unpriced})
	if err != nil ||
		!flagged(got.Pairs[0].Warnings, "the price of m2 is unknown: set it with --price\nhint: --price m2=1.808") {
		t.Errorf("%q, %v", got.Pairs[0].Warnings, err)
	}
	points := func(t *record.Trial) {
		measured(record.Throughput, "points", record.Higher, 1000+10*float64(t.Cell))(t)
	}
	got, err = Compare(twoSides(1000, 1100, .01, 0, points), nil, plans(nil), Options{Basis: unpriced})
	if err != nil ||
		!flagged(got.Pairs[0].Warnings, "only rates have figures per vCPU, core and dollar: metrics in other units are "+
			"left out (throughput in points)") || flagged(got.Pairs[0].Warnings, "--price") {
		t.Errorf("%q, %v", got.Pairs[0].Warnings, err)
	}
}

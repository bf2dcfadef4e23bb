package judge

import (
	"math"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

func fromCSV() change { return key(record.KeyImported, "csv") }

// inPairs says of an import's trials that equal replicates are pairs, as a column of its file does.
func inPairs() change { return func(t *record.Trial) { n := t.Replicate; t.Pair = &n } }

// TestImportedPairsAreThoseThatTheFileSays: replicate numbers are an order.
func TestImportedPairsAreThoseThatTheFileSays(t *testing.T) {
	got, err := Compare(session(8, .05, .005, fromCSV()), nil, plans(nil), Options{})
	if v := only(t, got, err); v.Paired || v.N != 8 ||
		!flagged(v.Flags, "the imported runs are not paired") {
		t.Errorf("%+v", v)
	}
	got, err = Compare(session(8, .05, .005, fromCSV(), inPairs()), nil, plans(nil), Options{})
	if v := only(t, got, err); !v.Paired || v.Verdict != trialset.Different ||
		!flagged(v.Flags, "the pairs come from the file") {
		t.Errorf("%+v", v)
	}
	got, err = Compare(session(8, .05, .005), nil, plans(nil), Options{})
	if v := only(t, got, err); flagged(v.Flags, "import") {
		t.Errorf("%q", v.Flags)
	}
}

// TestValuesInOrderAreNoPairs: two sides that were sorted before they were numbered.
func TestValuesInOrderAreNoPairs(t *testing.T) {
	sorted := func(n int, sign float64, changes ...change) []record.Trial {
		var out []record.Trial
		for i := range n {
			v := 1000 * math.Exp(sign*.02*float64(i))
			out = append(out, trial("m1", i, v, append(changes, cellNo(0))...),
				trial("m2", i, 1.01*v, append(changes, cellNo(1))...))
		}
		return out
	}
	for name, c := range map[string]struct {
		trials []record.Trial
		paired bool
	}{
		"rising":              {sorted(8, 1, fromCSV(), inPairs()), false},
		"falling":             {sorted(8, -1, fromCSV(), inPairs()), false},
		"four may be chance":  {sorted(4, 1, fromCSV(), inPairs()), true},
		"measured by a plan":  {sorted(8, 1), true},
		"all the same":        {sorted(8, 0, fromCSV(), inPairs()), true},
		"not in order at all": {session(8, .01, .02, fromCSV(), inPairs()), true},
	} {
		got, err := Compare(c.trials, nil, plans(nil), Options{})
		v := only(t, got, err)
		if v.Paired != c.paired || flagged(v.Flags, "sorted by value") == c.paired {
			t.Errorf("%s: %+v", name, v)
		}
		if !c.paired && (v.Verdict != "" || v.Lo != nil || !flagged(v.Flags,
			"by 2.0% per run, so neither an interval nor a verdict is given")) {
			t.Errorf("%s: 1%% in values that change by 2%% a run is no difference: %+v", name, v)
		}
	}
}

// TestImportsHaveNoRounds: replicates of several cells of an import are not one round.
func TestImportsHaveNoRounds(t *testing.T) {
	for _, c := range []struct {
		changes []change
		want    bool
	}{{nil, true}, {[]change{fromCSV(), inPairs()}, false}} {
		var trials []record.Trial
		for i, size := range []string{"1KiB", "2KiB"} {
			group := func(t *record.Trial) { t.Group = i }
			trials = append(trials, session(5, .05, .005, append(c.changes, key("aes.size", size), group)...)...)
		}
		got, err := Compare(trials, nil, plans(nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		all := compare.KindOverall.All(got.Pairs[0])
		if (len(all) == 1 && all[0].Ratio != nil) != c.want || !c.want && len(all) > 0 {
			t.Errorf("%d changes: %+v", len(c.changes), all)
		}
	}
}

// TestImportedCPUUse: figures per dollar need machines that were filled.
func TestImportedCPUUse(t *testing.T) {
	cheap := func(record.Machine) finding.Basis { return finding.Basis{VCPUs: 8, PricePerHour: 1} }
	clients := func(t *record.Trial) {
		t.Keys[record.KeyLoad], t.Load = "10 clients", record.LoadPoint{Kind: record.Closed, Level: 10, Unit: "clients"}
	}
	for name, c := range map[string]struct {
		cpuA, cpuB float64 // 0: not stated
		verdict    trialset.Verdict
		flag       string
	}{
		"both full":     {95, 99, trialset.Different, ""},
		"one half idle": {95, 50, "", "the CPUs were 95% and 50% busy"},
		"not known":     {0, 0, trialset.Different, "the price is for handling 10 clients: the machines may handle more"},
		"of one side": {95, 0, trialset.Different,
			"the price is for handling 10 clients: the machines may handle more"},
	} {
		trials := session(8, .05, .005, fromCSV(), inPairs(), clients)
		for i := range trials {
			if use := []float64{c.cpuA, c.cpuB}[trials[i].Cell]; use > 0 {
				measured(record.CPUPercent, "%", record.Neutral, use)(&trials[i])
			}
		}
		got, err := Compare(trials, nil, plans(nil), Options{Basis: cheap})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range got.Pairs[0].Verdicts {
			if v.Per == "vcpu" && (v.Verdict != c.verdict) || v.Per == "dollar" &&
				(v.Verdict != c.verdict || (c.flag == "") != (len(v.Flags) == 0) || c.flag != "" && !flagged(v.Flags, c.flag)) {
				t.Errorf("%s: %+v", name, v)
			}
		}
	}
}

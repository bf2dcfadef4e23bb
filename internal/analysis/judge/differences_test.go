package judge

import (
	"fmt"
	"reflect"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// counted returns imported runs of two machines that state throughput and one more metric.
func counted(better record.Better, a, b []float64) []record.Trial {
	var out []record.Trial
	for side, values := range [][]float64{a, b} {
		name := [...]string{"m1", "m2"}[side]
		for i, v := range values {
			out = append(out, record.Trial{ID: fmt.Sprint(name, i), Slot: record.Slot{Replicate: i},
				Load: record.LoadPoint{Kind: record.Closed, Level: 8, Unit: "clients"},
				Keys: map[string]string{record.KeyMachine: name, record.KeyWorkload: "w", record.KeyImported: "csv",
					record.KeyLoad: "8 clients"},
				Values: []record.Value{
					{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher},
						Value: 1000 + float64(7*i%5)},
					{Metric: record.Metric{Name: "lost", Unit: "op", Better: better}, Value: v},
				}})
		}
	}
	return out
}

func each(v float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// TestDifferences: what logarithms cannot take is compared by ranks and differences, and gates see it.
func TestDifferences(t *testing.T) {
	const different, higher, fewRuns = trialset.Different, record.Higher, "it takes 4 runs per side"
	lower := record.Lower
	mostly := append(each(1000, 7), 0)
	for name, c := range map[string]struct {
		better  record.Better
		a, b    []float64
		verdict trialset.Verdict
		wins    string
		ratio   bool
		gate    string
		state   [3]int // holding, undecided, passed
		flag    string
	}{
		"0 to 3":            {lower, each(0, 8), each(3, 8), different, "a", false, "lost > 0%", [3]int{1}, ""},
		"0 to 3, any share": {lower, each(0, 4), each(3, 4), different, "a", false, "lost > 900%", [3]int{1}, ""},
		"0 to 3, by 2":      {lower, each(0, 8), each(3, 8), different, "a", false, "lost > 2", [3]int{1}, ""},
		"0 to 3, by 3":      {lower, each(0, 8), each(3, 8), different, "a", false, "lost > 3", [3]int{0, 0, 1}, ""},
		"3 to 0":            {lower, each(3, 8), each(0, 8), different, "b", false, "lost > 0%", [3]int{0, 0, 1}, ""},
		"all zero":          {lower, each(0, 8), each(0, 8), "", "", false, "lost > 0%", [3]int{0, 0, 1}, ""},
		"some runs":         {lower, each(0, 8), append(each(0, 6), 2, 3), "", "", false, "lost > 0%", [3]int{0, 1}, ""},
		"most runs": {lower, each(0, 8), append(each(3, 6), 0, 0), different, "a", false,
			"lost > 0%", [3]int{1}, ""},
		"a rare large one":   {lower, each(0, 8), append(each(0, 7), 1000), "", "", false, "lost > 0%", [3]int{0, 1}, ""},
		"2 against 2":        {lower, each(0, 2), each(3, 2), "", "", false, "lost > 0%", [3]int{0, 1}, fewRuns},
		"3 against 3":        {lower, each(0, 3), each(3, 3), "", "", false, "lost > 0%", [3]int{0, 1}, fewRuns},
		"negative":           {higher, each(-3, 4), each(2, 4), different, "b", false, "lost < 0", [3]int{0, 0, 1}, ""},
		"more negative":      {higher, each(-3, 4), each(-4, 4), different, "a", false, "lost < -2%", [3]int{1}, ""},
		"one zero":           {higher, mostly, each(1100, 8), "", "", true, "lost < -2%", [3]int{0, 1}, ""},
		"one zero, a rise":   {higher, mostly, each(1100, 8), "", "", true, "lost > 2%", [3]int{1}, ""},
		"no known direction": {record.Neutral, each(0, 8), each(3, 8), "", "", false, "lost > 0%", [3]int{1}, ""},
	} {
		got, err := Compare(counted(c.better, c.a, c.b), nil, nil, Options{})
		if err != nil || len(got.Pairs) != 1 {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		v := got.Pairs[0].Verdicts[1]
		if v.Metric != "lost" || v.Verdict != c.verdict || v.Better != c.wins || (v.Ratio > 0) != c.ratio ||
			v.Difference == nil {
			t.Errorf("%s: verdict %q, better %q, ratio %v", name, v.Verdict, v.Better, v.Ratio)
		}
		if c.flag != "" && !flagged(v.Flags, c.flag) {
			t.Errorf("%s: flags %q", name, v.Flags)
		}
		condition, err := compare.ParseCondition(c.gate)
		if err != nil {
			t.Fatal(err)
		}
		j := condition.Judge(got)
		if n := [3]int{len(j.Holding), len(j.Undecided), len(j.Passed)}; n != c.state {
			t.Errorf("%s: %s: %v, want %v", name, c.gate, n, c.state)
		}
	}
}

// TestMeansContradictRanks: a run of 0 among faster ones is no better side.
func TestMeansContradictRanks(t *testing.T) {
	trials := counted(record.Higher, []float64{1000, 1001, 997, 999, 1002, 998, 1003, 1004},
		[]float64{1050, 1051, 0, 1052, 1048, 1049, 1053, 1047})
	for i := range trials {
		trials[i].Values = trials[i].Values[1:]
	}
	got, err := Compare(trials, nil, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := got.Pairs[0].Verdicts[0]; v.Verdict != trialset.Undecided || !(v.Ratio > 1.04) ||
		!flagged(v.Flags, "ranks and means disagree") {
		t.Errorf("%q, ratio %v, flags %q", v.Verdict, v.Ratio, v.Flags)
	}
}

// TestMissing: what one side lacks, or what failed there, is named and told apart.
func TestMissing(t *testing.T) {
	alter := func(change func(t *record.Trial)) []record.Trial {
		out := counted(record.Lower, each(1, 4), each(1, 4))
		for i := range out {
			change(&out[i])
		}
		second := counted(record.Lower, each(1, 4), each(1, 4))
		for i := range second {
			second[i].ID += "-other"
			second[i].Keys[record.KeyWorkload] = "other"
		}
		return append(out, second...)
	}
	onB := func(t *record.Trial) bool { return t.Keys[record.KeyMachine] == "m2" }
	for name, c := range map[string]struct {
		change func(*record.Trial)
		want   finding.Missing
		text   string
	}{
		"failed": {func(t *record.Trial) {
			if onB(t) {
				t.Void = "59% failed"
			}
		}, finding.Missing{Cell: "w at 8 clients"}, "all 4 runs on m2 failed: w at 8 clients: 59% failed"},
		"renamed": {func(t *record.Trial) {
			if onB(t) {
				t.Keys[record.KeyWorkload] = "x"
			}
		}, finding.Missing{Cell: "w at 8 clients", Absent: true}, "w at 8 clients was not run on m2"},
		"a metric": {func(t *record.Trial) {
			if onB(t) {
				t.Values = t.Values[:1]
			}
		}, finding.Missing{Cell: "w at 8 clients", Metric: "lost", Absent: true}, "w at 8 clients: only m1 reports lost"},
		"the deciding metric": {func(t *record.Trial) {
			if onB(t) {
				t.Values = t.Values[1:]
			}
		}, finding.Missing{Cell: "w at 8 clients", Metric: record.Throughput, Absent: true, Deciding: true},
			"w at 8 clients: only m1 reports throughput"},
		"another unit": {func(t *record.Trial) {
			if onB(t) {
				t.Values[1].Unit = "%"
			}
		}, finding.Missing{Cell: "w at 8 clients", Metric: "lost"},
			"w at 8 clients: m1 reports lost in op, but m2 in %"},
	} {
		got, err := Compare(alter(c.change), nil, nil, Options{})
		if err != nil || len(got.Pairs) != 1 {
			t.Fatalf("%s: %v", name, err)
		}
		all := got.AllMissing()
		if len(all) == 0 {
			t.Errorf("%s: nothing is missing", name)
			continue
		}
		m := all[0]
		if text := m.Text(); text != c.text {
			t.Errorf("%s: %q", name, text)
		}
		m.Why = c.want.Why
		if !reflect.DeepEqual(m, c.want) {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

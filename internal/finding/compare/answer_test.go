package compare

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// TestDecidedResultsComeFirst: no answer begins with what has no verdict while something has one.
func TestDecidedResultsComeFirst(t *testing.T) {
	at := func(load, metric string, ratio float64, n int, v trialset.Verdict) finding.Comparison {
		c := finding.Comparison{Workload: "mysql", Load: load, Metric: metric, Primary: true, Per: finding.PerMachine,
			Unit: "op/s", Direction: record.Higher, Ratio: ratio, N: n, Verdict: v}
		if v != "" {
			c.Lo, c.Hi = new(ratio*.97), new(ratio*1.03)
		}
		if v == trialset.Different {
			c.Better = map[bool]string{true: "b", false: "a"}[ratio > 1]
		}
		return c
	}
	rate := func(load string, ratio float64, v trialset.Verdict) finding.Comparison {
		return at(load, record.Throughput, ratio, 3, v)
	}
	line := func(ratio float64, n int, v trialset.Verdict) finding.Comparison {
		return at(record.KeySwept, loadline.MetricSustained, ratio, n, v)
	}
	single := at("2 clients", record.Throughput, .9, 1, "")
	per := func(c finding.Comparison, ratio float64, v trialset.Verdict) finding.Comparison {
		out := at(c.Load, c.Metric, ratio, c.N, v)
		out.Per = "dollar"
		return out
	}
	three := []finding.Comparison{rate("1 clients", .75, trialset.Different), rate("2 clients", .8, trialset.Different),
		rate("4 clients", .98, trialset.Undecided)}
	of := func(first finding.Comparison, rest ...finding.Comparison) []finding.Comparison {
		return append([]finding.Comparison{first}, rest...)
	}
	mean := func(v trialset.Verdict) []finding.Finding {
		return KindOverall.Each([]Overall{{Per: finding.PerMachine, Cells: 3, Ratio: new(.85), Lo: new(.7), Hi: new(1.02),
			N: 3, Verdict: v, Better: map[bool]string{true: "a"}[v == trialset.Different]}})
	}
	for _, c := range []struct {
		name, lead, text string
		found            []finding.Finding
	}{
		{"an undecided mean of decided cells", "mixed", "worse in 2, undecided in 1 of 3", mean(trialset.Undecided)},
		{"a mean of too few rounds", "mixed", "worse in 2, undecided in 1 of 3", mean("")},
		{"a decided mean", "worse", "mean of 3 cells", mean(trialset.Different)},
	} {
		p := finding.Pair{A: "c5", B: "c6g", By: record.KeyMachine, Verdicts: three, Found: c.found}
		if got := Answer([]*finding.PairView{View("x", p, 0)}); len(got.Results) == 0 || got.Results[0].Lead != c.lead ||
			!strings.Contains(got.Results[0].Text, c.text) {
			t.Errorf("%s: %+v, want %s, %q", c.name, got.Results, c.lead, c.text)
		}
	}
	for _, c := range []struct {
		name, lead, text, cost string
		verdicts               []finding.Comparison
	}{
		{"a line of one run", "mixed", "worse in 2, undecided in 1 of 3", "", of(line(.93, 1, ""), three...)},
		{"an undecided line", "mixed", "worse in 2, undecided in 1 of 3", "",
			of(line(.99, 3, trialset.Undecided), three...)},
		{"a decided line", "worse", "load limit -10.0%", "", of(line(.9, 3, trialset.Different), three...)},
		{"an undecided line of undecided loads", "undecided", "load limit", "",
			of(line(.99, 3, trialset.Undecided), three[2])},
		{"a line that was not crossed", "no verdict", "throughput -10.0%", "", of(line(math.NaN(), 1, ""), single)},
		{"a load of one run beside one of three", "better", "1 client", "",
			of(single, rate("1 clients", 1.2, trialset.Different))},
		{"a price that decides", "mixed", "", "+10.0% to +24.0% per dollar",
			of(line(.93, 1, ""), append(three, per(three[0], 1.1, trialset.Different),
				per(three[2], 1.24, trialset.Different))...)},
	} {
		p := finding.Pair{A: "c5", B: "c6g", By: record.KeyMachine, Verdicts: c.verdicts}
		got := Answer([]*finding.PairView{View("x", p, 0)})
		if len(got.Results) == 0 || got.Results[0].Lead != c.lead || !strings.Contains(got.Results[0].Text, c.text) {
			t.Errorf("%s: %+v, want %s, %q", c.name, got.Results, c.lead, c.text)
		}
		if c.cost != "" && (len(got.Costs) != 1 || !strings.Contains(got.Costs[0].Text, c.cost)) {
			t.Errorf("%s: %+v, want %q", c.name, got.Costs, c.cost)
		}
	}
}

// TestObjectionsThatMayChange: an answer objects with the gravest note that can change its verdict, and names the
// benchmark, the side or the machine; the scatter that an interval includes, and a drift that is too small, change
// nothing.
func TestObjectionsThatMayChange(t *testing.T) {
	bounded := func(flags ...note.Note) finding.Comparison {
		return finding.Comparison{Workload: "http", Load: "2 clients", Metric: record.Throughput, Primary: true,
			Per: finding.PerMachine, Unit: "op/s", Direction: record.Higher, Ratio: .8, Lo: new(.77), Hi: new(.83), N: 5,
			Verdict: trialset.Different, Better: "a", Flags: flags}
	}
	few := bounded(note.New("pairs-vary", 14.))
	few.Lo, few.Hi, few.N, few.Verdict, few.Better = nil, nil, 2, "", ""
	other := bounded(note.New("unpaired"))
	other.Load = "8 clients"
	failed := finding.Missing{Cell: "disk at 8 clients",
		Why: note.New("cell-failed", 3, "new", "disk at 8 clients", "gone")}
	absent := finding.Missing{Cell: "disk at 8 clients", Why: note.New("cell-absent", "new", "disk at 8 clients"),
		Absent: true}
	for _, c := range []struct {
		name     string
		verdicts []finding.Comparison
		missing  []finding.Missing
		warnings []note.Note
		want     string
	}{
		{"scatter that the interval includes", these(bounded(note.New("pairs-vary", 14.),
			note.New("of-side", "a", note.New("replicates-vary", 30.)))), nil, nil, ""},
		{"scatter without an interval", these(few), nil, nil, "the ratio varies by 14% from pair to pair"},
		{"a small drift", these(bounded(note.New("trials-drift", 6., 1, 5))), nil, nil, ""},
		{"a large drift", these(bounded(note.New("trials-drift", 30., 1, 5))), nil, nil,
			"1 of 5 runs drift by up to 30.0% from start to end"},
		{"the same without the disturbed runs", these(bounded(note.New("disturbed", "1 of 5 pairs", "DIFFERENT", 4))),
			nil, nil, ""},
		{"one benchmark of two", these(bounded(), other), nil, nil,
			"the runs were not interleaved, so drift is not cancelled (8 clients)"},
		{"a side", these(bounded(note.New("of-side", "b", note.New("clients-starved", 1, 4)))), nil, nil,
			"1 of 4 clients got no answer (new)"},
		{"a price", these(bounded()), nil, []note.Note{note.New("no-price", "new", "new")}, ""},
		{"a machine", these(bounded()), nil,
			[]note.Note{note.New("of-machine", "new", note.New("unlike-cpu-count", "new", 4, 2))},
			"the machine has 2 vCPUs, but its type has 4 (new)"},
		{"failed runs", these(other), []finding.Missing{absent, failed}, nil, "all 3 runs failed on new (disk at 8 clients)"},
		{"an absent benchmark", these(bounded()), []finding.Missing{absent}, nil,
			"the benchmark was not run on new (disk at 8 clients)"},
	} {
		p := finding.Pair{A: "old", B: "new", By: record.KeyMachine, Verdicts: c.verdicts, Missing: c.missing,
			Warnings: c.warnings}
		got := ""
		for _, s := range Answer([]*finding.PairView{View("x", p, 0)}).Lines() {
			if s.Lead == "but" {
				got += s.Text
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func these(cs ...finding.Comparison) []finding.Comparison { return cs }

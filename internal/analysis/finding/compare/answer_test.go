package compare

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
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
		return KindOverall.Each([]Overall{{Per: finding.PerMachine, Cells: 3, Ratio: new(.85),
			Bounds: figure.Between(.7, 1.02),
			N:      3, Verdict: v, Better: map[bool]string{true: "a"}[v == trialset.Different]}})
	}
	for _, c := range []struct {
		name, lead, text string
		found            []finding.Finding
	}{
		{"an undecided mean of decided cells", finding.Mixed, "slower in 2, inconclusive in 1 of 3",
			mean(trialset.Undecided)},
		{"a mean of too few rounds", finding.Mixed, "slower in 2, inconclusive in 1 of 3", mean("")},
		{"a decided mean", finding.Slower, "mean of 3 benchmarks", mean(trialset.Different)},
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
		{"a line of one run", finding.Mixed, "slower in 2, inconclusive in 1 of 3", "", of(line(.93, 1, ""), three...)},
		{"an undecided line", finding.Mixed, "slower in 2, inconclusive in 1 of 3", "",
			of(line(.99, 3, trialset.Undecided), three...)},
		{"a decided line", finding.Worse, "c6g handles 10.0% less load than c5", "",
			of(line(.9, 3, trialset.Different), three...)},
		{"an undecided line of undecided loads", finding.Inconclusive,
			"c6g may handle 4.0% less to 2.0% more load than c5", "",
			of(line(.99, 3, trialset.Undecided), three[2])},
		{"a line that was not crossed", finding.Inconclusive, "c6g was 10.0% slower than c5", "",
			of(line(math.NaN(), 1, ""), single)},
		{"a load of one run beside one of three", finding.Faster, "c6g is 20.0% faster than c5", "",
			of(single, rate("1 clients", 1.2, trialset.Different))},
		{"a price that decides", finding.Mixed, "", "c6g does 10.0% to 24.0% more work per dollar than c5",
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
			Per: finding.PerMachine, Unit: "op/s", Direction: record.Higher, Ratio: .8, Bounds: figure.Between(.77, .83), N: 5,
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
			note.New("of-side", "baseline", note.New("replicates-vary", 30.)))), nil, nil, ""},
		{"scatter without an interval", these(few), nil, nil, "the ratio varies by 14% from pair to pair"},
		{"a small drift", these(bounded(note.New("trials-drift", 6., 1, 5))), nil, nil, ""},
		{"a large drift", these(bounded(note.New("trials-drift", 30., 1, 5))), nil, nil,
			"1 of 5 runs drift by up to 30.0% from start to end"},
		{"the same without the disturbed runs", these(bounded(note.New("disturbed", "1 of 5 pairs", "DIFFERENT", 4))),
			nil, nil, ""},
		{"one benchmark of two", these(bounded(), other), nil, nil,
			"the runs were not interleaved, so drift is not cancelled (8 clients)"},
		{"a side", these(bounded(note.New("of-side", "candidate", note.New("clients-starved", 1, 4)))), nil, nil,
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
		if got := linesWith(p, "but"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func these(cs ...finding.Comparison) []finding.Comparison { return cs }

// linesWith returns the text of an answer's lines with a lead.
func linesWith(p finding.Pair, lead string) string {
	out := ""
	for _, s := range Answer([]*finding.PairView{View("x", p, 0)}).Lines() {
		if s.Lead == lead {
			out += s.Text
		}
	}
	return out
}

// TestPriceLine: known prices have a line, whether or not a verdict or a figure per dollar exists.
func TestPriceLine(t *testing.T) {
	c := finding.Comparison{
		Workload:  "http",
		Load:      "2 clients",
		Metric:    record.LatencyP99,
		Primary:   true,
		Per:       finding.PerMachine,
		Unit:      "s",
		Direction: record.Lower,
		A:         .01,
		B:         .012,
		Ratio:     1.2,
		Bounds:    figure.Between(.9, 1.6),
		N:         5,
		Verdict:   trialset.Undecided,
	}
	basis := func(price float64) *finding.Basis { return &finding.Basis{PricePerHour: price} }
	free := &finding.Basis{Free: true}
	for _, test := range []struct {
		a, b *finding.Basis
		want string
	}{
		{nil, nil, ""},
		{basis(0), basis(0), ""},
		{basis(.2), basis(.2), "new costs as much as old ($0.2/h vs $0.2/h)"},
		{basis(.2), basis(.25), "new costs 25.0% more than old ($0.25/h vs $0.2/h)"},
		{basis(.2), basis(.15), "new costs 25.0% less than old ($0.15/h vs $0.2/h)"},
		{basis(.2), basis(.5), "new costs 2.5x as much as old ($0.5/h vs $0.2/h)"},
		{basis(.2), basis(0), "old costs $0.2/h, and the price of new is unknown: --price new=USD"},
		{basis(0), basis(.2), "new costs $0.2/h, and the price of old is unknown: --price old=USD"},
		{free, basis(.2), ""},
	} {
		p := finding.Pair{A: "old", B: "new", By: record.KeyMachine, Verdicts: these(c), BasisA: test.a, BasisB: test.b}
		got := ""
		for _, s := range Answer([]*finding.PairView{View("x", p, 0)}).Lines() {
			if s.Lead == "cost" {
				got += s.Text
			}
		}
		if got != test.want {
			t.Errorf("%+v, %+v: %q, want %q", test.a, test.b, got, test.want)
		}
	}
}

// TestNextStepByCPUTime: a command whose time is undecided is compared by its CPU time, if that is most of its time and
// at least twice as steady.
func TestNextStepByCPUTime(t *testing.T) {
	of := func(metric string, a, half float64) finding.Comparison {
		c := finding.Comparison{Workload: "exec", Load: "once", Metric: metric, Per: finding.PerMachine, Unit: "s",
			Direction: record.Lower, A: a, B: a, Ratio: 1, N: 5, Paired: true}
		c.Lo, c.Hi = new(math.Exp(-half)), new(math.Exp(half))
		if metric == record.Elapsed {
			c.Primary, c.Verdict = true, trialset.Undecided
		}
		return c
	}
	const runs = "4 times as many runs would halve the interval: --replicates 20"
	const byCPU = "CPU time is 5.0 times less noisy: run with --metric exec.cpu_time"
	for _, c := range []struct {
		name string
		cpu  finding.Comparison
		want string
		fair float64
	}{
		{"steadier", of(record.CPUTime, .95, .02), byCPU, 0},
		{"as noisy", of(record.CPUTime, .95, .06), runs, 0},
		{"it waits", of(record.CPUTime, .2, .02), runs, 0},
		{"it waits for CPUs", of(record.CPUTime, .2, .02), byCPU, .2},
		{"it sleeps", of(record.CPUTime, .1, .02), runs, .2},
		{"another metric", of("user_s", .95, .02), runs, 0},
	} {
		elapsed := of(record.Elapsed, 1, .1)
		elapsed.FairCPU = c.fair
		p := finding.Pair{A: "old", B: "new", By: record.KeyMachine, Verdicts: append(these(elapsed), these(c.cpu)...)}
		if got := linesWith(p, "next"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNextStep: an inconclusive answer ends with the step that its own runs require, and a conclusive one has none.
func TestNextStep(t *testing.T) {
	with := func(v trialset.Verdict, n int, interim bool, flags ...note.Note) finding.Comparison {
		c := finding.Comparison{Workload: "http", Load: "2 clients", Metric: record.Throughput, Primary: true,
			Per: finding.PerMachine, Unit: "op/s", Direction: record.Higher, A: 100, B: 101, Ratio: 1.01, N: n, Paired: true,
			Verdict: v, Interim: interim, Flags: flags}
		if n >= 3 {
			c.Lo, c.Hi = new(.95), new(1.07)
		}
		return c
	}
	for want, c := range map[string]finding.Comparison{
		"": with(trialset.Equivalent, 5, false, note.New("undecided", 9, "pairs", 2.)),
		"about 60 pairs resolve a 2% difference: --replicates 60": with(trialset.Undecided, 5, false,
			note.New("undecided", 60, "pairs", 2.)),
		"about 60 pairs resolve a 2% difference: --max-replicates 60": with(trialset.Undecided, 5, true,
			note.New("undecided", 60, "pairs", 2.)),
		"about 60 pairs resolve a 2% difference": with(trialset.Undecided, 5, false, note.New("paired-by-import"),
			note.New("undecided", 60, "pairs", 2.)),
		"even 1000 pairs would not settle it; find the noise: plimsoll machine --for 60s": with(trialset.Undecided, 5,
			false, note.New("undecided", 5000, "pairs", 2.)),
		"a confidence interval needs 3 pairs: --replicates 3": with("", 2, false, note.New("too-few-pairs", 3, "pairs")),
		"about 90 pairs would settle it: --replicates 90": with(trialset.Undecided, 9, true,
			note.New("futile", 20, "pairs", 1., 90, 29, 2., 5.)),
		"run without --quick, which cannot establish that both are equal": with(trialset.Undecided, 5, false,
			note.New("quick")),
		"4 times as many runs would halve the interval: --replicates 20": with(trialset.Undecided, 5, false),
	} {
		p := finding.Pair{A: "old", B: "new", By: record.KeyMachine, Verdicts: these(c)}
		if got := linesWith(p, "next"); got != want {
			t.Errorf("%v: %q, want %q", c.Flags, got, want)
		}
	}
}

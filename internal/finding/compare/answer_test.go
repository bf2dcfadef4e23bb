package compare

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
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
		{"a decided line", "worse", "load limit -10.0 %", "", of(line(.9, 3, trialset.Different), three...)},
		{"an undecided line of undecided loads", "undecided", "load limit", "",
			of(line(.99, 3, trialset.Undecided), three[2])},
		{"a line that was not crossed", "no verdict", "throughput -10.0 %", "", of(line(math.NaN(), 1, ""), single)},
		{"a load of one run beside one of three", "better", "1 client", "",
			of(single, rate("1 clients", 1.2, trialset.Different))},
		{"a price that decides", "mixed", "", "+10.0 % to +24.0 % per dollar",
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

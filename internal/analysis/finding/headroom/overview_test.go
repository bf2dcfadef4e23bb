package headroom

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// TestOverviewPutsTheWinnerFirst: by what is better, and by the cost of the fleets that were asked for.
func TestOverviewPutsTheWinnerFirst(t *testing.T) {
	verdict := func(workload, better string, a, b float64) finding.Comparison {
		c := finding.Comparison{Workload: workload, Load: "8 clients", Metric: record.Throughput, Primary: true,
			Per: finding.PerMachine, Unit: "op/s", A: a, B: b, Ratio: b / a, Direction: record.Higher,
			Verdict: trialset.Different, Better: better}
		if better == "" {
			c.Verdict = trialset.Undecided
		}
		return c
	}
	priced := func(hour float64) *finding.Basis { return &finding.Basis{PricePerHour: hour} }
	latency := verdict("web", "a", 1, 2)
	latency.Metric = "latency_p99"
	dollar := verdict("web", "b", 1, 2)
	dollar.Per = "dollar"
	pairs := []finding.Pair{
		{A: "base", B: "slow", BasisA: priced(1), BasisB: priced(.1), Verdicts: []finding.Comparison{dollar,
			verdict("web", "a", 100, 50), latency, verdict("db", "", 1000, 900)}},
		{A: "base", B: "fast", BasisA: priced(1), BasisB: priced(2), Verdicts: []finding.Comparison{
			verdict("web", "b", 100, 200), verdict("db", "b", 1000, 1500)}},
	}
	sides := &finding.Sides{Input: &finding.Input{}, By: record.KeyMachine, Pairs: pairs}
	table := func() string {
		c := finding.Compared{Found: overview(sides)}
		var out strings.Builder
		for _, s := range answerOverview(c).Below {
			out.WriteString(blockText(s.Blocks[0]) + "\n")
			for _, row := range s.Blocks[0].(block.Table).Rows {
				for _, cell := range row {
					out.WriteString(cell.Text + "|")
				}
				out.WriteString("\n")
			}
		}
		return out.String()
	}
	got := table()
	for _, want := range []string{"setting|metric|fast|base|slow|unit\n",
		"db, 8 clients|throughput|better 1.500|1.000|undecided 0.9000|k op/s|\n",
		"web, 8 clients|throughput|better 200.0|100.0|worse 50.00|op/s|\n", "one machine||1,460|730|73.00|$/month|\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	d := finding.Demand{Of: map[string]float64{"web": 1000}, Headroom: .85, Failures: 0}
	for _, name := range []string{"base", "slow", "fast"} {
		c := closedCell(name, 99, 101)
		c.Workload = "web"
		sides.Cells = append(sides.Cells, c)
	}
	sides.Ask.Demand = &d
	sides.Read.Basis = func(m record.Machine) finding.Basis {
		return *map[string]*finding.Basis{"base": priced(1), "slow": priced(.1), "fast": priced(2)}[m.Name]
	}
	found := recommendations(sides.Input)
	for i := range sides.Cells {
		sides.Cells[i].Found = append(sides.Cells[i].Found, found...)
	}
	got = table()
	for _, want := range []string{"setting|metric|slow|base|fast|unit\n",
		"1.00k op/s of web||12: 876|12: 8,760|12: 17,520|$/month|\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	sides.Pairs = []finding.Pair{{A: "base", B: "fast", Verdicts: pairs[1].Verdicts[:1]}}
	if got := overview(sides); len(got) > 0 {
		t.Errorf("of one workload: %v", got)
	}
}

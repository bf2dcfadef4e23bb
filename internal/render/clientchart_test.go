package render

import (
	"strings"
	"testing"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/crossover"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/record"
)

// ladder is a machine's sweep of clients.
func ladder(machine, warehouses string, values ...float64) finding.Cell {
	c := finding.Cell{
		Machine: machine, Workload: "tpcc", Load: "128 clients", Metric: record.Throughput, Primary: true, Unit: "op/s", Better: record.Higher,
		Params: map[string]string{"warehouses": warehouses, "clients": "128"}, Found: sweep.KindByClients.New(&sweep.ByClients{Metric: record.Throughput, Unit: "op/s"}),
	}
	for i, v := range values {
		sweep.KindByClients.Of(c).Points = append(sweep.KindByClients.Of(c).Points, sweep.ClientPoint{Clients: float64(int(16) << i), Estimate: termOf(v, v*.99, v*1.01), N: 3})
	}
	return c
}

func crossedAt(warehouses string) finding.Compared {
	params := map[string]string{"warehouses": warehouses}
	gain := comparison(finding.Comparison{Workload: "tpcc", Params: map[string]string{"warehouses": warehouses, "clients": "16"}, Load: "16 clients",
		Metric: record.Throughput, Primary: true, Per: "machine", Unit: "op/s", A: 1000, N: 3}, 1.155, 1.149, 1.161)
	dollar := gain
	dollar.Per = "dollar"
	return finding.Compared{Pairs: []finding.Pair{{A: "m5d", B: "m6gd", By: "machine", Verdicts: []finding.Comparison{dollar, gain},
		Found: crossover.KindCrossing.Each([]crossover.Crossing{
			{Workload: "tpcc", Params: params, Metric: record.Throughput, Per: "dollar", Axis: "clients", At: 100, Lo: 90, Hi: 110, FromBetter: "b", ToBetter: "a"},
			{Workload: "tpcc", Params: params, Metric: record.Throughput, Per: "machine", Axis: "clients", At: 48, Lo: 44, Hi: 53, FromBetter: "b", ToBetter: "a"},
		})}}}
}

// TestClientCharts: the machines that measured the same share a chart, with the gain at each number of clients and the range on par.
func TestClientCharts(t *testing.T) {
	cells := []finding.Cell{ladder("m5d", "10", 1000, 1500), ladder("m6gd", "10", 1155, 1600), ladder("m5d", "200", 900, 1400), ladder("m6gd", "200", 950, 1300)}
	charts := clientCharts(viewed("x", cells, []string{"m5d", "m6gd"}, []finding.Compared{crossedAt("200"), crossedAt("10")}...))
	if len(charts) != 2 || charts[0].ID != "x-clients-1" || charts[0].Title != "tpcc, warehouses=10" || charts[1].Title != "tpcc, warehouses=200" {
		t.Fatalf("%+v", charts)
	}
	ch := charts[0]
	if len(ch.Lines) != 2 || ch.Lines[0].Name != "m5d" || ch.Lines[0].Colour == ch.Lines[1].Colour || len(ch.Lines[1].Lo) != 2 || !ch.Lines[1].Joined {
		t.Errorf("lines %+v", ch.Lines)
	}
	if got := ch.Lines[1].Tips[0]; got != "16 clients: 1.143 to 1.167 k op/s, +14.9 % to +16.1 % over m5d" {
		t.Errorf("the first point is told as %q", got)
	}
	if strings.Contains(ch.Lines[0].Tips[0], "%") {
		t.Errorf("the baseline gains on itself: %q", ch.Lines[0].Tips[0])
	}
	if len(ch.X.Ticks) != 2 || ch.X.Ticks[1].Text != "32" || !ch.X.Log || ch.Y.Lo != 0 {
		t.Errorf("axes %+v %+v", ch.X, ch.Y)
	}
	if len(ch.Zones) != 1 || ch.Zones[0].From != 44 || ch.Zones[0].To != 53 || ch.Zones[0].Text != "on par" {
		t.Errorf("zones %+v", ch.Zones)
	}
	if !strings.HasSuffix(ch.Hint, "m6gd is better below 44.0 to 53.0 clients, m5d above") {
		t.Errorf("hint %q", ch.Hint)
	}
	inside(t, elements(t, reportText(t, Page{Title: "clients", Shown: finding.Shown{Workloads: cells}, Compared: []finding.Compared{crossedAt("10")}})))
}

// TestClientsOfOneMachine: nothing is gained on anything, and two lines of one machine have colours of their own.
func TestClientsOfOneMachine(t *testing.T) {
	charts := clientCharts(viewed("x", []finding.Cell{ladder("m5d", "10", 1000, 1500)}, []string{"m5d"}))
	if len(charts) != 1 || len(charts[0].Zones) != 0 || charts[0].Lines[0].Tips[1] != "32 clients: 1.49 to 1.51 k op/s" {
		t.Errorf("%+v", charts)
	}
}

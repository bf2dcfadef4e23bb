package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// latencyCells are the cells of a sweep of the traffic, each with three runs, with its findings.
func latencyCells(unit string, traffic, latency []float64) []finding.Cell {
	var trials []record.Trial
	load := record.LoadPoint{Kind: record.Closed, Unit: record.ParamCPUs, Level: 2}
	for i := range traffic {
		for r := range 3 {
			trials = append(trials, record.Trial{
				ID: fmt.Sprint(i, r), Slot: record.Slot{Plan: "p", Cell: i, Replicate: r}, Load: load,
				Keys: map[string]string{record.KeyMachine: "m", record.KeyWorkload: "w", record.KeyLoad: load.Key(),
					"w.traffic": fmt.Sprint(25 * i)},
				Values: []record.Value{
					{Metric: record.Metric{Name: "load_latency", Unit: unit, Better: record.Lower},
						Value: latency[i] * (1 + .01*float64(r-1))},
					{Metric: record.Metric{Name: record.MemoryTraffic, Unit: "B/s", Better: record.Neutral}, Value: traffic[i]},
				},
			})
		}
	}
	var out []finding.Cell
	for _, f := range loadedLatencies(finding.NewInput(trials, nil, nil)) {
		at := f.Cells[0]
		out = append(out, finding.Cell{Machine: at.Machine, Workload: at.Workload, Load: at.Load, Metric: "load_latency",
			Unit: unit, Primary: true, Found: []finding.Finding{f}})
	}
	return out
}

// near reports whether numbers are those that are wanted, to within a part in a thousand.
func near(got []block.Number, want ...float64) bool {
	return slices.EqualFunc(got, want, func(g block.Number, w float64) bool { return math.Abs(float64(g)-w) <= w*1e-3 })
}

// TestLatencyOverBandwidth draws the latency, ns, over the traffic, GB/s, with intervals.
func TestLatencyOverBandwidth(t *testing.T) {
	cells := latencyCells("s", []float64{0, 4e9, 8e9, 12e9}, []float64{90e-9, 95e-9, 120e-9, 300e-9})
	charts := block.Of[block.Chart](latencyCharts(viewed([]string{"m"}, cells...)))
	if len(cells) != 1 || len(charts) != 1 || len(charts[0].Lines) != 1 {
		t.Fatalf("%d findings and the charts %+v, want one of each", len(cells), charts)
	}
	ch := charts[0]
	cells[0].Params = map[string]string{"traffic": "75"}
	other := cells[0]
	other.Params, other.Found = map[string]string{"traffic": "0"}, nil
	if all := block.Of[block.Chart](latencyCharts(viewed([]string{"m"}, cells[0], other))); len(all) != 1 ||
		all[0].Title != ch.Title {
		t.Errorf("the sweep is called by one of its points: %+v", all)
	}
	l := ch.Lines[0]
	if ch.X.Name != "memory traffic" || ch.X.Unit != "GB/s" || ch.X.Lo != 0 || ch.Y.Name != "load_latency" ||
		ch.Y.Unit != "ns" || !l.Joined || !near(l.X, 0, 4, 8, 12) ||
		!near(l.Y, 90, 95, 120, 300) {
		t.Errorf("axes %+v %+v, line %+v", ch.X, ch.Y, l)
	}
	if !(l.Lo[3] < l.Y[3]) || !(l.Y[3] < l.Hi[3]) {
		t.Errorf("the last point is %v, from %v to %v", l.Y[3], l.Lo[3], l.Hi[3])
	}
	if !strings.Contains(ch.Desc, "traffic=75: ") || !strings.Contains(ch.Desc, " ns at 12.0 GB/s (n=3)") {
		t.Errorf("in words: %s", ch.Desc)
	}
}

// TestTrafficThatFalls has marks: a line would join them in another order than they were measured in.
func TestTrafficThatFalls(t *testing.T) {
	cells := latencyCells("s", []float64{0, 8e9, 12e9, 10e9}, []float64{90e-9, 120e-9, 300e-9, 500e-9})
	charts := block.Of[block.Chart](latencyCharts(viewed([]string{"m"}, cells...)))
	if len(charts) != 1 || charts[0].Lines[0].Joined || !near(charts[0].Lines[0].Y, 90, 120, 500, 300) ||
		!near(charts[0].Lines[0].X, 0, 8, 10, 12) {
		t.Errorf("%+v", charts)
	}
}

// TestNoLatencyOverBandwidth: two points, no traffic and a rate have no such curve.
func TestNoLatencyOverBandwidth(t *testing.T) {
	for name, cells := range map[string][]finding.Cell{
		"two points": latencyCells("s", []float64{0, 4e9}, []float64{90e-9, 95e-9}),
		"no traffic": latencyCells("s", []float64{0, 0, 0}, []float64{90e-9, 95e-9, 99e-9}),
		"a rate":     latencyCells("op/s", []float64{0, 4e9, 8e9}, []float64{9, 8, 7}),
	} {
		if len(cells) > 0 {
			t.Errorf("%s: %+v", name, cells)
		}
	}
}

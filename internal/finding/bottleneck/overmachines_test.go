package bottleneck

import (
	"testing"

	"plimsoll/internal/block"
)

func overlaid() []side {
	return []side{
		{"m5d", Track{Unit: "tps", Step: 1, Ops: []float64{1000, 1100, 900, 400},
			Marks: []Mark{{What: BesideCheckpoint, Detail: "wal", From: 2.4, To: 4}}}},
		{"m6gd", Track{Unit: "tps", Step: 1, Ops: []float64{1200, 1300, 1250}, Marks: []Mark{
			{What: BesideVacuum, Detail: "stock", From: 1, To: 2}, {What: BesideCheckpoint, Detail: "time", From: -3, To: 1},
		}}},
	}
}

// TestMachinesChart: the machines share the axes, have looks of their own, and a checkpoint is named where it began in
// the window.
func TestMachinesChart(t *testing.T) {
	ch, ok := machinesChart("x", "tpcc, warehouses=10, 64 clients", overlaid(), []string{"m5d", "m6gd"})
	if !ok || len(ch.Lines) != 2 || ch.X.Hi != 4 || ch.Y.Unit != "k tps" ||
		ch.Title != "tpcc, warehouses=10, 64 clients: throughput in each second" {
		t.Fatalf("%+v", ch)
	}
	a, b := ch.Lines[0], ch.Lines[1]
	if a.Name != "m5d" || a.Colour == b.Colour || len(a.Y) != 4 || a.Y[3] != .4 || len(ch.Legend) != 2 {
		t.Errorf("lines %+v", ch.Lines)
	}
	if len(a.Notes) != 1 || a.Notes[0] != (block.Word{X: 2.4, Y: .9, Text: "checkpoint (wal)"}) || len(b.Notes) != 0 {
		t.Errorf("notes %+v and %+v", a.Notes, b.Notes)
	}
	if ch.Desc != "m5d: 0.850 k tps in 4.00 s, 1 checkpoint; m6gd: 1.25 k tps in 3.00 s, 0 checkpoints" {
		t.Errorf("described as %q", ch.Desc)
	}
	if _, ok := machinesChart("x", "", []side{{"m", Track{Unit: "tps", Step: 1, Ops: []float64{0}}}}, nil); ok {
		t.Error("a chart of nothing")
	}
}

package bottleneck

import (
	"strings"
	"testing"

	"plimsoll/internal/record/block"
)

func overlaid() []side {
	return []side{
		{"m5d", false, Track{Unit: "tps", Step: 1, Ops: []float64{1000, 1100, 900, 400},
			Marks: []Mark{{What: BesideCheckpoint, Detail: "wal", From: 2.4, To: 4}}}},
		{"m6gd", false, Track{Unit: "tps", Step: 1, Ops: []float64{1200, 1300, 1250}, Marks: []Mark{
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
	if ch.Desc != "m5d: 0.850k tps in 4.00 s, 1 checkpoint; m6gd: 1.25k tps in 3.00 s, 0 checkpoints" {
		t.Errorf("described as %q", ch.Desc)
	}
	if _, ok := machinesChart("x", "", []side{{"m", false, Track{Unit: "tps", Step: 1, Ops: []float64{0}}}}, nil); ok {
		t.Error("a chart of nothing")
	}
}

// TestImportedMachinesChart: of an imported timeline the dips are marked where the throughput is lowest, with its loss.
func TestImportedMachinesChart(t *testing.T) {
	track := Track{Unit: "tps", Step: 10}
	for range 30 {
		track.Ops = append(track.Ops, 46900, 47100)
	}
	track.Ops[0], track.Ops[1] = 20000, 30000 // a start is no dip
	track.Ops[40], track.Ops[41], track.Ops[42] = 27000, 23500, 38000
	ch, ok := machinesChart("x", "tpcc, 16 clients", []side{{"m6gd", true, track}}, []string{"m6gd"})
	if !ok || ch.Title != "tpcc, 16 clients: throughput in steps of 10.0 s" || ch.X.Hi != 600 {
		t.Fatalf("%+v", ch)
	}
	notes := ch.Lines[0].Notes
	if len(notes) != 1 || notes[0].X != 410 || notes[0].Text != "-49.9%" || notes[0].Y != 2.35 || !notes[0].Low {
		t.Errorf("marked %+v", notes)
	}
	if !strings.Contains(ch.Desc, "dips: -49.9% at 410 s") || !strings.Contains(ch.Hint, "does not hold their causes") {
		t.Errorf("described as %q, hint %q", ch.Desc, ch.Hint)
	}
}

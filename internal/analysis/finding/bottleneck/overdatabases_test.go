package bottleneck

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// TestTrialLabel: factors are in the order of their names, whatever order the map has.
func TestTrialLabel(t *testing.T) {
	trial := record.Trial{Slot: record.Slot{Replicate: 2}, Load: record.LoadPoint{Kind: record.Closed, Level: 16,
		Unit: record.ParamClients},
		Keys: map[string]string{
			record.KeyMachine: "m", record.KeyWorkload: "pgbench",
			record.FactorPrefix + "c": "3", record.FactorPrefix + "a": "1", record.FactorPrefix + "d": "4", record.FactorPrefix +
				"b": "2",
		}}
	for range 20 {
		if got, want := trialLabel(trial), "m, pgbench, a=1, b=2, c=3, d=4, "+trial.Load.Key()+", run 3"; got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}

// TestDatabaseCharts: a page draws what was carried with its checkpoints, and below it the log and the waits, whatever
// is missing of them.
func TestDatabaseCharts(t *testing.T) {
	ops := []float64{1000, 1000, 500, 1000}
	w := Track{Step: 1, Ops: ops, Series: map[string][]float64{
		record.DBPageImages: {0, 0, 300, 10}, record.DBWait(record.WaitCPU): {10, 10, 0, 0},
		record.DBWait(record.WaitWAL): {10, 0, 0, 30},
	}, Marks: []Mark{
		{What: BesideCheckpoint, Detail: "time", From: -3, To: .5},
		{What: BesideCheckpoint, Detail: "wal", From: 2.2, To: 2.201}, {What: BesideVacuum, From: 1, To: 3},
	}}
	charts := w.charts("w", "m, pgbench")
	if len(charts) != 3 {
		t.Fatalf("%d charts, want throughput, images and waits", len(charts))
	}
	for i, name := range []string{"throughput", "full-page images", "backends"} {
		if !strings.Contains(charts[i].Title, name) || len(charts[i].Zones) != 3 || charts[i].Zones[0].Kind != zoneVacuum {
			t.Errorf("%+v", charts[i])
		}
		for _, z := range charts[i].Zones {
			if z.From < 0 || z.From >= z.To || z.To > 4 {
				t.Errorf("%+v", z)
			}
		}
	}
	if notes := charts[0].Lines[0].Notes; len(notes) != 1 || notes[0].Text != "checkpoint (wal)" || notes[0].X != 2.2 {
		t.Errorf("%+v", notes)
	}
	waits := charts[2].Lines
	if len(waits) != 2 || waits[0].Name != "waits for the log" || waits[0].Y[0] != 50 ||
		figure.IsFinite(float64(waits[0].Y[2])) || waits[1].Y[1] != 100 || len(charts[2].Legend) != 2 {
		t.Errorf("%+v", waits)
	}
}

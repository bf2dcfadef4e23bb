package plan

import (
	"testing"

	"plimsoll/internal/record"
)

// TestHalfOfAPair: if a file has one side of a sliced pair only, both are measured again, as another attempt.
func TestHalfOfAPair(t *testing.T) {
	p := record.Plan{Seed: 1, Replicates: 2, DurationS: 1, Cells: []record.Cell{
		{Workload: "w", Sliced: true, Load: record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamCPUs},
			Params: record.Params{"a": "1"}},
		{Workload: "w", Sliced: true, Load: record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamCPUs},
			Params: record.Params{"a": "2"}},
	}}
	first, ok := Next(p, nil)
	if !ok || len(first.Sides) != 2 || first.Attempt != 0 {
		t.Fatalf("%+v", first)
	}
	half := record.Trial{ID: first.SlotOf(0).ID(), Slot: record.Slot{Plan: Hash(p), Cell: first.Sides[0].Cell}}
	again, ok := Next(p, []record.Trial{half})
	if !ok || again.Replicate != 0 || len(again.Sides) != 2 || again.SlotOf(0).ID() == half.ID {
		t.Errorf("%+v", again)
	}
	other := record.Trial{ID: first.SlotOf(1).ID(), Slot: record.Slot{Plan: Hash(p), Cell: first.Sides[1].Cell}}
	if next, ok := Next(p, []record.Trial{half, other}); !ok || next.Replicate != 1 || next.Attempt != 0 {
		t.Errorf("%+v", next)
	}
}

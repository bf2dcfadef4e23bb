package finding

import (
	"slices"
	"testing"

	"plimsoll/internal/record"
)

// TestLatestOfCells: a cell's timeline is of its last valid trial that counts, whatever ran after it.
func TestLatestOfCells(t *testing.T) {
	at := func(id string, cell int, changes ...func(*record.Trial)) record.Trial {
		out := record.Trial{ID: id, Slot: record.Slot{Plan: "p", Cell: cell}, Keys: map[string]string{record.KeyMachine: "m"}}
		for _, change := range changes {
			change(&out)
		}
		return out
	}
	trials := []record.Trial{
		at("pilot", 1, func(t *record.Trial) { t.Pilot = true }),
		at("a0", 0), at("b0", 1), at("a1", 0),
		at("near the safe rate", 0, func(t *record.Trial) { t.Capped = 1.05 }),
		at("extra", 0, func(t *record.Trial) { t.Extra = true }),
		at("profiled", 1, func(t *record.Trial) { t.Profiled = true }),
		at("void", 1, func(t *record.Trial) { t.Void = "disturbed" }),
		at("not wanted", 2),
	}
	var got []string
	for _, c := range LatestOfCells(trials, func(t record.Trial) bool { return t.Cell < 2 }) {
		got = append(got, c.ID)
	}
	if want := []string{"a1", "b0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

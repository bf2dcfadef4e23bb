package detached

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

func TestState(t *testing.T) {
	p := record.Plan{Name: "night", Hosts: []string{""}, Replicates: 3, DurationS: 10, WarmupS: 1,
		Cells: []record.Cell{{Workload: "memory", Load: record.LoadPoint{Kind: record.Closed, Level: 1, Unit: "cpus"}}}}
	hash := plan.Hash(p)
	trial := func(replicate int, void string) record.Trial {
		return record.Trial{Slot: record.Slot{Plan: hash, Replicate: replicate}, Void: void, Start: "2026-01-01T00:00:00Z",
			Load: p.Cells[0].Load, Keys: map[string]string{record.KeyWorkload: "memory"}}
	}
	end := func(reason string, n int) []record.End { return []record.End{{Plan: hash, Reason: reason, Trials: n}} }
	for name, c := range map[string]struct {
		trials  []record.Trial
		ends    []record.End
		running bool
		want    string
	}{
		"it goes on": {[]record.Trial{trial(0, ""), trial(1, "")}, nil, true,
			"running, 2 runs of night, 1 left with 11s of warm-up and measurement"},
		"its process is gone": {[]record.Trial{trial(0, "")}, nil, false, "cut short, 1 run of night, 2 left with 22s"},
		"done": {[]record.Trial{trial(0, ""), trial(1, ""), trial(2, "")}, end("done", 3), false,
			"done, 3 runs of night"},
		"a run failed":       {[]record.Trial{trial(0, "it died")}, nil, true, "running, 1 run of night (1 failed), 3 left"},
		"interrupted":        {[]record.Trial{trial(0, "")}, end("interrupted", 1), false, "interrupted, 1 run"},
		"resumed and killed": {[]record.Trial{trial(0, ""), trial(1, "")}, end("interrupted", 1), false, "cut short, 2 runs"},
		"nothing yet":        {nil, nil, true, "running, 0 runs of night, 3 left with 33s"},
	} {
		log := &session.Log{Plans: []record.PlanLine{{Hash: hash, Plan: p}}, Trials: c.trials, Ends: c.ends}
		if s, err := Of("f", log, c.running); err != nil || !strings.HasPrefix(s.Sentence(), c.want) {
			t.Errorf("%s: %q, %v, want %q", name, s.Sentence(), err, c.want)
		}
	}
}

// TestImportsAreOver: whatever their plan says, there is nothing to follow.
func TestImportsAreOver(t *testing.T) {
	p := record.Plan{Name: "csv", Replicates: 1 << 60, Cells: make([]record.Cell, 601), Imported: &record.Imported{}}
	log := &session.Log{Plans: []record.PlanLine{{Hash: "p", Plan: p}},
		Trials: []record.Trial{{Slot: record.Slot{Plan: "p"}}},
		Ends:   []record.End{{Plan: "p", Reason: Done, Trials: 1}}}
	if s, err := Of("f", log, false); err != nil || s.Phase != Done || s.Runs != 1 || s.Left != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestPlanWithoutEnd: a plan from elsewhere may have any numbers, and must not keep the reader.
func TestPlanWithoutEnd(t *testing.T) {
	for name, p := range map[string]record.Plan{
		"replicates": {Replicates: 1 << 60, Cells: make([]record.Cell, 1)},
		"no look":    {Replicates: 1, Cells: make([]record.Cell, 1), Stop: &record.Stop{}},
		"runs":       {Replicates: 99_999, Cells: make([]record.Cell, 9_999)},
		"probes":     {Replicates: 1, Cells: []record.Cell{{Search: &record.Search{Probes: 1 << 60}}}},
	} {
		if s, err := Of("f", &session.Log{Plans: []record.PlanLine{{Hash: "p", Plan: p}}}, false); err == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestStatesOfFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run[1]") // no pattern
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	states, err := States(t.Context(), input.Open, []string{dir})
	if states == nil || len(states) > 0 || err != nil {
		t.Errorf("an empty folder: %v, %v", states, err)
	}
	w, err := session.Create(filepath.Join(dir, "a"+session.Suffix))
	if err == nil {
		err = errors.Join(w.Machine(record.Machine{Format: record.Format, Name: "m"}), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	states, err = States(t.Context(), input.Open, []string{dir, filepath.Join(dir, "missing")})
	if len(states) != 1 || !usage.Is(err) || !strings.Contains(err.Error(), "missing") {
		t.Errorf("%v, %v; want one and the error of the other", states, err)
	}
}

package profile

import (
	"fmt"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"slices"
	"strings"
	"testing"
)

// TestFlamesOfMachines: a cell's machines stand side by side though each comes with a file of its own, and what there
// is no room for is said.
func TestFlamesOfMachines(t *testing.T) {
	const cells = maxFlames/2 + 1
	var trials []record.Trial
	for _, machine := range []string{"m5", "m6g"} {
		for cell := range cells {
			trials = append(trials, record.Trial{ID: fmt.Sprint(machine, cell),
				Slot:      record.Slot{Plan: machine, Cell: cell, Profiled: true},
				DurationS: 2,
				Keys:      map[string]string{record.KeyMachine: machine, record.KeyWorkload: "web", "web.size": fmt.Sprint(cell)},
				Load:      record.LoadPoint{Kind: record.Closed, Level: 8, Unit: record.ParamClients}})
		}
	}
	read := func(_ record.Trial, series string) (record.Profile, bool, error) {
		return madeProfile(map[string]int64{"main": 100}), series == record.ProfileCPU, nil
	}
	in := finding.NewInput(trials, nil, nil)
	in.Read.Profile = read
	drawn, problems := flames(in, merger{read, map[string]Merged{}})
	var got []string
	for _, f := range drawn {
		got = append(got, f.Label)
	}
	want := []string{"m5: web at 8 clients, size=0", "m6g: web at 8 clients, size=0", "m5: web at 8 clients, size=1",
		"m6g: web at 8 clients, size=1"}
	if len(got) != maxFlames || !slices.Equal(got[:len(want)], want) {
		t.Errorf("%d flames: %q", len(got), got)
	}
	if len(problems) != 1 || !strings.Contains(problems[0].Text(), "profiles of 2 more benchmarks are omitted") {
		t.Errorf("problems %q", problems)
	}
}

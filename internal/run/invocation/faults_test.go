package invocation

import (
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestFaultsAreApart: by a second of the window, if that is known before the first run.
func TestFaultsAreApart(t *testing.T) {
	at := []float64{.6, .5}
	specs := []workload.Spec{
		{Workload: record.Workload{Name: "log"}, Faults: func(workload.Params) []float64 { return at }},
		{Workload: record.Workload{Name: "other"}}}
	plan := func(windowS float64, cells ...record.Cell) record.Plan {
		return record.Plan{DurationS: windowS, Cells: cells}
	}
	log := record.Cell{Workload: "log"}
	piloted := plan(5, log)
	piloted.Pilot = &record.Pilot{DurationS: 60}
	for name, p := range map[string]record.Plan{
		"a second": plan(10, log), "without": plan(1, record.Cell{Workload: "other"}), "a pilot": piloted,
		"a search": plan(5, record.Cell{Workload: "log", Search: &record.Search{}}),
	} {
		if err := Apart(p, specs); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := Apart(plan(5, record.Cell{Workload: "other"}, log), specs)
	if !usage.Is(err) || !strings.Contains(err.Error(), "log: with --for 5s two faults happen within 500ms") ||
		!strings.Contains(err.Error(), "hint: --for 10s,") {
		t.Error(err)
	}
	at = at[:1]
	if err := Apart(plan(5, log), specs); err != nil {
		t.Errorf("of one fault: %v", err)
	}
}

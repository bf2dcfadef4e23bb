package run

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestLateAgainstTheObjective: send lag voids a probe only if its search has an objective.
func TestLateAgainstTheObjective(t *testing.T) {
	for name, c := range map[string]struct {
		search *record.Search
		void   bool
	}{
		"no search":    {nil, false},
		"no objective": {&record.Search{}, false},
		"in time":      {&record.Search{Objectives: map[string]float64{"p99": 1}}, false},
		"late":         {&record.Search{Objectives: map[string]float64{"p99": .01}}, true},
	} {
		l := Loop{Plan: record.Plan{Cells: []record.Cell{{Search: c.search}}}}
		got := l.judged(record.Trial{Generator: &record.LoadUse{Done: 1000, Offered: 1000, SendLagP99: .002}})
		if got.Over || (got.Void != "") != c.void || c.void && !strings.Contains(got.Void, "over 5 % of 10 ms") {
			t.Errorf("%s: void %q", name, got.Void)
		}
	}
}

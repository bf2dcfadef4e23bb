package explain

import (
	"fmt"
	"slices"
	"testing"

	"plimsoll/internal/category"
	"plimsoll/internal/list"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// TestThinProfiles: a profile of hardly any samples is left out with its partner, unless too few would remain.
func TestThinProfiles(t *testing.T) {
	side := func(name string, samples ...int) []profiledTrial {
		return list.Map(samples, func(n int) profiledTrial {
			return profiledTrial{trial: &record.Trial{ID: fmt.Sprint(name, n)}, cpu: &category.Costs{Samples: int64(n)}}
		})
	}
	ids := func(of []profiledTrial) []string {
		return list.Map(of, func(c profiledTrial) string { return c.trial.ID })
	}
	for _, c := range []struct {
		name    string
		s       sides
		a, b    []string
		thinned []string
	}{
		{"paired", sides{paired: true, a: side("a", 1000, 3, 900), b: side("b", 1100, 950, 800)}, []string{"a1000", "a900"},
			[]string{"b1100", "b800"}, []string{"a3"}},
		{"unpaired", sides{a: side("a", 1000, 2, 900), b: side("b", 1100, 950, 800, 5)}, []string{"a1000", "a900"},
			[]string{"b1100", "b950", "b800"}, []string{"a2", "b5"}},
		{"all alike", sides{paired: true, a: side("a", 3, 4, 5), b: side("b", 6, 7, 8)}, []string{"a3", "a4", "a5"},
			[]string{"b6", "b7", "b8"}, nil},
		{"a side that waits", sides{paired: true, a: side("a", 1000, 1100, 900), b: side("b", 40, 90, 60)},
			[]string{"a1000", "a1100", "a900"}, []string{"b40", "b90", "b60"}, nil},
		{"too few would remain", sides{paired: true, a: side("a", 3, 1000), b: side("b", 900, 901)}, []string{"a3", "a1000"},
			[]string{"b900", "b901"}, nil},
	} {
		s := c.s
		s.dropThin()
		if !slices.Equal(ids(s.a), c.a) || !slices.Equal(ids(s.b), c.b) || !slices.Equal(s.thin, c.thinned) {
			t.Errorf("%s: %v and %v, left out %v", c.name, ids(s.a), ids(s.b), s.thin)
		}
	}
}

// TestStatementNames: a number that is no statement's, as a file may hold, has its word alone.
func TestStatementNames(t *testing.T) {
	trials := []record.Trial{{Keys: map[string]string{"pgbench.script": "SELECT 1;\nUPDATE t SET a = 2;"}}}
	for metric, want := range map[string]string{"statement_2_update": "2 (UPDATE t SET a = 2)",
		"statement_0_select": "0 (select)", "statement_9_select": "9 (select)"} {
		if got := trialset.StatementName(metric, trials); got != want {
			t.Errorf("%s: %q, want %q", metric, got, want)
		}
	}
}

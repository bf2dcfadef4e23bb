package explain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
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

// TestScriptsSay: without a profile, a statement that takes more and a table that only one side scans are the answer,
// not the advice to profile.
func TestScriptsSay(t *testing.T) {
	run := func(rows ...float64) record.Trial {
		out := record.Trial{Database: &record.Database{}}
		for i, n := range rows {
			out.Database.Scans = append(out.Database.Scans, record.Scan{Table: fmt.Sprint("t", i), RowsRead: n})
		}
		return out
	}
	x := Explanation{Workload: "pgbench", Load: "4 clients", labelA: "dsn=a", labelB: "dsn=b", CPU: &CostPart{},
		Scans: scanChanges(sides{measuredA: []record.Trial{run(50_000, 9000), run(48_000, 9000)},
			measuredB: []record.Trial{run(0, 8000), {}}}),
		Throughput: &Quantity{Details: []Detail{{Kind: DetailStatement, Name: "3 (SELECT 1)", A: .04, B: .001, Diff: -.039,
			Share: .9}}}}
	if want := []ScanChange{{"t0", 49_000, 0}, {"t1", 9000, 4000}}; !slices.Equal(x.Scans, want) {
		t.Errorf("%v, want %v", x.Scans, want)
	}
	text := fmt.Sprint(explainedSection("x", []Explanation{x}).Blocks)
	for _, want := range []string{"statement 3 (SELECT 1) takes",
		"a transaction reads about 49000 rows of the table t0 by sequential scan on dsn=a, and 0 on dsn=b"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\ndoes not have %q", text, want)
		}
	}
	if strings.Contains(text, "--profile") {
		t.Errorf("the answer is there, and a profile is advised: %s", text)
	}
}

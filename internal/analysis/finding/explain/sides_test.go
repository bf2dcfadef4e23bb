package explain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/machine/catalog"
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

// TestServiceWaitsFirst: a service that waits for a lock isn't slower because of its CPU time, and one that waits as
// the other does isn't slower because of that.
func TestServiceWaitsFirst(t *testing.T) {
	run := func(work float64, c record.Connections) record.Trial {
		return record.Trial{Load: record.LoadPoint{Kind: record.Closed, Level: 8, Unit: record.ParamClients},
			CPU:       &record.CPUUse{Work: work, Machine: work, WindowS: 10, CPUs: 2, GeneratorCPUs: 2},
			Generator: &record.LoadUse{InFlight: 8},
			Service:   &record.Service{Looks: 50, Threads: 8, Connections: &c}}
	}
	free := run(19.5, record.Connections{All: 8, Active: 8, Full: 1})
	one := run(10, record.Connections{All: 1, Active: .6, Full: .62})
	e := &explainer{typeOf: func(string) catalog.Type { return catalog.Type{} }}
	for _, c := range []struct {
		a, b  record.Trial
		ratio float64
		want  string
	}{
		{free, one, .5, "build=c: pool or lock: the only connection to PostgreSQL is in use 62% of the time"},
		{one, free, 2, "build=a: pool or lock"}, {free, one, 2, ""}, {free, one, .95, ""}, {one, one, .5, ""},
	} {
		x := &Explanation{labelA: "build=a", labelB: "build=c", Throughput: &Quantity{Ratio: c.ratio}}
		got := e.serviceWait(x, sides{measuredA: []record.Trial{c.a}, measuredB: []record.Trial{c.b}})
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("ratio %v: %q, want %q", c.ratio, got, c.want)
		}
	}
}

package explore

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/explore/exploretest"
	"plimsoll/internal/record"
)

// TestSummary: a row for each machine with its best load, the failed and disturbed runs, and why.
func TestSummary(t *testing.T) {
	steal := 50.0
	trials := slices.Concat(exploretest.Runs("p", "a", 8, 100, 101, 102), exploretest.Runs("p", "a", 16, 150, 151, 152),
		exploretest.Runs("p", "b", 8, 90))
	trials[0].Void = "the server ended before the run did"
	trials[4].Ledger = &record.Ledger{StealPct: &steal}
	s := Summarize(Input{Machines: []record.Machine{exploretest.Machine("a", "6.1"), exploretest.Machine("b", "6.1")},
		Plans: []record.PlanLine{exploretest.Plan("p")}, Trials: trials,
		Ends: []record.End{{Reason: "interrupted"}}, TypeOf: func(m record.Machine) string { return m.Cloud.Type }})
	rows := Rows(File{Name: "f", Bytes: 9, Read: 9}, s)
	if len(rows) != 2 {
		t.Fatalf("%+v", rows)
	}
	a, b := rows[0], rows[1]
	if a.Key == nil || a.Key.Value < 150 || a.Key.Value > 152 || a.Key.Lo == nil || a.Key.N != 3 || a.Key.Unit != "op/s" ||
		a.Key.Title != "http · 16 clients · path=/hello" || len(a.Key.Runs) != 3 {
		t.Errorf("the key result: %+v", a.Key)
	}
	if a.State != Interrupted || a.Type != "m6g.large" || a.Plan != "nightly" || a.Labels["build"] != "p" || a.Runs != 6 ||
		a.Failed != 1 || a.Disturbed != 1 || a.Cells != 2 || a.Began != "2026-03-01T02:00:00Z" {
		t.Errorf("%+v", a)
	}
	if notes := strings.Join(a.Notes, "; "); notes != "1 failed run: the server ended before the run did; 1 "+
		"disturbed run" {
		t.Errorf("%q", notes)
	}
	if notes := strings.Join(b.Notes, "; "); notes != "no interval: fewer than three runs" || b.Key.Lo != nil {
		t.Errorf("%q", notes)
	}
}

// TestStates: what a file is in, and that it says what its summary does not rest on.
func TestStates(t *testing.T) {
	s := Summarize(Input{Machines: []record.Machine{exploretest.Machine("a", "6.1")},
		Plans: []record.PlanLine{exploretest.Plan("p")}})
	for _, c := range []struct {
		file  File
		ended string
		state string
		note  string
	}{
		{File{Running: true, Torn: true}, "done", Running, ""},
		{File{}, "done", Done, ""},
		{File{}, "failed", Failed, ""},
		{File{Torn: true}, "", Unfinished, "the last line was cut short"},
		{File{}, "<script>", Unfinished, ""},
		{File{Problem: "is not a plimsoll session"}, "", Unreadable, "is not a plimsoll session"},
		{File{Bytes: 2e9, Read: 64e6, Bad: 2}, "", Unfinished,
			"from the first 64 of 2000 MB: open the session for all of it; 2 bad lines"},
	} {
		s.Ended = c.ended
		rows := Rows(c.file, s)
		if len(rows) != 1 || rows[0].State != c.state || strings.Join(rows[0].Notes, "; ") != c.note ||
			rows[0].Machine != "a" || rows[0].Key != nil {
			t.Errorf("%+v: %+v", c.file, rows)
		}
	}
	if rows := Rows(File{Name: "f"}, Summary{}); len(rows) != 1 || rows[0].Machine != "" {
		t.Errorf("a session without a machine: %+v", rows)
	}
}

// TestSummaryIsBounded: a session of many cells keeps some, and says how many it left out; unusable values make no
// figure.
func TestSummaryIsBounded(t *testing.T) {
	var trials []record.Trial
	for i := range maxCells + 20 {
		trials = append(trials, exploretest.Runs("p", "a", float64(i+1), 1)...)
	}
	s := Summarize(Input{Trials: trials, Plans: []record.PlanLine{exploretest.Plan("p")}})
	if n := len(s.Machines[0].Cells); n != maxCells || s.More != 20 {
		t.Errorf("%d cells kept, %d more", n, s.More)
	}
	failed := exploretest.Runs("p", "a", 1, 5)
	failed[0].Void = "broken"
	if s = Summarize(Input{Trials: failed}); s.Machines[0].Key != -1 || s.Machines[0].Failed != 1 {
		t.Errorf("%+v", s)
	}
	if s = Summarize(Input{Trials: exploretest.Runs("p", "a", 1, make([]float64, 500)...)}); len(
		s.Machines[0].Cells[0].Runs) > maxRuns {
		t.Errorf("%d runs are kept", len(s.Machines[0].Cells[0].Runs))
	}
}

// TestListsAreNeverNull: what reads the documents need not ask.
func TestListsAreNeverNull(t *testing.T) {
	whole := Summarize(Input{Machines: []record.Machine{exploretest.Machine("a", "6.1")},
		Plans: []record.PlanLine{exploretest.Plan("p")}, Trials: exploretest.Runs("p", "a", 8, 1, 2, 3)})
	for _, rows := range [][]Row{Rows(File{Problem: "broken"}, Summary{}), Rows(File{}, whole)} {
		for _, r := range rows {
			if r.Workloads == nil || r.Notes == nil {
				t.Errorf("%+v", r)
			}
		}
	}
}

package finding

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// planOf returns a plan whose cells have these parameters and levels.
func planOf(cells ...record.Cell) record.Plan {
	for i := range cells {
		cells[i].Workload = "exec"
	}
	return record.Plan{Cells: cells}
}

func TestWordingNamesLevels(t *testing.T) {
	long := strings.Repeat("a long beginning that all share ", 3)
	for name, c := range map[string]struct {
		plan record.Plan
		want []string // ParamsText of each cell
	}{
		"a parameter's levels have names": {planOf(
			record.Cell{Params: record.Params{"command": "gzip -1", "dir": ""}, Minor: []string{"dir"},
				Levels: map[string]string{"command": "fast"}},
			record.Cell{Params: record.Params{"command": "gzip -9", "dir": ""}, Minor: []string{"dir"},
				Levels: map[string]string{"command": "small"}},
		), []string{"command=fast", "command=small"}},
		"the factor's name has the workload's prefix": {planOf(
			record.Cell{Params: record.Params{"command": "gzip -1"}, Levels: map[string]string{"exec.command": "fast"}},
		), []string{"command=fast"}},
		"a word's levels stand for what they set": {planOf(
			record.Cell{Params: record.Params{"command": "a", "dir": "/x", "size": "1"},
				Levels: map[string]string{"build": "main"}},
			record.Cell{Params: record.Params{"command": "a", "dir": "/x", "size": "2"},
				Levels: map[string]string{"build": "main"}},
			record.Cell{Params: record.Params{"command": "b", "dir": "/x", "size": "1"},
				Levels: map[string]string{"build": "pr"}},
			record.Cell{Params: record.Params{"command": "b", "dir": "/x", "size": "2"},
				Levels: map[string]string{"build": "pr"}},
		), []string{"build=main, dir=/x, size=1", "build=main, dir=/x, size=2", "build=pr, dir=/x, size=1",
			"build=pr, dir=/x, size=2"}},
		"long values keep what distinguishes them": {planOf(
			record.Cell{Params: record.Params{"command": long + "one"}},
			record.Cell{Params: record.Params{"command": long + "two"}},
		), []string{"command=...one", "command=...two"}},
		"a long value alone keeps its beginning, in one line": {planOf(
			record.Cell{Params: record.Params{"script": "BEGIN;\n  SELECT 1;\n" + long}},
		), []string{"script=BEGIN; SELECT 1; a long beginning that a..."}},
		"short values stay": {
			planOf(record.Cell{Params: record.Params{"command": "true"}, Levels: map[string]string{"command": "true"}}),
			[]string{"command=true"}},
	} {
		for i, want := range c.want {
			w := PlannedWordings(c.plan)[i]
			if got := ParamsText(w.Of(c.plan.Cells[i].Params)); got != want {
				t.Errorf("%s: cell %d reads %q, want %q", name, i, got, want)
			}
		}
	}
}

// TestWordingOfComparedLevels: a comparison of two levels does not name one of them as what both sides have in common.
func TestWordingOfComparedLevels(t *testing.T) {
	words := newWordings(map[string]record.Plan{"p": planOf(
		record.Cell{Params: record.Params{"command": "a"}, Levels: map[string]string{"build": "main"}},
		record.Cell{Params: record.Params{"command": "b"}, Levels: map[string]string{"build": "pr"}},
	)})
	trial := func(cell int, build string) []record.Trial {
		return []record.Trial{{Slot: record.Slot{Plan: "p", Cell: cell}, Keys: map[string]string{"factor.build": build}}}
	}
	if got := ParamsText(words.Between(trialset.Matched{A: trial(0, "main"), B: trial(1, "pr")}).Of(nil)); got != "" {
		t.Errorf("between the levels: %q", got)
	}
	if got := ParamsText(words.Between(trialset.Matched{A: trial(0, "main"), B: trial(0, "main")}).
		Of(nil)); got != "build=main" {
		t.Errorf("between equal levels: %q", got)
	}
	if got := words.Of(trial(1, "pr")[0]).meaning(map[string]string{"command": "b"}); len(got) != 1 ||
		got[0] != "build=pr: command=b" {
		t.Errorf("meaning: %q", got)
	}
}

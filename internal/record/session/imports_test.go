package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// imported writes a session with runs of an imported file, as a label if it has one.
func imported(t *testing.T, plan, digest, label string, runs int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), plan+Suffix)
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed("m", "")))
	must(t, w.Plan(record.PlanLine{Hash: plan, Plan: record.Plan{
		Imported: &record.Imported{Format: "csv", File: "a.csv", SHA256: digest}}}))
	for n := range runs {
		tr := trialOn("m", "", fmt.Sprintf("%s-r%d", plan, n))
		tr.Plan, tr.Replicate = plan, n
		if label != "" {
			tr.Keys["label.build"] = label
		}
		must(t, w.Trial(tr))
	}
	must(t, w.End(record.End{Plan: plan, Reason: "done", Trials: runs}))
	must(t, w.Close())
	return path
}

// TestImportedTwice: one file imported into two sessions is one measurement.
func TestImportedTwice(t *testing.T) {
	for _, c := range []struct {
		name, digest, label string
		runs, want          int
	}{
		{"again", "d1", "", 3, 3},
		{"more of it", "d1", "", 5, 5},
		{"another file", "d2", "", 3, 6},
		{"as another build", "d1", "new", 3, 6},
	} {
		log, err := Read(imported(t, "p1", "d1", "", 3), imported(t, "p2", c.digest, c.label, c.runs))
		must(t, err)
		if len(log.Trials) != c.want {
			t.Errorf("%s: %d runs, want %d", c.name, len(log.Trials), c.want)
		}
		told := len(log.Problems) == 1 && strings.Contains(log.Problems[0].String(), "3 runs of a.csv were imported in ")
		if told != (c.want < 3+c.runs) {
			t.Errorf("%s: %v", c.name, log.Problems)
		}
	}
}

// TestImportedAgain: an import that was cut short does not count, and so does not replace the one that was made again.
func TestImportedAgain(t *testing.T) {
	cut := imported(t, "p1", "d1", "", 3)
	text := read(t, cut)
	at := bytes.LastIndexByte(text[:len(text)-1], '\n') // the end's line
	must(t, os.WriteFile(cut, text[:at+1], 0o600))
	log, err := Read(cut, imported(t, "p2", "d1", "", 3))
	must(t, err)
	if len(log.Trials) != 3 || log.Trials[0].Plan != "p2" {
		t.Errorf("%d runs: %v", len(log.Trials), log.Problems)
	}
}

// TestHugeFiles: a hole of a terabyte, before a session or behind one, is not read to its end.
func TestHugeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.jsonl")
	must(t, os.WriteFile(path, smallSession(t, "m", "a"), 0o600))
	must(t, os.Truncate(path, 1<<40))
	log, err := Read(path)
	must(t, err)
	if len(log.Trials) != 3 || !log.Torn || len(log.Problems) != 1 {
		t.Errorf("%d runs, torn %t: %v", len(log.Trials), log.Torn, log.Problems)
	}
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, os.Truncate(path, 1<<40))
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "is not a plimsoll session") {
		t.Errorf("a hole: %v", err)
	}
}

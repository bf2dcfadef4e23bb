package execload

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/workload"
)

// TestAgain: runs of one driver are as separate ones: between prepare and cleanup, in an empty directory, each with its
// own failure, values and leftovers.
func TestAgain(t *testing.T) {
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script := filepath.Join(t.TempDir(), "run")
	text := "#!/bin/sh\nmkdir $1/made || exit 9\necho run >>" + log + "\n" +
		"case $(grep -c run " + log + ") in 2) exit 3;; 3) sleep 30 >/dev/null 2>&1 & echo 7;; *) echo 5;; esac\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	p := params(t, map[string]string{"command": script + " {scratch}", "parse": "regexp", "pattern": `^(\d+)`,
		"prepare": "echo prepare >>" + log, "cleanup": "echo cleanup >>" + log + "; test $(grep -c run " + log + ") != 4"})
	d, err := Spec().New(workload.Env{Scratch: dir, Environ: os.Environ()}, p)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	var ran []workload.Ran
	for range 4 {
		ran = append(ran, d.(workload.Repeater).Again(t.Context()))
	}
	if r := ran[0]; r.Err != nil || r.Values[0].Value != 5 || r.CPU <= 0 || r.Wall <= 0 || r.Left != 0 || r.Doubts != nil {
		t.Errorf("the first run: %+v", r)
	}
	if r := ran[1]; r.Err == nil || !strings.Contains(r.Err.Error(), "status 3") || r.Values != nil {
		t.Errorf("the failed run: %+v", r)
	}
	if r := ran[2]; r.Left != 1 || len(r.Doubts) == 0 {
		t.Errorf("the run that leaves processes: %+v", r)
	}
	if r := ran[3]; r.Err != nil || len(r.Doubts) != 1 || !strings.Contains(r.Doubts[0], "cleanup") {
		t.Errorf("the run before a failed cleanup: %+v", r)
	}
	seen, err := os.ReadFile(log)
	if want := strings.Repeat("prepare\nrun\ncleanup\n", 4); err != nil || string(seen) != want {
		t.Errorf("%q, %v; want %q", seen, err, want)
	}
}

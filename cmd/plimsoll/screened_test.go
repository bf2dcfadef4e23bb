package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// driving sets a title and the clipboard, clears the screen, and turns what follows around.
const driving = "evil\x1b]0;owned\x07\x1b]52;c;cm0=\x1b\\\u009b2J\u202e\u2066\r\x7f"

// drivingSession returns a session with that in every text, and in its name.
func drivingSession(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "evil\x1b[2J\u202e"+session.Suffix)
	w, err := session.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{record.KeyMachine: driving, record.KeyMachineID: driving, record.KeyWorkload: driving,
		record.KeyLoad: "8 clients", driving: driving}
	load := record.LoadPoint{Kind: record.Closed, Level: 8, Unit: record.ParamClients}
	plan := record.Plan{Name: driving, Session: driving, Margin: .02, Alpha: .05, Replicates: 4,
		Labels: map[string]string{driving: driving},
		Cells:  []record.Cell{{Workload: driving, Load: load}}}
	errs := []error{
		w.Machine(record.Machine{Format: record.Format, Name: driving, ID: driving, Kernel: driving, OS: driving,
			CPU: record.CPU{Model: driving, Threads: 2}}),
		w.Plan(record.PlanLine{Hash: "p", Plan: plan})}
	for i := range 4 {
		errs = append(errs,
			w.Trial(record.Trial{ID: driving, Slot: record.Slot{Plan: "p", Replicate: i}, Load: load,
				Void: strings.Repeat(driving, i/3),
				Keys: keys, Doubts: []string{driving},
				Values: []record.Value{
					{Metric: record.Metric{Name: driving, Unit: driving, Better: record.Higher}, Value: float64(7 + i)}}}))
	}
	errs = append(errs, w.End(record.End{Plan: "p", Reason: driving, Detail: driving, Trials: 4}), w.Close())
	text, err := os.ReadFile(file)
	errs = append(errs, err, os.WriteFile(file, append(text, driving+"\n"...), 0o600)) // a line that cannot be read
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestNoVerbDrivesATerminal: by what others wrote into a session and its name, or say from another host.
func TestNoVerbDrivesATerminal(t *testing.T) {
	file := drivingSession(t)
	said := filepath.Join(t.TempDir(), "said")
	if err := os.WriteFile(said, []byte(driving+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := "sh -c 'cat " + said + "; exit 1' --"
	for _, args := range [][]string{
		{"status", file}, {"status", filepath.Dir(file)}, {"status", "--json", file}, {"show", file},
		{"show", file, "--all"}, {"show", file, "--json"},
		{"compare", file}, {"compare", file, file}, {"compare", file, "--json"}, {"history", filepath.Dir(file)},
		{"history", filepath.Dir(file), "--json"},
		{"run", "--resume", file}, {"tidy", file},
		{"import", "--format", "csv", file, "-o", filepath.Join(t.TempDir(), "x"+session.Suffix)},
		{"status", file, "--on", other}, {"tidy", file, "--on", other},
	} {
		var out bytes.Buffer
		code := start(args, strings.NewReader(""), &out, &out, os.Getenv)
		if driven(out.Bytes()) {
			t.Errorf("%.60q: a control character passes: %.1000q", args, out.String())
		}
		if !strings.Contains(out.String(), "evil") {
			t.Errorf("%.60q says nothing of it: exit code %d, %s", args, code, &out)
		}
	}
	page := filepath.Join(t.TempDir(), "report.html")
	if code := start([]string{"report", file, "-o", page}, strings.NewReader(""), io.Discard, io.Discard,
		os.Getenv); code != exitDone {
		t.Fatalf("report: exit code %d", code)
	}
	text, err := os.ReadFile(page)
	if err != nil || !bytes.Contains(text, []byte("evil")) ||
		bytes.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }) {
		t.Errorf("the report turns text around, or has none: %v", err)
	}
}

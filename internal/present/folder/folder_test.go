package folder

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/base/input"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// written returns a session of n runs.
func written(t *testing.T, n int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a"+session.Suffix)
	w, err := session.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(w.Machine(record.Machine{Format: record.Format, Name: "m"}), w.Plan(record.PlanLine{Hash: "p"}))
	for i := range n {
		err = errors.Join(err, w.Trial(record.Trial{
			ID: fmt.Sprint(i), Slot: record.Slot{Plan: "p", Replicate: i + 1},
			Keys:   map[string]string{record.KeyMachine: "m", record.KeyWorkload: "exec"},
			Values: []record.Value{{Metric: record.Metric{Name: "time", Unit: "s", Better: record.Lower}, Value: 1}},
		}))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestLinesCutShort: a last line that was cut, by its writer or by what is read of a large file, is no bad line.
func TestLinesCutShort(t *testing.T) {
	whole := written(t, 5)
	broken := bytes.Replace(whole, []byte(`"replicate":2`), []byte(`"replicate":9`), 1)
	for name, c := range map[string]struct {
		text      []byte
		most      int64
		runs, bad int
		torn      bool
	}{
		"whole":            {whole, 0, 5, 0, false},
		"cut":              {whole[:len(whole)-10], 0, 4, 0, true},
		"larger than read": {whole, int64(len(whole) - 10), 4, 0, true},
		"twice the same":   {append(bytes.Clone(whole), whole...), 0, 5, 0, false}, // as by cat of two that overlap
		"changed":          {broken, 0, 4, 1, false},
		"changed and cut":  {broken[:len(broken)-10], 0, 3, 1, true},
	} {
		path := filepath.Join(t.TempDir(), "b"+session.Suffix)
		if err := os.WriteFile(path, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		var got explore.Kept
		Reader{Open: input.Open, Most: c.most}.Read(t.Context(), []File{{Name: "b", Path: path, Info: info}}, nil,
			func(_ File, kept explore.Kept, _ time.Duration) { got = kept })
		if len(got.Summary.Machines) != 1 || got.Summary.Machines[0].Runs != c.runs || got.File.Bad != c.bad ||
			got.File.Torn != c.torn || got.File.Problem != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

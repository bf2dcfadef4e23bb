package session

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/input"
	"plimsoll/internal/record"
)

// bulk adds one of each kind of line.
func bulk(b *Bulk) error {
	return errors.Join(b.Machine(machineNamed("bulk", "b")), b.Plan(record.PlanLine{Hash: "p2"}),
		b.Trial(trialOn("bulk", "b", "b1")), b.Trial(trialOn("bulk", "b", "b2")), b.End(record.End{Plan: "p2", Trials: 2}))
}

func TestBulkIsKeptWhole(t *testing.T) {
	path := put(t, smallSession(t, "m", "a"))
	w, before, err := Resume(path)
	must(t, err)
	must(t, w.Bulk(bulk))
	must(t, addTrial(w, trialOn("bulk", "b", "after")))
	must(t, w.Close())
	log, err := Read(path)
	must(t, err)
	if len(log.Trials) != len(before.Trials)+3 || len(log.Plans) != 2 || len(log.Ends) != 2 || len(log.Problems) > 0 {
		t.Errorf("%d trials, %d plans, %d ends, problems %v", len(log.Trials), len(log.Plans), len(log.Ends), log.Problems)
	}
}

// An import counts only with its end: truncated anywhere before that, as by a kill, it leaves the previous contents
// only.
func TestUnfinishedImport(t *testing.T) {
	small := smallSession(t, "m", "a")
	path := put(t, small)
	w, before, err := Resume(path)
	must(t, err)
	trial := trialOn("bulk", "b", "b1")
	trial.Plan = "p2"
	must(t, w.Bulk(func(b *Bulk) error {
		plan := record.Plan{Name: "import of f", Imported: &record.Imported{Format: "csv"}}
		return errors.Join(b.Machine(machineNamed("bulk", "b")), b.Plan(record.PlanLine{Hash: "p2", Plan: plan}),
			b.Trial(trial), b.End(record.End{Plan: "p2", Trials: 1}))
	}))
	must(t, w.Close())
	whole := read(t, path)
	// A head does not tell whether its end is behind; a file does, whichever it is.
	log, _, err := NewHeads().Read(t.Context(), input.Open, path, int64(len(whole)-10))
	must(t, err)
	if len(log.Trials) != len(before.Trials)+1 || len(log.Plans) != 2 {
		t.Errorf("head: %d trials, %d plans", len(log.Trials), len(log.Plans))
	}
	cutShort := put(t, whole[:len(whole)-10])
	log, err = Read(cutShort, put(t, smallSession(t, "n", "c")))
	must(t, err)
	if !log.Cut {
		t.Error("the import is not said to be cut short")
	}
	if at := slices.IndexFunc(log.Problems, func(p Problem) bool {
		return strings.Contains(p.Reason, "import it again")
	}); at < 0 || log.Problems[at].File != cutShort {
		t.Errorf("%v", log.Problems)
	}
	for cut := len(small); cut <= len(whole); cut++ {
		must(t, os.WriteFile(path, whole[:cut], 0o600))
		log, err := Read(path)
		must(t, err)
		want := len(before.Trials)
		if cut >= len(whole)-1 { // a last line needs no newline
			want++
		}
		if len(log.Trials) != want || len(log.Plans) != want-len(before.Trials)+1 {
			t.Fatalf("cut at %d of %d: %d trials and %d plans, %v", cut, len(whole), len(log.Trials), len(log.Plans),
				log.Problems)
		}
	}
}

// A bulk that fails leaves the file as it was, also when a part of it was written.
func TestBulkFailsAsAWhole(t *testing.T) {
	whole := smallSession(t, "m", "a")
	boom := errors.New("boom")
	for _, fill := range []func(*Bulk) error{
		func(b *Bulk) error { return errors.Join(bulk(b), boom) },
		func(b *Bulk) error {
			for range bulkBuffer / 100 {
				must(t, b.Trial(trialOn("bulk", "b", "many")))
			}
			return boom
		},
		func(b *Bulk) error { return errors.Join(b.Trial(record.Trial{}), boom) },
	} {
		path := put(t, whole)
		w, _, err := Resume(path)
		must(t, err)
		if err := w.Bulk(fill); !errors.Is(err, boom) {
			t.Errorf("got %v", err)
		}
		if err := w.Bulk(bulk); !errors.Is(err, boom) {
			t.Errorf("the writer goes on after an error: %v", err)
		}
		must(t, w.Close())
		got, err := os.ReadFile(path)
		must(t, err)
		if string(got) != string(whole) {
			t.Errorf("the file has %d bytes, and had %d", len(got), len(whole))
		}
	}
}

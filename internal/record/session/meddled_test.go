package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/input"

	"plimsoll/internal/record"
)

// Whatever others do to a session while it is written, nothing is written to what is left of it, and the error says how
// many runs that has; what others append does not matter.
func TestMeddling(t *testing.T) {
	foreign := "foreign\n"
	tests := []struct {
		name string
		do   func(path string) error
		why  string // "": it does not matter
		left string // name of the file with the session's first run; "": there is none
	}{
		{"remove", os.Remove, wasRemoved, ""},
		{"rename", func(p string) error { return os.Rename(p, p+".old") }, wasRenamed, "s.jsonl.old"},
		{"rename and a new one", func(p string) error {
			return errors.Join(os.Rename(p, p+".old"), os.WriteFile(p, []byte(foreign), 0o600))
		}, wasReplaced, "s.jsonl.old"},
		{"replace", func(p string) error {
			return errors.Join(os.WriteFile(p+".new", []byte(strings.Repeat(foreign, 9999)), 0o600), os.Rename(p+".new", p))
		}, wasReplaced, ""},
		{"remove the directory", func(p string) error { return os.RemoveAll(filepath.Dir(p)) }, wasRemoved, ""},
		{"truncate", func(p string) error { return os.Truncate(p, 0) }, wasCut, ""},
		{"truncate a little", func(p string) error { return os.Truncate(p, 300) }, wasCut, ""},
		{"truncate the last byte", func(p string) error {
			text, err := os.ReadFile(p)
			return errors.Join(err, os.Truncate(p, int64(len(text)-1)))
		}, wasCut, "s.jsonl"},
		{"truncate and append", func(p string) error {
			return errors.Join(os.Truncate(p, 300), appendTo(p, strings.Repeat(foreign, 9999)))
		}, wasOver, ""},
		{"copy over", func(p string) error { return os.WriteFile(p, []byte(strings.Repeat(foreign, 9999)), 0o600) }, wasOver,
			""},
		{"append a line", func(p string) error { return appendTo(p, foreign) }, "", ""},
		{"append half a line", func(p string) error { return appendTo(p, `{"kind":"trial","id":"x"`) }, "", ""},
	}
	for _, resumed := range []bool{false, true} {
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s, resumed %t", tt.name, resumed), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "in", "s.jsonl")
				must(t, os.Mkdir(filepath.Dir(path), 0o755))
				w, err := Create(path)
				must(t, err)
				must(t, w.Machine(machineNamed("m", "a")))
				must(t, addTrial(w, trialOn("m", "a", "t0")))
				if resumed {
					must(t, w.Close())
					w, _, err = Resume(path)
					must(t, err)
					must(t, w.Machine(machineNamed("m", "a")))
				}
				var notes []string
				w.Note = func(msg string) { notes = append(notes, msg) }
				must(t, tt.do(path))
				before, _ := os.ReadFile(path)
				err = addTrial(w, trialOn("m", "a", "t1"))
				again := addTrial(w, trialOn("m", "a", "t2"))
				must(t, w.Close())
				if tt.why == "" {
					if err != nil || again != nil || len(notes) != 1 ||
						!strings.Contains(notes[0], "another program has appended") {
						t.Errorf("%v, then %v; notes %q", err, again, notes)
					}
					allThere(t, path, "t0", "t1", "t2")
					return
				}
				safe, hint := 0, "plimsoll run -o OTHER measures again"
				if tt.left != "" {
					left := filepath.Join(filepath.Dir(path), tt.left)
					safe, hint = 1, "plimsoll run --resume "+left+" measures what is missing"
					allThere(t, left, "t0")
				}
				want := fmt.Sprintf("runs safe in it: %d, finished and not saved: %d\nhint: %s", safe, 2-safe, hint)
				if !errors.As(err, new(Unwritten)) || again != err ||
					!strings.HasPrefix(err.Error(), "write "+path+": it was "+tt.why+" while it was written") ||
					!strings.HasSuffix(err.Error(), want) {
					t.Errorf("%v, then %v, want %s", err, again, want)
				}
				if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
					t.Errorf("%d bytes were there, now %d", len(before), len(after))
				}
			})
		}
	}
}

// allThere fails unless a file has these runs, with their series.
func allThere(t *testing.T, path string, want ...string) {
	t.Helper()
	log, err := Read(path)
	must(t, err)
	if !slices.Equal(ids(log), want) || len(log.Machines) != 1 {
		t.Errorf("trials %v of %d machines", ids(log), len(log.Machines))
	}
	for _, id := range ids(log) {
		if series, err := log.Series(id); err != nil || len(series) != 2 {
			t.Errorf("trial %s has %d series, %v", id, len(series), err)
		}
	}
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// A failed write removes the incomplete record and nothing else.
func TestFaultBehindForeignBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed("m", "a")))
	must(t, addTrial(w, trialOn("m", "a", "t0")))
	must(t, appendTo(path, strings.Repeat("foreign\n", 2000)))
	must(t, addTrial(w, trialOn("m", "a", "t1")))
	w.f = &faulty{file: w.f, short: 300, syncs: 9}
	err = addTrial(w, trialOn("m", "a", "t2"))
	if !errors.Is(err, errFault) || !strings.Contains(err.Error(), "runs safe in it: 2\n") {
		t.Errorf("got %v", err)
	}
	must(t, w.Close())
	log, err := Read(path)
	must(t, err)
	if !slices.Equal(ids(log), []string{"t0", "t1"}) || log.Torn {
		t.Errorf("trials %v, torn %t", ids(log), log.Torn)
	}
}

// cutting has somebody cut the file between its comparison and a write, which nothing of the file tells afterwards.
type cutting struct {
	file
	to int64
}

func (c *cutting) Write(b []byte) (int, error) {
	if err := c.Truncate(c.to); err != nil {
		return 0, err
	}
	return c.file.Write(b)
}

func TestCutAsItIsWritten(t *testing.T) {
	for name, share := range map[string]int64{"to nothing": 0, "by half": 1} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			w, err := Create(path)
			must(t, err)
			must(t, w.Machine(machineNamed("m", "a")))
			must(t, addTrial(w, trialOn("m", "a", "t0")))
			w.f = &cutting{w.f, share * w.end / 2}
			err = addTrial(w, trialOn("m", "a", "t1"))
			if again := addTrial(w, trialOn("m", "a", "t2")); !errors.Is(err, errMeddled) || again != err {
				t.Errorf("%v, then %v", err, again)
			}
			must(t, w.Close())
			safe := 0
			if log, err := Read(path); err == nil {
				safe = len(log.Trials)
			}
			if want := fmt.Sprintf(": it was cut short while it was written; runs safe in it: %d, finished and not saved: %d\n",
				safe, 2-safe); !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

// counting counts the appends to a file.
type counting struct {
	file
	writes int
}

func (c *counting) Write(b []byte) (int, error) {
	c.writes++
	return c.file.Write(b)
}

// TestPairIsOneAppend: of two sides that were measured in turns, a kill between them would leave one, which --resume
// would measure again.
func TestPairIsOneAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed("m", "a")))
	f := &counting{file: w.f}
	w.f = f
	for _, id := range []string{"t0", "t1"} {
		must(t,
			w.Series(record.Series{Trial: id, Name: "ops", Unit: "op", StepNs: 1e9, Enc: record.EncWindows, Data: "AAEC"}))
	}
	must(t, w.Trial(trialOn("m", "a", "t0"), trialOn("m", "a", "t1")))
	if f.writes != 1 {
		t.Errorf("%d appends", f.writes)
	}
	var unnamed record.Trial
	if err := w.Trial(trialOn("m", "a", "t2"), unnamed); err == nil || f.writes != 1 {
		t.Errorf("half a pair: %v, %d appends", err, f.writes)
	}
	must(t, w.Close())
	log, err := Read(path)
	must(t, err)
	if !slices.Equal(ids(log), []string{"t0", "t1"}) {
		t.Errorf("runs %v", ids(log))
	}
}

func TestImportCutAsItIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed("m", "a")))
	before := w.end
	w.f = &cutting{w.f, before / 2}
	err = w.Bulk(func(b *Bulk) error { return b.Trial(trialOn("m", "a", "t0")) })
	if err == nil || !strings.Contains(err.Error(), "it was cut meanwhile") {
		t.Errorf("got %v", err)
	}
	_ = w.Close()
	if log, err := Read(path); err == nil && len(log.Trials) > 0 {
		t.Errorf("runs %v count", ids(log))
	}
}

// A session that went through mail has its lines ended in another way.
func TestCRLF(t *testing.T) {
	whole := smallSession(t, "m", "a")
	log, err := Read(put(t, []byte(strings.ReplaceAll(string(whole), "\n", "\r\n"))))
	must(t, err)
	if len(log.Trials) != 3 || len(log.Problems) > 0 || log.Torn {
		t.Errorf("%d trials, problems %v", len(log.Trials), log.Problems)
	}
	for _, id := range ids(log) {
		if series, err := log.Series(id); err != nil || len(series) != 2 {
			t.Errorf("trial %s has %d series, %v", id, len(series), err)
		}
	}
}

// TestReplacedBeforeItsLock: of a file that another took the place of between its opening and its lock nothing is cut
// off, nor of the other.
func TestReplacedBeforeItsLock(t *testing.T) {
	for name, do := range map[string]func(path, other string) error{
		"replaced": func(path, other string) error { return os.Rename(other, path) },
		"moved":    func(path, _ string) error { return os.Rename(path, path+".old") },
		"removed":  func(path, _ string) error { return os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			path, other := filepath.Join(t.TempDir(), "s.jsonl"), filepath.Join(t.TempDir(), "o.jsonl")
			torn := append(smallSession(t, "m", "a"), `{"kind":"trial"`...)
			short := append(smallSession(t, "m", "b")[:300], '{')
			must(t, os.WriteFile(path, torn, 0o600))
			must(t, os.WriteFile(other, short, 0o600))
			f, err := input.OpenFile(path, os.O_RDWR|os.O_APPEND)
			must(t, err)
			defer f.Close()
			must(t, do(path, other))
			if _, _, err := resume(t.Context(), path, f); err == nil ||
				!strings.Contains(err.Error(), "it was replaced just now") {
				t.Errorf("got %v", err)
			}
			open, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<20))
			must(t, err)
			if !bytes.Equal(open, torn) {
				t.Errorf("the open file has %d bytes of %d", len(open), len(torn))
			}
			if named, err := os.ReadFile(path); name == "replaced" && (err != nil || !bytes.Equal(named, short)) {
				t.Errorf("the other file has %d bytes of %d, %v", len(named), len(short), err)
			}
		})
	}
}

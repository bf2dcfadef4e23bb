package session

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
)

func TestRoundTrip(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var (
		machine record.Machine
		plan    record.PlanLine
		series  record.Series
		event   record.Event
		trial   record.Trial
		end     record.End
	)
	for _, rec := range []any{&machine, &plan, &series, &event, &trial, &end} {
		fill(r, reflect.ValueOf(rec).Elem())
	}
	machine.Format, series.Trial, end.Plan = record.Format, trial.ID, plan.Hash
	// With all fields filled a trial is longer than a line may be, and would lose the lines of its mix.
	mix := record.Trial{ID: "mix", Keys: map[string]string{}, Energy: trial.Energy,
		Generator: &record.LoadUse{Targets: trial.Generator.Targets}}
	trial.Generator.Targets, trial.Energy = nil, nil
	path := filepath.Join(t.TempDir(), "s.jsonl")
	w, err := Create(path)
	must(t, err)
	for _, err := range []error{w.Machine(machine), w.Plan(plan), w.Series(series), w.Event(event), w.Trial(trial),
		w.Trial(mix), w.End(end), w.Close()} {
		must(t, err)
	}
	log, err := Read(path)
	must(t, err)
	got, err := log.Series(trial.ID)
	must(t, err)
	want := &Log{
		Machines: []record.Machine{machine}, Plans: []record.PlanLine{plan}, Trials: []record.Trial{trial, mix},
		Events: []record.Event{event}, Ends: []record.End{end},
		files: log.files, runs: log.runs, refs: log.refs, kept: log.kept, safe: log.safe,
	}
	if !reflect.DeepEqual(log, want) || !reflect.DeepEqual(got, []record.Series{series}) {
		t.Errorf("got\n%+v\n%+v\nwant\n%+v\n%+v", log, got, want, series)
	}
}

// A file is cut at every byte, read, and gone on with.
func TestTornTail(t *testing.T) {
	t.Parallel()
	whole := smallSession(t, "m", "a")
	path := filepath.Join(memoryDir(t), "s.jsonl")
	first := slices.Index(whole, '\n')
	for cut := 0; cut <= len(whole); cut += simtest.Stride() {
		must(t, os.WriteFile(path, whole[:cut], 0o600))
		log, err := Read(path)
		if cut < first {
			if !errors.Is(err, ErrNotSession) {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			continue
		}
		must(t, err)
		want := wantIDs(whole, cut)
		if !slices.Equal(ids(log), want) {
			t.Fatalf("cut at %d: trials %v, want %v", cut, ids(log), want)
		}
		w, _, err := Resume(path)
		must(t, err)
		must(t, w.Machine(machineNamed("m", "a")))
		must(t, addTrial(w, trialOn("m", "a", "again")))
		must(t, w.Close())
		log, err = Read(path)
		must(t, err)
		if !slices.Equal(ids(log), append(want, "again")) || log.Torn || len(log.Problems) > 0 {
			t.Fatalf("cut at %d and resumed: trials %v, problems %v", cut, ids(log), log.Problems)
		}
	}
}

// A bad line that is not the last one is not the writer's to cut.
func TestResumeKeepsBadLines(t *testing.T) {
	whole := smallSession(t, "m", "a")
	path := put(t, append(whole, "bad\n{\"kind\":\"series\",torn"...))
	w, log, err := Resume(path)
	must(t, err)
	must(t, w.Close())
	if len(log.Problems) != 2 || !log.Torn {
		t.Errorf("problems %v", log.Problems)
	}
	if got := string(read(t, path)); got != string(whole)+"bad\n" {
		t.Errorf("the file ends with %q", got[len(got)-20:])
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed("m", "a")))
	expect := func(err, is error, says string) {
		t.Helper()
		if err == nil || is != nil && !errors.Is(err, is) || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	_, err = Create(path)
	expect(err, fs.ErrExist, "\nhint: --resume "+path)
	_, _, err = Resume(path)
	expect(err, nil, "another plimsoll is writing to it\nhint:")
	must(t, w.Close())
	expect(w.Trial(trialOn("m", "a", "t")), fs.ErrClosed, path)
	w, _, err = Resume(path)
	must(t, err)
	must(t, w.Close())
	_, err = Create(filepath.Join(dir, "none", "s.jsonl"))
	expect(err, fs.ErrNotExist, "\nhint: mkdir -p")
	_, _, err = Resume(filepath.Join(dir, "none"))
	expect(err, fs.ErrNotExist, filepath.Join(dir, "none"))
	_, _, err = Resume(put(t, seal([]byte(`{"kind":"series","trial":"t","name":"n"`))))
	expect(err, nil, "no machine line")
}

func TestLongTrials(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	w, err := Create(path)
	must(t, err)
	long := trialOn("m", "a", "long")
	long.Void = strings.Repeat("é", 3000)
	long.Doubts = slices.Repeat([]string{strings.Repeat("doubt ", 100)}, 100)
	must(t, w.Trial(long))
	if len(long.Doubts) != 100 || len(long.Doubts[0]) != 600 {
		t.Error("the caller's doubts were changed")
	}
	fat := trialOn("m", "a", "fat")
	fat.Keys["erasure.text"] = strings.Repeat("x", maxTrial)
	if err := w.Trial(fat); err == nil || !strings.Contains(err.Error(), "run fat takes") {
		t.Errorf("a trial that is too large: %v", err)
	}
	nan := trialOn("m", "a", "nan")
	nan.Values[0].Value = math.NaN()
	if err := w.Trial(nan); err == nil || !strings.Contains(err.Error(), "run nan") {
		t.Errorf("a trial without a number: %v", err)
	}
	if err := w.Series(record.Series{Trial: "t", Name: "profile", Data: strings.Repeat("x", maxLine)}); err == nil ||
		!strings.Contains(err.Error(), "series profile of run t") {
		t.Errorf("a series that is too large: %v", err)
	}
	must(t, w.Trial(trialOn("m", "a", "next")))
	must(t, w.Close())
	log, err := Read(path)
	must(t, err)
	if !slices.Equal(ids(log), []string{"long", "next"}) {
		t.Fatalf("trials %v", ids(log))
	}
	got := log.Trials[0]
	if n := len(got.Doubts); !strings.HasPrefix(got.Void, "éé") || !strings.HasPrefix(got.Doubts[n-1], "and ") {
		t.Errorf("void %q, doubts %q", got.Void, got.Doubts)
	}
}

// Series of several trials may come mixed, and more of them than wait in memory.
func TestMixedSeries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	w, err := Create(path)
	must(t, err)
	data := strings.Repeat("x", 3<<20)
	trials := []string{"t0", "t1", "crashed"}
	for _, name := range []string{"a", "b", "c"} {
		for _, trial := range trials {
			must(t, w.Series(record.Series{Trial: trial, Name: name, Data: data}))
		}
	}
	must(t, w.Trial(trialOn("m", "a", "t0")))
	must(t, w.Trial(trialOn("m", "a", "t1")))
	must(t, w.Close())
	log, err := Read(path)
	must(t, err)
	for _, trial := range trials[:2] {
		series, err := log.Series(trial)
		must(t, err)
		if len(series) != 3 {
			t.Errorf("trial %s has %d series", trial, len(series))
		}
	}
}

// faulty fails from a certain call on.
type faulty struct {
	file
	writes, syncs int // that still succeed
	short         int // bytes that the failing write leaves behind
	stuck         bool
}

var errFault = errors.New("injected fault")

func (f *faulty) Write(b []byte) (int, error) {
	if f.writes--; f.writes < 0 {
		n, _ := f.file.Write(b[:f.short])
		return n, errFault
	}
	return f.file.Write(b)
}

func (f *faulty) Sync() error {
	if f.syncs--; f.syncs < 0 {
		return errFault
	}
	return f.file.Sync()
}

func (f *faulty) Truncate(n int64) error {
	if f.stuck {
		return errFault
	}
	return f.file.Truncate(n)
}

// unread cannot be read from, for some calls.
type unread struct {
	file
	reads, fails int // that still succeed, and that then do not
}

func (u *unread) ReadAt(b []byte, at int64) (int, error) {
	if u.reads--; u.reads < 0 && len(b) > 0 {
		if u.fails--; u.fails >= 0 {
			return 0, errFault
		}
	}
	return u.file.ReadAt(b, at)
}

// TestUnreadWhileWritten: whichever read of a file that is written fails, once or from then on, the Writer says so, and
// loses nothing that was there.
func TestUnreadWhileWritten(t *testing.T) {
	for _, fails := range []int{1, 99} {
		hit := 0
		for reads := range 16 {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			w, err := Create(path)
			must(t, err)
			must(t, w.Machine(machineNamed("m", "a")))
			must(t, addTrial(w, trialOn("m", "a", "t0")))
			before, err := os.ReadFile(path)
			must(t, err)
			u := &unread{w.f, reads, fails}
			w.f = u
			err = addTrial(w, trialOn("m", "a", "t1"))
			if failed := u.fails < fails; failed != (err != nil) {
				t.Errorf("read %d of %d that fail: %v", reads, fails, err)
			}
			if err != nil {
				hit++
				if again := w.Event(record.Event{}); !errors.Is(err, errFault) || again != err ||
					!strings.Contains(err.Error(), "read "+path) || !strings.Contains(err.Error(), "hint: check its disk") {
					t.Errorf("%v, then %v", err, again)
				}
			}
			must(t, w.Close())
			if after, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(after), string(before)) {
				t.Errorf("what was there is not: %v", err)
			}
		}
		if hit < 3 {
			t.Errorf("only %d reads failed", hit)
		}
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name string
		faulty
		torn bool
	}{
		{"write", faulty{writes: 2, syncs: 9}, false},
		{"short write", faulty{writes: 2, syncs: 9, short: 400}, false},
		{"short write, no truncate", faulty{writes: 2, syncs: 9, short: 400, stuck: true}, true},
		{"sync", faulty{writes: 9, syncs: 1}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			w, err := Create(path)
			must(t, err)
			tt.file = w.f
			w.f = &tt.faulty
			must(t, w.Machine(machineNamed("m", "a")))
			must(t, addTrial(w, trialOn("m", "a", "t0")))
			err = addTrial(w, trialOn("m", "a", "t1"))
			if !errors.Is(err, errFault) || !strings.Contains(err.Error(), "runs safe in it: 1") {
				t.Fatalf("got %v", err)
			}
			if again := w.Event(record.Event{}); again != err {
				t.Errorf("then %v", again)
			}
			must(t, w.Close())
			log, err := Read(path)
			must(t, err)
			if !slices.Equal(ids(log), []string{"t0"}) || log.Torn != tt.torn {
				t.Errorf("trials %v, torn %v", ids(log), log.Torn)
			}
		})
	}
}

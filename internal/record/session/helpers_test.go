package session

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
)

func machineNamed(name, id string) record.Machine {
	return record.Machine{Format: record.Format, Name: name, ID: id, Arch: "arm64"}
}

func trialOn(machine, machineID, id string) record.Trial {
	return record.Trial{
		ID: id, Slot: record.Slot{Plan: "p1"},
		Keys: map[string]string{
			record.KeyMachine: machine, record.KeyMachineID: machineID, record.KeyWorkload: "erasure",
		},
		Values: []record.Value{
			{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher}, Value: 1.5e9}},
	}
}

// addTrial writes a trial behind two series.
func addTrial(w *Writer, t record.Trial) error {
	for _, name := range []string{"ops", "busy"} {
		s := record.Series{Trial: t.ID, Name: name, Unit: "1/s", StepNs: 1e9, Enc: record.EncWindows,
			Data: "YmNmY+VgBAQAAP//"}
		if err := w.Series(s); err != nil {
			return err
		}
	}
	return w.Trial(t)
}

// smallSession writes every kind of line, in two segments, and returns its bytes.
func smallSession(t testing.TB, name, id string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.jsonl")
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed(name, id)))
	must(t, w.Plan(record.PlanLine{Hash: "p1", Plan: record.Plan{Name: "quick"}}))
	for n := range 2 {
		trial := fmt.Sprintf("%s-t%d", id, n)
		must(t, w.Event(record.Event{Trial: trial, TimeNs: int64(n), Name: "checkpoint"}))
		must(t, addTrial(w, trialOn(name, id, trial)))
	}
	must(t, w.Machine(machineNamed(name+"b", id)))
	must(t, addTrial(w, trialOn(name+"b", id, id+"-t2")))
	must(t, w.End(record.End{Plan: "p1", Reason: "done", Trials: 3}))
	must(t, w.Close())
	return read(t, path)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

// put writes bytes to a fresh file and returns its path.
func put(t testing.TB, b []byte) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "*.jsonl")
	must(t, err)
	_, err = f.Write(b)
	must(t, err)
	must(t, f.Close())
	return f.Name()
}

// memoryDir is for tests of thousands of writes: a disk would take a minute to sync them.
func memoryDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "session")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// content returns a log's contents, including series, as one text to compare.
func content(t testing.TB, l *Log) string {
	t.Helper()
	s := fmt.Sprintf("%+v\n%+v\n%+v\n%+v\n", l.Machines, l.Plans, l.Events, l.Ends)
	for _, trial := range l.Trials {
		series, err := l.Series(trial.ID)
		must(t, err)
		trial.Keys = maps.Clone(trial.Keys)
		delete(trial.Keys, record.KeyFile) // of files that were joined there is none
		s += fmt.Sprintf("%+v %+v\n", trial, series)
	}
	return s
}

func ids(l *Log) (out []string) {
	for _, t := range l.Trials {
		out = append(out, t.ID)
	}
	return out
}

// wantIDs are the trials of which at least the line, if not its newline, is in b.
func wantIDs(whole []byte, cut int) (out []string) {
	end := 0
	for line := range bytes.Lines(whole) {
		end += len(line)
		if end-1 > cut {
			break
		}
		if rest, ok := bytes.CutPrefix(line, []byte(`{"kind":"trial","id":"`)); ok {
			id, _, _ := bytes.Cut(rest, []byte(`"`))
			out = append(out, string(id))
		}
	}
	return out
}

// fill sets every field to something that is not zero, down to the last.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" { // what is concluded from trials is in no file
				fill(r, v.Field(i))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(r, v.Index(0))
		fill(r, v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(r, key)
		fill(r, value)
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString(fmt.Sprintf("<%d> & \"é\\\u2028\n", r.IntN(1000)))
	case reflect.Int, reflect.Int64:
		v.SetInt(r.Int64() - r.Int64())
	case reflect.Uint64:
		v.SetUint(r.Uint64())
	case reflect.Float64:
		v.SetFloat(r.NormFloat64())
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("cannot fill " + v.Type().String())
	}
}

// bigSession makes a file as writeBig does and returns its size in bytes.
func bigSession(t testing.TB, path string, trials, seriesBytes int) int64 {
	t.Helper()
	size, err := writeBig(path, trials, seriesBytes)
	must(t, err)
	return size
}

// writeBig writes a file as a long run leaves it: trials of about 2 KiB in a
// hundred cells, each behind series of seriesBytes in all. It returns the file's
// size in bytes. Unlike a Writer it does not sync.
func writeBig(path string, trials, seriesBytes int) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	out := &lines{Writer: bufio.NewWriterSize(f, 1<<20)}
	out.add(kindMachine, machineNamed("big", "b"))
	data := string(slices.Repeat([]byte("bGV0dGVycyBhbmQgZGlnaXRz"), seriesBytes/3/24))
	for n := range trials {
		trial := typicalTrial(n)
		trial.Keys["pgbench.clients"], trial.Replicate = fmt.Sprint(n%100), n/100
		for _, name := range []string{"ops", "latency", "profile"} {
			out.add(kindSeries, record.Series{Trial: trial.ID, Name: name, Unit: "ns", Enc: record.EncHistogram, Data: data})
		}
		out.add(kindTrial, trial)
	}
	err = errors.Join(out.err, out.Flush())
	st, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return 0, err
	}
	return st.Size(), nil
}

// lines writes a session's lines and keeps the first error.
type lines struct {
	*bufio.Writer
	err error
}

func (l *lines) add(kind string, rec any) {
	b, err := encode(kind, rec)
	if l.err == nil {
		l.err = err
	}
	l.Write(b) // its error is also Flush's
}

// typicalTrial has as many keys and values as a trial of a database has.
func typicalTrial(n int) record.Trial {
	t := trialOn("big", "b", fmt.Sprintf("3f1c9a52e07b-%06d", n))
	for i := range 16 {
		t.Keys[fmt.Sprintf("pgbench.param%d", i)] = fmt.Sprintf("value %d", i%3)
	}
	for i := range 10 {
		t.Values = append(t.Values, record.Value{
			Metric: record.Metric{Name: fmt.Sprintf("metric_%d", i), Unit: "ns", Better: record.Lower}, Value: float64(n) / 7,
		})
	}
	steal := 0.25
	t.Ledger = &record.Ledger{StealPct: &steal, PSICPUPct: &steal, ForeignCPU: &steal}
	t.CPU = &record.CPUUse{Work: 1, Machine: 2, CPUs: 4, Source: "cgroup"}
	return t
}

// needsItself skips a test that starts this test binary again, where an
// emulator that the kernel does not know runs it.
func needsItself(t *testing.T) {
	t.Helper()
	if simtest.Emulated() {
		t.Skip("an emulated program cannot start itself")
	}
}

func Read(paths ...string) (*Log, error) { return ReadContext(context.Background(), paths...) }

func Resume(path string) (*Writer, *Log, error) { return ResumeContext(context.Background(), path) }

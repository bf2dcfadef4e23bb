package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"plimsoll/internal/base/usage"
)

// FuzzRead reads any bytes as a session, and once more with a good crc on each
// line, which chance would not find. What is accepted must encode, and that must be stable.
func FuzzRead(f *testing.F) {
	small := smallSession(f, "m", "a")
	f.Add(small)
	f.Add(small[:len(small)/2])
	f.Add(append(small[:len(small)/2:len(small)/2], smallSession(f, "m", "b")...))
	path := filepath.Join(memoryDir(f), "s.jsonl")
	f.Fuzz(func(t *testing.T, data []byte) {
		readAny(t, path, data)
		readAny(t, path, reseal(data))
	})
}

// reseal gives every line a good crc.
func reseal(data []byte) (out []byte) {
	for line := range bytes.Lines(data) {
		body := bytes.TrimSuffix(line, []byte("\n"))
		if i := bytes.LastIndex(body, []byte(sealKey)); i >= 0 {
			body = body[:i]
		}
		out = append(out, seal(bytes.Clone(body))...)
	}
	return out
}

func readAny(t *testing.T, path string, data []byte) {
	t.Helper()
	must(t, os.WriteFile(path, data, 0o600))
	log, err := Read(path)
	if err != nil {
		var in *usage.Error
		if !errors.As(err, &in) {
			t.Fatalf("not a usage.Error: %v", err)
		}
		return
	}
	again(t, kindMachine, log.Machines)
	again(t, kindPlan, log.Plans)
	again(t, kindEvent, log.Events)
	again(t, kindTrial, log.Trials)
	again(t, kindEnd, log.Ends)
	for _, trial := range log.Trials {
		if series, err := log.Series(trial.ID); err == nil {
			again(t, kindSeries, series)
		}
	}
}

func again[T any](t *testing.T, kind string, recs []T) {
	t.Helper()
	for _, rec := range recs {
		first, err := encode(kind, rec)
		must(t, err)
		var back T
		must(t, json.Unmarshal(first, &back))
		second, err := encode(kind, back)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%s became %s, %v", first, second, err)
		}
	}
}

// FuzzResume goes on with any bytes as a session: what could be read stays, byte by byte, and what is written then is
// read behind it.
func FuzzResume(f *testing.F) {
	small := smallSession(f, "m", "a")
	f.Add(small, false)
	f.Add(small[:len(small)-20], true)
	f.Add(slices.Concat(small[:len(small)/2], small), false)
	f.Add(append(bytes.ReplaceAll(small, []byte("\n"), []byte("\r\n")), '\n', 0), false)
	path := filepath.Join(memoryDir(f), "s.jsonl")
	f.Fuzz(func(t *testing.T, data []byte, sealed bool) {
		if sealed {
			data = reseal(data)
		}
		must(t, os.WriteFile(path, data, 0o600))
		before, err := Read(path)
		if err != nil {
			return
		}
		w, log, err := Resume(path)
		if err != nil {
			if left := read(t, path); !bytes.Equal(left, data) {
				t.Fatalf("refused by %v, and yet %q became %q", err, data, left)
			}
			return
		}
		if !reflect.DeepEqual(log.Trials, before.Trials) || !reflect.DeepEqual(log.Events, before.Events) ||
			!reflect.DeepEqual(log.Ends, before.Ends) {
			t.Fatalf("resuming reads\n%+v, where there was\n%+v", log, before)
		}
		kept := bytes.TrimSuffix(read(t, path), []byte("\n"))
		if !bytes.HasPrefix(data, kept) {
			t.Fatalf("%q became %q", data, kept)
		}
		must(t, w.Machine(machineNamed("fuzz", "f")))
		must(t, addTrial(w, trialOn("fuzz", "f", "resumed")))
		must(t, w.Close())
		after, err := Read(path)
		must(t, err)
		if len(after.Trials) != len(before.Trials)+1 || after.Torn {
			t.Fatalf("%d runs became %d, torn %v: %q", len(before.Trials), len(after.Trials), after.Torn, data)
		}
	})
}

// FuzzLocks reads anything as /proc/locks: no more files are locked than it has lines.
func FuzzLocks(f *testing.F) {
	f.Add([]byte("1: FLOCK  ADVISORY  WRITE 4711 fe:00:1054 0 EOF\n2: POSIX  ADVISORY  READ 1 00:1b:7 0 EOF\n3: -> " +
		"FLOCK  ADVISORY  WRITE 4711 00:00:1 0 EOF\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if locks := lockedIn(bytes.NewReader(text)); len(locks) > 1+bytes.Count(text, []byte("\n")) {
			t.Fatalf("%d locks in %q", len(locks), text)
		}
	})
}

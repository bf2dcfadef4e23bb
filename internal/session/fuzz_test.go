package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"plimsoll/internal/usage"
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

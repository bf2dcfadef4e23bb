package session

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestLogProfile: a profile is decoded once, however often it is asked for, and no more are kept than there is room
// for.
func TestLogProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed("m", "1")))
	data, err := EncodeProfile(someProfile())
	must(t, err)
	must(t, w.Series(record.Series{Trial: "a", Name: record.ProfileCPU, Enc: record.EncProfile, Data: data}))
	must(t, w.Series(record.Series{Trial: "a", Name: "other", Enc: record.EncWindows, Data: ""}))
	must(t, w.Series(record.Series{Trial: "a", Name: record.ProfileWait, Enc: record.EncProfile, Data: "x"}))
	must(t, w.Trial(record.Trial{ID: "a", Keys: map[string]string{record.KeyMachine: "m"}}))
	must(t, w.Close())
	log, err := Read(path)
	must(t, err)
	first, ok, err := log.Profile("a", record.ProfileCPU)
	if err != nil || !ok || len(first.Stacks) == 0 {
		t.Fatalf("%v, %v, %+v", ok, err, first)
	}
	for name, want := range map[string]string{"other": "", "none": "",
		record.ProfileWait: "series profile.wait of run a of "} {
		if _, ok, err := log.Profile("a", name); ok || (err == nil) != (want == "") ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %t, %v, want %q", name, ok, err, want)
		}
	}
	if _, _, err := log.Profile("b", record.ProfileCPU); err == nil {
		t.Error("a run that is not there has a profile")
	}
	must(t, os.Remove(path))
	if again, ok, err := log.Profile("a", record.ProfileCPU); err != nil || !ok || !reflect.DeepEqual(again, first) {
		t.Errorf("it is read again: %v", err)
	}
	large := record.Profile{Stacks: []record.Stack{{Frames: make([]record.Frame, mostFrames)}}}
	if log.kept.put(seriesRef{offset: -1}, large); len(log.kept.kept) != 1 {
		t.Error("what is kept has no bound")
	}
}

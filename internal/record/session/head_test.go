package session

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWritten: a session counts as written from its creation to the end of its writer, and asking takes no lock.
func TestWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	w, err := Create(path)
	must(t, err)
	info, err := os.Stat(path)
	must(t, err)
	if !Written().Has(info) {
		t.Skip("this kernel does not list the locks of files")
	}
	must(t, w.Machine(machineNamed("m", "1")))
	must(t, w.Close())
	if Written().Has(info) {
		t.Error("its writer has ended")
	}
}

func TestLockedIn(t *testing.T) {
	got := lockedIn(strings.NewReader("1: POSIX  ADVISORY  WRITE 11 fe:00:1 0 EOF\n2: FLOCK  ADVISORY  WRITE 12 " +
		"fe:0a:20 0 EOF\n2: -> FLOCK  ADVISORY  WRITE 13 fe:00:30 0 EOF\n3: FLOCK  ADVISORY  READ 14 fe:00:40 0 EOF\n" +
		"FLOCK\n4: FLOCK  ADVISORY  WRITE 15 nonsense 0 EOF\n5: FLOCK  ADVISORY  WRITE 16 00:2f:50 0 EOF\n"))
	if want := (Locks{{unix.Mkdev(0xfe, 0xa), 20}: true, {0, 50}: true}); !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// TestHeads: the logs of the beginnings of files, however the rest goes on, and whatever was read before.
func TestHeads(t *testing.T) {
	heads := NewHeads()
	whole := smallSession(t, "m", "1")
	path := filepath.Join(t.TempDir(), "s.jsonl")
	must(t, os.WriteFile(path, whole, 0o600))
	all, n, err := heads.Read(context.Background(), os.Open, path, int64(len(whole))+10)
	if err != nil || n != int64(len(whole)) || len(all.Trials) != 3 || all.Torn {
		t.Fatalf("%v, %d bytes, %+v", err, n, all)
	}
	head, n, err := heads.Read(context.Background(), os.Open, path, int64(len(whole))*2/3)
	if err != nil || n != int64(len(whole))*2/3 || len(head.Trials) == 0 || len(head.Trials) == len(all.Trials) {
		t.Errorf("%v, %d bytes, %d runs", err, n, len(head.Trials))
	}
	if _, _, err := heads.Read(context.Background(), os.Open, path, 10); err == nil {
		t.Error("ten bytes are a session")
	}
	if again, _, err := heads.Read(context.Background(), os.Open, path, int64(len(whole))); err != nil ||
		!reflect.DeepEqual(again.Trials, all.Trials) || !reflect.DeepEqual(again.Machines, all.Machines) {
		t.Errorf("%v: another log after others: %+v", err, again)
	}
}

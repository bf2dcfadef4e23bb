package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
)

// TestReadingEndsWithItsContext: nobody waits for a long session after leaving, and a file that is not resumed stays as
// it is.
func TestReadingEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.plimsoll.jsonl")
	torn := []byte("{\"kind\":\"machine\"")
	if err := os.WriteFile(path, torn, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadContext(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
	if _, _, err := ResumeContext(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("resume: %v", err)
	}
	if text, err := os.ReadFile(path); string(text) != string(torn) {
		t.Errorf("it holds %q, %v", text, err)
	}
}

// endless is a line that never ends, of a file that says how large it is; it calls enough once a MiB of it was read.
type endless struct {
	read   int
	enough func()
}

func (e *endless) Read(p []byte) (int, error) {
	if e.read += len(p); e.read > 1<<20 {
		e.enough()
	}
	clear(p)
	return len(p), nil
}

// sized is a file of which its size is all that is known.
type sized struct {
	io.Reader
	fs.FileInfo
	size int64
}

func (s sized) Stat() (fs.FileInfo, error) { return s, nil }
func (s sized) Size() int64                { return s.size }

// TestReadingALineWithoutEndEndsWithItsContext: a hole of 100 GB is one line.
func TestReadingALineWithoutEndEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := readOpen(ctx, "s", &endless{enough: cancel}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestRoomIsOfWhatWasRead: a small file that says it is large gets no room for what it could hold.
func TestRoomIsOfWhatWasRead(t *testing.T) {
	const trials = 2000
	path := filepath.Join(memoryDir(t), "s.plimsoll.jsonl")
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed("a", "1")))
	for n := range trials {
		must(t, w.Trial(trialOn("a", "1", fmt.Sprint(n))))
	}
	must(t, w.Close())
	l, err := readOpen(t.Context(), "s", sized{Reader: bytes.NewReader(read(t, path)), size: 1 << 50})
	must(t, err)
	if room := cap(l.Trials); len(l.Trials) != trials || room > 8*trials {
		t.Errorf("%d runs, room for %d", len(l.Trials), room)
	}
}

// TestNoFileIsNoSession: a device ends nowhere, and is not begun.
func TestNoFileIsNoSession(t *testing.T) {
	var none *input.NoFile
	var bad *usage.Error
	for _, read := range []func(string) error{
		func(path string) error { _, err := Read(path); return err },
		func(path string) error { _, _, err := Resume(path); return err },
	} {
		if err := read("/dev/zero"); !errors.As(err, &none) || !errors.As(err, &bad) {
			t.Errorf("%v", err)
		}
	}
}

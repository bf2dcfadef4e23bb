package kept

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func spooled(t *testing.T, order string) []string {
	t.Helper()
	lines, err := Finished(keptPlan, order)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range lines {
		out = append(out, string(l))
	}
	return out
}

// TestFinishedOrderIsKept: until another one of its plan is finished, or the session ends.
func TestFinishedOrderIsKept(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if got := spooled(t, "first"); got != nil {
		t.Errorf("before anything: %q", got)
	}
	said := [][]byte{[]byte(`{"a":1}`), []byte(`{"b":2}`)}
	for _, order := range []string{"first", "../first/second"} {
		if err := Spool(keptPlan, order, said); err != nil {
			t.Fatal(err)
		}
		if got := spooled(t, order); !slices.Equal(got, []string{`{"a":1}`, `{"b":2}`}) {
			t.Errorf("%s: %q", order, got)
		}
	}
	if got := spooled(t, "first"); got != nil {
		t.Errorf("after another one: %q", got)
	}
	if err := Remove(t.Context(), keptPlan, func(string) error { return nil }); err != nil ||
		spooled(t, "../first/second") != nil {
		t.Errorf("after the session: %v", err)
	}
	if err := Spool("../x", "first", said); err == nil {
		t.Error("a name that is no hash was taken")
	}
}

// TestDamagedOrderIsNotSent: whichever byte of it is lost, turned over, or added.
func TestDamagedOrderIsNotSent(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if err := Spool(keptPlan, "o", [][]byte{[]byte("one"), []byte("two")}); err != nil {
		t.Fatal(err)
	}
	dir, err := keepDir(keptPlan)
	if err != nil {
		t.Fatal(err)
	}
	path := spoolPath(dir, "o")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{nil, append(slices.Clone(whole), 'x')}
	for i := range whole {
		turned := slices.Clone(whole)
		turned[i] ^= 1
		damaged = append(damaged, whole[:i], turned)
	}
	for _, data := range damaged {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if lines, err := Finished(keptPlan, "o"); !errors.Is(err, errDamaged) || lines != nil {
			t.Errorf("%q: %q, %v", data, lines, err)
		}
	}
	if err := errors.Join(os.Remove(path), os.Symlink(filepath.Join(dir, keepLock), path)); err != nil {
		t.Fatal(err)
	}
	if _, err := Finished(keptPlan, "o"); err == nil {
		t.Error("a link was followed")
	}
}

// TestPredecessorIsAwaited: who orders the same again begins when the agent before has left.
func TestPredecessorIsAwaited(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if err := AwaitPredecessor(t.Context(), "o"); err != nil {
		t.Fatal(err)
	}
	k, err := OpenScratch("o")
	if err != nil {
		t.Fatal(err)
	}
	var left atomic.Bool // a lock of the kernel's orders nothing for the race detector
	time.AfterFunc(50*time.Millisecond, func() {
		left.Store(true)
		k.Close()
	})
	if err := AwaitPredecessor(t.Context(), "o"); err != nil || !left.Load() {
		t.Errorf("left %t, %v", left.Load(), err)
	}
}

func FuzzUnsealed(f *testing.F) {
	f.Add(sealed([][]byte{[]byte("a")}))
	f.Add([]byte("00000000 0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if lines, err := unsealed(data); err == nil && !bytes.Equal(sealed(lines), data) {
			t.Errorf("%q is read as %q", data, lines)
		}
	})
}

package simtest

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// Heap is by how much a process may grow that keeps nothing: what Go's collector leaves, and its own structures.
const Heap = 8 << 20

// Growth returns by how many bytes the resident memory of this process grows at most while something is done. It is not
// for tests that run beside others of their package.
func Growth(t testing.TB, do func()) int64 {
	t.Helper()
	if !Night() { // of small sizes, garbage would hide what is kept
		defer debug.SetGCPercent(debug.SetGCPercent(20))
	}
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins anew
		t.Skipf("the kernel keeps no peak of memory that begins anew: %v", err)
	}
	before := resident(t, "VmRSS:")
	do()
	return resident(t, "VmHWM:") - before
}

// Least returns the growth, or that of a second try if the first was over a limit: on a busy machine Go's collector can
// come late, and what a program keeps is there again.
func Least(t testing.TB, most int64, do func()) int64 {
	t.Helper()
	got := Growth(t, do)
	if got > most {
		t.Logf("%d KiB, over %d: once more", got>>10, most>>10)
		got = min(got, Growth(t, do))
	}
	return got
}

// resident returns a field of this process's memory, in bytes.
func resident(t testing.TB, field string) (bytes int64) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatalf("reading the memory of this process: %v", err)
	}
	_, kB, _ := strings.Cut(string(status), field)
	if _, err := fmt.Sscan(kB, &bytes); err != nil {
		t.Fatalf("%s of this process: %v", field, err)
	}
	return bytes << 10
}

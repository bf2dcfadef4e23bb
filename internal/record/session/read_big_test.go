package session

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
)

// peakRSS has a child read a file, and returns its peak resident set in bytes,
// as it says itself: what its parent is told begins with the parent's own peak.
func peakRSS(t testing.TB, path string, trials int) int64 {
	t.Helper()
	out, err := child(t, "read", path).Output()
	must(t, err)
	var got int
	var kB int64
	if _, err := fmt.Sscanf(string(out), "%d trials, VmHWM: %d kB", &got, &kB); err != nil || got != trials {
		t.Fatalf("the child read %q, want %d trials: %v", out, trials, err)
	}
	return kB << 10
}

// What is read does not stay in memory: 64 MB of series add less than 24 MB.
func TestMemory(t *testing.T) {
	needsItself(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	bigSession(t, path, 100, 0)
	empty := peakRSS(t, path, 100)
	bigSession(t, path, 100, 640_000)
	full := peakRSS(t, path, 100)
	t.Logf("peak RSS %d MB without series, %d MB with 64 MB of them", empty/1e6, full/1e6)
	if full-empty > 24e6 {
		t.Error("the series stayed in memory")
	}
}

// TestHugeLinesFitMemory: neither a line of 2 GB nor a series of 10^9 windows, which takes 1.3 MB in the file, has to
// fit memory; by day the line has 128 MiB, and the series 10^8 windows.
func TestHugeLinesFitMemory(t *testing.T) {
	simtest.Long(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	must(t, os.WriteFile(path, smallSession(t, "m", "a"), 0o600))
	line, windows, mostKept := int64(128<<20), 100, int64(300e6)
	if simtest.Night() {
		line, windows = 2<<30, 1000
	}
	must(t, os.Truncate(path, line))
	got := simtest.Growth(t, func() {
		log, err := Read(path)
		must(t, err)
		if len(log.Trials) != 3 || !log.Torn || len(log.Problems) != 1 {
			t.Errorf("%d trials, torn %v, %v", len(log.Trials), log.Torn, log.Problems)
		}
	})
	t.Logf("a line of %d MiB: %d MiB", line>>20, got>>20)
	if got > 64<<20 {
		t.Errorf("a line of %d MiB took %d MiB of memory", line>>20, got>>20)
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	must(t, err)
	zeros := make([]byte, 1e6)
	for range windows {
		_, err = w.Write(zeros)
		must(t, err)
	}
	must(t, w.Close())
	data := base64.StdEncoding.EncodeToString(packed.Bytes())
	got = simtest.Growth(t, func() {
		if _, err := DecodeWindows(data); err == nil || !strings.Contains(err.Error(), "over 8388608 values") {
			t.Errorf("%d million windows: %v", windows, err)
		}
	})
	t.Logf("%d million windows in %d bytes: %d MiB", windows, len(data), got>>20)
	if got > mostKept { // as SECURITY.md says of small sessions
		t.Errorf("%d million windows took %d MiB of memory", windows, got>>20)
	}
}

// The file of a long run: 10,000 trials, 300 MB.
func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "s.jsonl")
	size := bigSession(b, path, 10_000, 28_000)
	b.SetBytes(size)
	for b.Loop() {
		log, err := Read(path)
		if err != nil || len(log.Trials) != 10_000 {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(peakRSS(b, path, 10_000))/1e6, "MB-peak-RSS")
	b.ReportMetric(float64(size)/1e6, "MB-file")
}

// One trial behind two series, with its fsync.
func BenchmarkTrial(b *testing.B) {
	w, err := Create(filepath.Join(b.TempDir(), "s.jsonl"))
	must(b, err)
	must(b, w.Machine(machineNamed("m", "a")))
	for n := 0; b.Loop(); n++ {
		must(b, addTrial(w, typicalTrial(n)))
	}
	must(b, w.Close())
}

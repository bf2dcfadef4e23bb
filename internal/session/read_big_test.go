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

	"plimsoll/internal/simtest"
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
// fit memory.
func TestHugeLinesFitMemory(t *testing.T) {
	simtest.Long(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	must(t, os.WriteFile(path, smallSession(t, "m", "a"), 0o600))
	must(t, os.Truncate(path, 2<<30))
	got := simtest.Growth(t, func() {
		log, err := Read(path)
		must(t, err)
		if len(log.Trials) != 3 || !log.Torn || len(log.Problems) != 1 {
			t.Errorf("%d trials, torn %v, %v", len(log.Trials), log.Torn, log.Problems)
		}
	})
	t.Logf("a line of 2 GB: %d MiB", got>>20)
	if got > 64<<20 {
		t.Errorf("a line of 2 GB took %d MiB of memory", got>>20)
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	must(t, err)
	zeros := make([]byte, 1e6)
	for range 1000 {
		_, err = w.Write(zeros)
		must(t, err)
	}
	must(t, w.Close())
	data := base64.StdEncoding.EncodeToString(packed.Bytes())
	got = simtest.Growth(t, func() {
		if _, err := DecodeWindows(data); err == nil || !strings.Contains(err.Error(), "over 8388608 values") {
			t.Errorf("10^9 windows: %v", err)
		}
	})
	t.Logf("10^9 windows in %d bytes: %d MiB", len(data), got>>20)
	if got > 300e6 { // as SECURITY.md says of small sessions
		t.Errorf("10^9 windows took %d MiB of memory", got>>20)
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

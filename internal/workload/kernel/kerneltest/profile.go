package kerneltest

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime/pprof"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Functions returns the functions of the package with this import path that the CPU profiler saw while work was
// called repeatedly. It serves to check a stated code path against the one that the CPU takes. It skips the test if
// the profiler sees nothing, as under some emulators.
func Functions(t *testing.T, pkg string, work func()) []string {
	t.Helper()
	for took := 200 * time.Millisecond; took < 4*time.Second; took *= 2 {
		var profile bytes.Buffer
		if err := pprof.StartCPUProfile(&profile); err != nil {
			t.Fatal(err)
		}
		for start := cpuTime(t); cpuTime(t)-start < took; {
			work()
		}
		pprof.StopCPUProfile()
		if found := functions(t, &profile, pkg); len(found) > 0 {
			return found
		}
	}
	t.Skip("the profiler finds nothing here")
	return nil
}

// functions reads the names from a profile's string table, which holds only functions that ran and their callers.
func functions(t *testing.T, profile io.Reader, pkg string) []string {
	t.Helper()
	unzipped, err := gzip.NewReader(profile)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(pkg+"."))
		if i < 1 {
			slices.Sort(found)
			return slices.Compact(found)
		}
		at += i
		end := at + int(text[at-1]) // a string follows its length, one byte if below 128
		if end <= len(text) && end > at+len(pkg)+1 {
			found = append(found, string(text[at+len(pkg)+1:end]))
		}
		at += len(pkg)
	}
}

func cpuTime(t testing.TB) time.Duration { return clock(t, unix.CLOCK_PROCESS_CPUTIME_ID) }

func clock(t testing.TB, id int32) time.Duration {
	t.Helper()
	var at unix.Timespec
	if err := unix.ClockGettime(id, &at); err != nil {
		t.Fatal(err)
	}
	return time.Duration(at.Nano())
}

package kerneltest

import (
	"bytes"
	"io"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"golang.org/x/sys/unix"
)

// Functions returns the functions of the package with this import path that the CPU profiler saw while work was
// called repeatedly. It serves to check a stated code path against the one that the CPU takes. It skips the test if
// the profiler sees nothing, as under some emulators.
func Functions(t *testing.T, pkg string, work func()) []string {
	t.Helper()
	for took := 200 * time.Millisecond; took < 4*time.Second; took *= 2 {
		var sampled bytes.Buffer
		if err := pprof.StartCPUProfile(&sampled); err != nil {
			t.Fatal(err)
		}
		for start := cpuTime(t); cpuTime(t)-start < took; {
			work()
		}
		pprof.StopCPUProfile()
		if found := functions(t, &sampled, pkg); len(found) > 0 {
			return found
		}
	}
	t.Skip("the profiler finds nothing here")
	return nil
}

func functions(t *testing.T, sampled io.Reader, pkg string) []string {
	t.Helper()
	p, err := profile.Parse(sampled)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range p.Function {
		if name, ok := strings.CutPrefix(f.Name, pkg+"."); ok {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
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

package perf

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/engine"
)

// here is the perf of this machine.
func here(t *testing.T) engine.Install {
	t.Helper()
	in, err := Profiler{}.Find(t.Context(), engine.Params{})
	if err != nil {
		t.Fatalf("%v\nscripts/setup-tests installs what the tests need", err)
	}
	if err := (Profiler{}).Able(in); err != nil {
		t.Skip(err) // the kernel, or a container, forbids it
	}
	return in
}

// sample samples for as long as during takes.
func sample(t *testing.T, s engine.Sampling, during func()) engine.Samples {
	t.Helper()
	in := here(t)
	s.Scratch = t.TempDir()
	r, err := Profiler{}.Attach(t.Context(), in, s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Begin(); err != nil {
		t.Fatal(err)
	}
	during()
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	if r.CPUSeconds() <= 0 {
		t.Error("perf used no CPU time")
	}
	got, err := r.Samples(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

//go:noinline
func spinFor(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// TestThreadsOfThisProgram: most samples of a thread that spins are of the function that does, and of no other thread.
func TestThreadsOfThisProgram(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	got := sample(t, engine.Sampling{Tids: []int{unix.Gettid()}, PeriodNs: 2e6},
		func() { spinFor(300 * time.Millisecond) })
	all, named := int64(0), int64(0)
	for _, k := range got.Stacks {
		all += k.N
		if k.Tid != unix.Gettid() {
			t.Errorf("a sample of thread %d", k.Tid)
		}
		for _, f := range k.Frames {
			if strings.HasSuffix(f.Function, "perf.spinFor") {
				named += k.N
				break
			}
		}
	}
	// On a busy machine the program does not run all the time, so that there is no lower bound on the samples.
	if all == 0 || all > 200 || 2*named < all || got.PeriodNs < 2e6 || got.PeriodNs > 3e6 {
		t.Errorf("%d samples, %d of them named, one each %d ns: %+v", all, named, got.PeriodNs, got.Stacks)
	}
}

// TestCancelledPerfTidies: what perf copies to /tmp goes, however early it is told to end.
func TestCancelledPerfTidies(t *testing.T) {
	simtest.Long(t)
	in := here(t)
	copies := func() []string {
		names, _ := filepath.Glob("/tmp/perf-vdso.so-*")
		return names
	}
	before := copies()
	for try := range 8 {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := Profiler{}.Attach(ctx, in, engine.Sampling{Pids: []int{os.Getpid()}, Scratch: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Begin(); err != nil {
			t.Fatal(err)
		}
		spinFor(30 * time.Millisecond)
		time.AfterFunc(time.Duration(try)*15*time.Millisecond, cancel)
		_, _ = r.Samples(ctx)
		r.Close()
		cancel()
	}
	left := slices.DeleteFunc(copies(), func(name string) bool { return slices.Contains(before, name) })
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestProcessesAndWhatTheyStart: a shell that starts a program is sampled, and whose child that is is known.
func TestProcessesAndWhatTheyStart(t *testing.T) {
	simtest.Long(t)
	spin := "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"
	cmd := exec.Command("sh", "-c", spin+"; sh -c '"+spin+"; :'; sh -c '"+spin+"; :'")
	got := sample(t, engine.Sampling{Pids: []int{os.Getpid()}, PeriodNs: 5e6}, func() {
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
	})
	all := map[int]int64{}
	for _, k := range got.Stacks {
		all[k.Pid] += k.N
	}
	children := 0
	for child, parent := range got.Parents {
		if parent == cmd.Process.Pid && all[child] > 0 {
			children++
		}
	}
	if got.Parents[cmd.Process.Pid] != os.Getpid() || children != 2 {
		t.Errorf("parents %v, samples %v, of shell %d", got.Parents, all, cmd.Process.Pid)
	}
}

// TestPerfThatDoesNotStart: the error has perf's own message.
func TestPerfThatDoesNotStart(t *testing.T) {
	in := here(t)
	if _, err := (Profiler{}).Attach(t.Context(), in,
		engine.Sampling{Pids: []int{os.Getpid()}, PeriodNs: 1e7, Scratch: "/nowhere"}); err == nil ||
		!strings.Contains(err.Error(), "/nowhere") {
		t.Errorf("%v", err)
	}
	in.Path = "/nowhere/perf"
	if _, err := (Profiler{}).Attach(t.Context(), in,
		engine.Sampling{Pids: []int{os.Getpid()}, PeriodNs: 1e7, Scratch: t.TempDir()}); err == nil {
		t.Error("started what is not there")
	}
	t.Setenv(variable, "/bin/true")
	if _, err := (Profiler{}).Find(t.Context(), engine.Params{}); err == nil ||
		!strings.Contains(err.Error(), "not a version") {
		t.Errorf("%v", err)
	}
}

// TestWhatIsPermitted: the most that the kernel permits is used, and if it permits nothing the error has the setting
// to change.
func TestWhatIsPermitted(t *testing.T) {
	for level, passes := range map[permit]func(pid int, bits uint64) bool{
		machine:   func(int, uint64) bool { return true },
		ownAndAll: func(pid int, _ uint64) bool { return pid == 0 },
		userOnly:  func(pid int, bits uint64) bool { return pid == 0 && bits&unix.PerfBitExcludeKernel != 0 },
		0:         func(int, uint64) bool { return false },
	} {
		got, err := permitted(func(_ uint32, _ uint64, pid, _ int, bits uint64) error {
			if passes(pid, bits) {
				return nil
			}
			return unix.EACCES
		})
		if got != level || (err == nil) != (level != 0) {
			t.Errorf("%d, %v, want %d", got, err, level)
		}
		if err == nil {
			continue
		}
		for _, want := range []string{"perf: sampling is not permitted", "permission denied",
			"\nhint: run as root, or sudo sysctl kernel.perf_event_paranoid=1", "--cap-add PERFMON"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q lacks %q", err, want)
			}
		}
	}
}

// TestDoubtsOfSamples: a doubt reports what the kernel withholds, with the setting to change.
func TestDoubtsOfSamples(t *testing.T) {
	said := strings.Join((&sampler{permit: userOnly}).doubts(&scripted{lost: 3, kernel: 5}), "\n")
	for _, want := range []string{"stacks lack the kernel's part\nhint: run as root", "3 samples were lost",
		"the kernel's functions have no names\nhint: sudo sysctl kernel.kptr_restrict=0"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q lacks %q", said, want)
		}
	}
	if said := (&sampler{permit: machine}).doubts(&scripted{kernel: 5, kernelNamed: 4}); said != nil {
		t.Errorf("%q", said)
	}
}

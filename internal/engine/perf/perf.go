// Package perf is the profiler `perf`, Linux's own: it samples all programs, including their time in the kernel.
package perf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

const name = "perf"

// variable sets the program if it is not found by itself.
const variable = "PLIMSOLL_PERF"

// Profiler is the profiler `perf`.
type Profiler struct{}

// Name implements engine.Findable.
func (Profiler) Name() string { return name }

// Doc implements engine.Findable.
func (Profiler) Doc() string {
	return "Linux's profiler, which samples the stacks of all programs, for plimsoll run --profile"
}

// Params implements engine.Findable.
func (Profiler) Params() []record.Param { return nil }

// Find implements engine.Findable. Ubuntu's program in PATH is a script that refuses kernels without a package of
// their own, though another kernel's program works as well: Find also looks for the packaged programs.
func (Profiler) Find(ctx context.Context, _ engine.Params) (engine.Install, error) {
	path, from, err := engine.Program(name, name, variable)
	if err == nil {
		var in engine.Install
		if in, err = installOf(ctx, path, from); err == nil {
			return in, nil
		}
	}
	if os.Getenv(variable) != "" {
		return engine.Install{}, err
	}
	for _, pattern := range []string{"/usr/lib/linux-tools/*/perf", "/usr/lib/linux-tools-*/perf", "/usr/bin/perf_*"} {
		found, _ := filepath.Glob(pattern)
		slices.Sort(found)
		for _, path := range slices.Backward(found) {
			if in, err := installOf(ctx, path, filepath.Dir(path)); err == nil {
				return in, nil
			}
		}
	}
	var missing *engine.Missing
	if errors.As(err, &missing) {
		return engine.Install{}, err
	}
	return engine.Install{}, &engine.Missing{Engine: name, What: "a program that runs on this kernel",
		Looked: path + " or /usr/lib/linux-tools"}
}

func installOf(ctx context.Context, path, from string) (engine.Install, error) {
	text, err := engine.Answer(ctx, name, path, "--version")
	if err != nil {
		return engine.Install{}, err
	}
	version, ok := strings.CutPrefix(strings.TrimSpace(text), "perf version ")
	if !ok || strings.Contains(version, "\n") {
		return engine.Install{}, fmt.Errorf("perf: %s --version prints %.80q, not a version", path, text)
	}
	return engine.Install{Name: name, Path: path, Version: version, From: from}, nil
}

// Setup implements engine.Setup.
func (Profiler) Setup(context.Context) ([]engine.Step, error) {
	p := engine.Package{Apt: "linux-perf", Dnf: "perf", Apk: "perf"}
	if engine.System() == "ubuntu" {
		p.Apt = "linux-tools-generic"
	}
	return engine.InstallPackages(name, p)
}

// Able implements engine.Profiler.
func (Profiler) Able(engine.Install) error {
	if _, err := permitted(try); err != nil {
		return err
	}
	return nil
}

// permit is the sampling that the kernel permits to this process, in increasing order.
type permit int

const (
	userOnly  permit = iota + 1 // its own user's processes, without the kernel's part
	ownAndAll                   // its own user's processes
	machine                     // everything that runs
)

// opening opens an event and closes it.
type opening func(kind uint32, config uint64, pid, cpu int, bits uint64) error

// permitted finds out by trying. The kernel's rule is in kernel.perf_event_paranoid
// (Documentation/admin-guide/sysctl/kernel.rst); containers forbid the call itself.
func permitted(open opening) (permit, error) {
	attempts := []struct {
		permit
		pid, cpu int
		bits     uint64
	}{
		{machine, -1, firstCPU(), 0},
		{ownAndAll, 0, -1, 0},
		{userOnly, 0, -1, unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv},
	}
	var last error
	for _, a := range attempts {
		if last = open(unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_CPU_CLOCK, a.pid, a.cpu, a.bits); last == nil {
			return a.permit, nil
		}
	}
	return 0, fmt.Errorf("perf: sampling is not permitted: %w%s", last, remedy())
}

func firstCPU() int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) == nil {
		for cpu := range len(set) * 64 {
			if set.IsSet(cpu) {
				return cpu
			}
		}
	}
	return 0
}

// try is an opening by the kernel.
func try(kind uint32, config uint64, pid, cpu int, bits uint64) error {
	attr := unix.PerfEventAttr{Type: kind, Config: config, Size: unix.PERF_ATTR_SIZE_VER0, Sample: 1_000_000,
		Bits: unix.PerfBitDisabled | bits}
	fd, err := unix.PerfEventOpen(&attr, pid, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return fmt.Errorf("perf_event_open: %w", err)
	}
	return unix.Close(fd)
}

// remedy returns the hint on the settings.
func remedy() string {
	text := "\nhint: run as root, or sudo sysctl kernel.perf_event_paranoid=1"
	if b, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid"); err == nil {
		text += " (it is " + strings.TrimSpace(string(b)) + ")"
	}
	return text + "; a container needs --cap-add PERFMON and a seccomp profile that lets perf_event_open pass"
}

// clock returns the source of samples: the hardware's cycles if available, else the kernel's timer.
func clock(p permit) string {
	pid, cpu, bits := 0, -1, uint64(0)
	switch p {
	case machine:
		pid, cpu = -1, firstCPU()
	case userOnly:
		bits = unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv
	}
	if try(unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CPU_CYCLES, pid, cpu, bits) == nil {
		return record.ClockCycles
	}
	return record.ClockCPU
}

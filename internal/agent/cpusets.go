package agent

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"plimsoll/internal/host"
	"plimsoll/internal/record"
)

// cpuSets divides the CPUs that may be used between the processes that do the
// work and the lanes that load them: the generator gets a quarter, at least
// one, and the last ones, since CPU 0 takes most interrupts. With one CPU there
// is nothing to divide, and both sets are nil.
func cpuSets(allowed []int) (work, generator []int) {
	if len(allowed) < 2 {
		return nil, nil
	}
	n := len(allowed) - max(1, len(allowed)/4)
	return allowed[:n], allowed[n:]
}

// pin puts lane i's thread where it belongs: on its own CPU, on the
// generator's, or, of lanes that are clients beside the work, anywhere.
func (s *side) pin(i int) error {
	switch {
	case i < len(s.cpus):
		return host.Pin(s.cpus[i])
	case len(s.generator) > 0:
		return host.PinTo(s.generator)
	}
	return nil
}

// generatorCPUs are those that the generator may use.
func (s *side) generatorCPUs(m record.Machine) []int {
	if len(s.generator) > 0 {
		return s.generator
	}
	return m.CPU.Allowed
}

// prepare prepares the driver. A generator that is the whole process is put on its CPUs before, so that all threads to
// come are there too; the processes that are started get the work's.
func (s *side) prepare(ctx context.Context) error {
	if s.spec.Whole && len(s.generator) > 0 {
		if err := host.PinAll(s.generator); err != nil {
			return err
		}
	}
	return s.driver.Prepare(ctx)
}

// placed starts a process on the work's CPUs, from a thread that is then back
// on its own.
func (s *side) placed(start func() (int, error)) func() (int, error) {
	if len(s.work) == 0 {
		return start
	}
	return func() (pid int, err error) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var before unix.CPUSet
		if err := unix.SchedGetaffinity(0, &before); err != nil {
			return 0, fmt.Errorf("reading a thread's CPUs: %w", err)
		}
		if err := host.PinTo(s.work); err != nil {
			return 0, fmt.Errorf("placing a process on CPUs %v: %w", s.work, err)
		}
		pid, err = start()
		if back := unix.SchedSetaffinity(0, &before); err == nil && back != nil {
			err = fmt.Errorf("returning to a thread's own CPUs: %w", back)
		}
		return pid, err
	}
}

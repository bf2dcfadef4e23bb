package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// pin places lane i's thread: on its own CPU, on the generator's CPUs, or anywhere if the lanes are clients beside the
// work.
func (s *side) pin(i int) error {
	switch {
	case i < len(s.cpus):
		return topology.Pin(s.cpus[i])
	case len(s.sets.Generator) > 0:
		return topology.PinTo(s.sets.Generator)
	case s.node != nil && s.spec.Charge == workload.Lanes:
		return topology.PinTo(s.node.cpus)
	}
	return nil
}

// generatorCPUs returns the CPUs that the generator may use.
func (s *side) generatorCPUs(m record.Machine) []int {
	if len(s.sets.Generator) > 0 {
		return s.sets.Generator
	}
	return m.CPU.Allowed
}

// prepare prepares the driver. If the generator is the whole process, it is pinned first, so that all later threads
// inherit its CPUs; started processes get those of the work.
func (s *side) prepare(ctx context.Context) error {
	if s.spec.Whole && len(s.sets.Generator) > 0 {
		if err := topology.PinAll(s.sets.Generator); err != nil {
			return err
		}
	}
	return s.driver.Prepare(ctx)
}

// placed wraps start so that the process starts on the work's CPUs, with memory of its NUMA node; the calling thread
// then returns to its own.
func (s *side) placed(start func() (int, error)) func() (int, error) {
	cpus := s.sets.Work
	if s.node != nil {
		cpus = s.node.within(cpus)
	}
	start = s.limit.Around(start)
	if len(cpus) == 0 {
		return start
	}
	return func() (pid int, err error) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var before unix.CPUSet
		if err := unix.SchedGetaffinity(0, &before); err != nil {
			return 0, fmt.Errorf("reading a thread's CPUs: %w", err)
		}
		if err := topology.PinTo(cpus); err != nil {
			return 0, fmt.Errorf("placing a process on CPUs %v: %w", cpus, err)
		}
		free := func() error { return nil }
		if s.node != nil {
			free, err = topology.BindMemory(s.node.number)
		}
		if err == nil {
			pid, err = start()
			err = errors.Join(err, free())
		}
		if back := unix.SchedSetaffinity(0, &before); err == nil && back != nil {
			err = fmt.Errorf("returning to a thread's own CPUs: %w", back)
		}
		return pid, err
	}
}

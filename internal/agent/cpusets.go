package agent

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"

	"plimsoll/internal/host/topology"
	"plimsoll/internal/record"
)

// cpuSets holds the CPUs of the processes that do the work and of the lanes that load them.
type cpuSets struct {
	work, generator []int // nil: all usable CPUs
	cores           int   // whole cores reserved for the generator; 0: none, or unknown
	doubt           string
}

// splitCPUs divides the usable CPUs by whole cores. Sibling threads slow each other down: a generator on the second
// threads of the server's cores would take throughput from the server under test, and would not on machines without
// SMT.
// The generator gets as many cores as the plan gives it on every machine, and the last ones: CPU 0 takes most
// interrupts, and the last cores share a NUMA node as far as they fit. Cores that share a thread with other users come
// last. If the core topology is unknown, each CPU counts as a core; a single core is divided by its threads. Plans of
// older versions have no number of cores: they keep the last quarter of the CPUs by number, so that their trials stay
// comparable.
func splitCPUs(m record.Machine, cores int) cpuSets {
	allowed := m.CPU.Allowed
	if len(allowed) < 2 {
		return cpuSets{doubt: "one CPU: server and generator share it, so latency is that of both, and throughput is below that of a server with a CPU of its own"}
	}
	known := m.UsableCores()
	s := cpuSets{generator: allowed[len(allowed)-max(1, len(allowed)/4):]}
	switch {
	case cores > 0 && len(known) > 1:
		s.generator = lastCores(known, min(cores, len(known)-1))
	case cores > 0 && known == nil:
		s.generator = allowed[len(allowed)-min(cores, len(allowed)-1):]
	}
	s.work = slices.DeleteFunc(slices.Clone(allowed), func(cpu int) bool { return slices.Contains(s.generator, cpu) })
	s.judge(known)
	return s
}

// recorded returns the sets as a trial records them; allowed stands for both if they are not split.
func (s cpuSets) recorded(allowed []int) *record.CPUSets {
	work, generator := s.work, s.generator
	if len(generator) == 0 {
		work, generator = allowed, allowed
	}
	return &record.CPUSets{Work: record.FormatCPUList(work), Generator: record.FormatCPUList(generator), GeneratorCores: s.cores}
}

// lastCores returns the CPUs of the last n cores, whole cores first.
func lastCores(cores []record.UsableCore, n int) []int {
	order := slices.Clone(cores)
	slices.SortStableFunc(order, func(a, b record.UsableCore) int {
		switch {
		case a.Whole == b.Whole:
			return 0
		case b.Whole:
			return -1
		}
		return 1
	})
	var cpus []int
	for _, c := range order[len(order)-n:] {
		cpus = append(cpus, c.CPUs...)
	}
	return slices.Sorted(slices.Values(cpus))
}

// judge counts the generator's whole cores, and sets the doubt if it has none to itself.
func (s *cpuSets) judge(known []record.UsableCore) {
	shared, open := 0, 0
	for _, c := range known {
		own := len(slices.DeleteFunc(slices.Clone(c.CPUs), func(cpu int) bool { return !slices.Contains(s.generator, cpu) }))
		switch {
		case own == 0:
		case own < len(c.CPUs):
			shared++
		case !c.Whole:
			open++
		default:
			s.cores++
		}
	}
	switch {
	case known == nil:
		s.doubt = "core topology unknown: server and generator may share cores, and then slow each other down"
	case shared > 0:
		s.cores = 0
		s.doubt = fmt.Sprintf("server and generator share cores (%d), whose threads slow each other down: throughput is below that with cores of their own", shared)
	case open > 0:
		s.cores = 0
		s.doubt = fmt.Sprintf("other processes may use a thread of the generator's cores (%d), and slow it down", open)
	}
}

// pin places lane i's thread: on its own CPU, on the generator's CPUs, or anywhere if the lanes are clients beside the
// work.
func (s *side) pin(i int) error {
	switch {
	case i < len(s.cpus):
		return topology.Pin(s.cpus[i])
	case len(s.sets.generator) > 0:
		return topology.PinTo(s.sets.generator)
	}
	return nil
}

// generatorCPUs returns the CPUs that the generator may use.
func (s *side) generatorCPUs(m record.Machine) []int {
	if len(s.sets.generator) > 0 {
		return s.sets.generator
	}
	return m.CPU.Allowed
}

// prepare prepares the driver. If the generator is the whole process, it is pinned first, so that all later threads
// inherit its CPUs; started processes get those of the work.
func (s *side) prepare(ctx context.Context) error {
	if s.spec.Whole && len(s.sets.generator) > 0 {
		if err := topology.PinAll(s.sets.generator); err != nil {
			return err
		}
	}
	return s.driver.Prepare(ctx)
}

// placed wraps start so that the process starts on the work's CPUs; the calling thread then returns to its own.
func (s *side) placed(start func() (int, error)) func() (int, error) {
	if len(s.sets.work) == 0 {
		return start
	}
	return func() (pid int, err error) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var before unix.CPUSet
		if err := unix.SchedGetaffinity(0, &before); err != nil {
			return 0, fmt.Errorf("reading a thread's CPUs: %w", err)
		}
		if err := topology.PinTo(s.sets.work); err != nil {
			return 0, fmt.Errorf("placing a process on CPUs %v: %w", s.sets.work, err)
		}
		pid, err = start()
		if back := unix.SchedSetaffinity(0, &before); err == nil && back != nil {
			err = fmt.Errorf("returning to a thread's own CPUs: %w", back)
		}
		return pid, err
	}
}

package agent

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"

	"plimsoll/internal/host"
	"plimsoll/internal/record"
)

// cpuSets is the CPUs of the processes that do the work and of the lanes that load them.
type cpuSets struct {
	work, generator []int // nil: both may use all
	cores           int   // whole cores that the generator has; 0: not known to have any to itself
	doubt           string
}

// splitCPUs divides the CPUs that may be used by whole cores. Two threads of one core slow each other down: a generator on second threads
// of the server's cores would take from the server what it is to measure, and on machines without such threads it would not.
//
// The generator gets as many cores as the plan gives it on every machine, and the last ones: CPU 0 takes most interrupts, and the last
// cores lie on one NUMA node as far as they fit there. A core of which others may use a thread is the last choice. Where it is not known which CPUs share
// a core each counts as one, and a single core is divided by its threads. A plan of an older version says no number, and goes on with
// the last quarter of the CPUs' numbers, so that its trials stay alike.
func splitCPUs(m record.Machine, cores int) cpuSets {
	allowed := m.CPU.Allowed
	if len(allowed) < 2 {
		return cpuSets{doubt: "one CPU: server and generator share it, so latency is that of both, and less is carried than by a server that has it alone"}
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

// recorded is how a trial states them; allowed is what both have that have none of their own.
func (s cpuSets) recorded(allowed []int) *record.CPUSets {
	work, generator := s.work, s.generator
	if len(generator) == 0 {
		work, generator = allowed, allowed
	}
	return &record.CPUSets{Work: record.FormatCPUList(work), Generator: record.FormatCPUList(generator), GeneratorCores: s.cores}
}

// lastCores are the CPUs of the last n cores, of whole ones as long as there are any.
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

// judge counts the generator's whole cores, and says where it has not got its own.
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
		s.doubt = "which CPUs share a core is not known here: server and generator may share cores, and then slow each other down"
	case shared > 0:
		s.cores = 0
		s.doubt = fmt.Sprintf("server and generator share cores (%d), whose threads slow each other down: less is carried than with cores of their own", shared)
	case open > 0:
		s.cores = 0
		s.doubt = fmt.Sprintf("others may use a thread of the generator's cores (%d), and slow it down", open)
	}
}

// pin puts lane i's thread where it belongs: on its own CPU, on the
// generator's, or, of lanes that are clients beside the work, anywhere.
func (s *side) pin(i int) error {
	switch {
	case i < len(s.cpus):
		return host.Pin(s.cpus[i])
	case len(s.sets.generator) > 0:
		return host.PinTo(s.sets.generator)
	}
	return nil
}

// generatorCPUs are those that the generator may use.
func (s *side) generatorCPUs(m record.Machine) []int {
	if len(s.sets.generator) > 0 {
		return s.sets.generator
	}
	return m.CPU.Allowed
}

// prepare prepares the driver. A generator that is the whole process is put on its CPUs before, so that all threads to
// come are there too; the processes that are started get the work's.
func (s *side) prepare(ctx context.Context) error {
	if s.spec.Whole && len(s.sets.generator) > 0 {
		if err := host.PinAll(s.sets.generator); err != nil {
			return err
		}
	}
	return s.driver.Prepare(ctx)
}

// placed starts a process on the work's CPUs, from a thread that is then back
// on its own.
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
		if err := host.PinTo(s.sets.work); err != nil {
			return 0, fmt.Errorf("placing a process on CPUs %v: %w", s.sets.work, err)
		}
		pid, err = start()
		if back := unix.SchedSetaffinity(0, &before); err == nil && back != nil {
			err = fmt.Errorf("returning to a thread's own CPUs: %w", back)
		}
		return pid, err
	}
}

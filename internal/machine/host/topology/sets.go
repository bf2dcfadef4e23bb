package topology

import (
	"fmt"
	"slices"

	"plimsoll/internal/record"
)

// Sets holds the CPUs of the processes that do the work and of the lanes that load them.
type Sets struct {
	Work, Generator []int // nil: all usable CPUs
	Cores           int   // whole cores reserved for the generator; 0: none, or unknown
	Doubt           string
}

// Split divides the usable CPUs by whole cores. Sibling threads slow each other down: a generator on the second
// threads of the server's cores would take throughput from the server under test, and would not on machines without
// SMT.
// The generator gets as many cores as the plan gives it on every machine, and the last ones: CPU 0 takes most
// interrupts, and the last cores share a NUMA node as far as they fit. Cores that share a thread with other users come
// last. If the core topology is unknown, each CPU counts as a core; a single core is divided by its threads. Plans of
// older versions have no number of cores: they keep the last quarter of the CPUs by number, so that their trials stay
// comparable.
func Split(m record.Machine, cores int) Sets {
	allowed := m.CPU.Allowed
	if len(allowed) < 2 {
		return Sets{Doubt: "one CPU: server and generator share it, so latency is that of both, and throughput is below " +
			"that of a server with a CPU of its own"}
	}
	known := m.UsableCores()
	s := Sets{Generator: allowed[len(allowed)-max(1, len(allowed)/4):]}
	switch {
	case cores > 0 && len(known) > 1:
		s.Generator = lastCores(known, min(cores, len(known)-1))
	case cores > 0 && known == nil:
		s.Generator = allowed[len(allowed)-min(cores, len(allowed)-1):]
	}
	s.Work = slices.DeleteFunc(slices.Clone(allowed), func(cpu int) bool { return slices.Contains(s.Generator, cpu) })
	s.judge(known)
	return s
}

// Recorded returns the sets as a trial records them; allowed stands for both if they are not split.
func (s Sets) Recorded(allowed []int) *record.CPUSets {
	work, generator := s.Work, s.Generator
	if len(generator) == 0 {
		work, generator = allowed, allowed
	}
	return &record.CPUSets{Work: record.FormatCPUList(work), Generator: record.FormatCPUList(generator),
		GeneratorCores: s.Cores}
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
func (s *Sets) judge(known []record.UsableCore) {
	shared, open := 0, 0
	for _, c := range known {
		own := len(slices.DeleteFunc(slices.Clone(c.CPUs), func(cpu int) bool { return !slices.Contains(s.Generator, cpu) }))
		switch {
		case own == 0:
		case own < len(c.CPUs):
			shared++
		case !c.Whole:
			open++
		default:
			s.Cores++
		}
	}
	switch {
	case known == nil:
		s.Doubt = "core topology unknown: server and generator may share cores, and then slow each other down"
	case shared > 0:
		s.Cores = 0
		s.Doubt = fmt.Sprintf("server and generator share cores (%d), whose threads slow each other down: throughput is "+
			"below that with cores of their own", shared)
	case open > 0:
		s.Cores = 0
		s.Doubt = fmt.Sprintf("other processes may use a thread of the generator's cores (%d), and slow it down", open)
	}
}

package record

import (
	"cmp"
	"slices"
)

// UsableCore is a core by those of its threads that may be used.
type UsableCore struct {
	CPUs  []int
	Whole bool // all of its threads may be used: no others run on it
}

// UsableCores lists the cores that have a CPU that may be used: those of one NUMA node together, ascending by their first CPU within it. It is nil
// where it is not known which CPUs share a core.
func (m Machine) UsableCores() []UsableCore {
	var out []UsableCore
	found := 0
	for _, list := range m.CPU.CoreCPUs {
		all, err := ParseCPUList(list)
		if err != nil {
			return nil
		}
		cpus := slices.DeleteFunc(slices.Clone(all), func(cpu int) bool { return !slices.Contains(m.CPU.Allowed, cpu) })
		if len(cpus) > 0 {
			out = append(out, UsableCore{CPUs: cpus, Whole: len(cpus) == len(all)})
			found += len(cpus)
		}
	}
	if found != len(m.CPU.Allowed) {
		return nil
	}
	slices.SortFunc(out, func(a, b UsableCore) int {
		return cmp.Or(m.node(a.CPUs[0])-m.node(b.CPUs[0]), a.CPUs[0]-b.CPUs[0])
	})
	return out
}

// node is the NUMA node of a CPU; 0 where that is not known.
func (m Machine) node(cpu int) int {
	for i, list := range m.NodeCPUs {
		if of, err := ParseCPUList(list); err == nil && slices.Contains(of, cpu) {
			return i
		}
	}
	return 0
}

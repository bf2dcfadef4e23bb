package record

import (
	"cmp"
	"slices"
)

// UsableCore is a core and those of its threads that may be used.
type UsableCore struct {
	CPUs  []int
	Whole bool // all of its threads may be used, so no other process runs on it
}

// UsableCores returns the cores with usable CPUs, grouped by NUMA node and ascending by their first CPU within it. It
// returns nil if the core topology is unknown.
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

// node returns the NUMA node of a CPU; 0 if unknown.
func (m Machine) node(cpu int) int {
	for i, list := range m.NodeCPUs {
		if of, err := ParseCPUList(list); err == nil && slices.Contains(of, cpu) {
			return i
		}
	}
	return 0
}

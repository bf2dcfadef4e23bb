package host

import (
	"fmt"
	"slices"
)

// CoresFirst orders CPUs so that each core's first thread comes before any
// core's second one: the first n CPUs are then n cores for as long as there are
// cores. Within that they keep their order. Where the topology cannot be read
// the order stays as it is.
func CoresFirst(root Root, cpus []int) []int {
	rank := map[int]int{} // how many siblings stand before a CPU
	for i, cpu := range cpus {
		siblings, err := readParsed(root.sys(fmt.Sprintf("devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu)), parseList)
		if err != nil {
			return cpus
		}
		for _, before := range cpus[:i] {
			if slices.Contains(siblings, before) {
				rank[cpu]++
			}
		}
	}
	out := slices.Clone(cpus)
	slices.SortStableFunc(out, func(a, b int) int { return rank[a] - rank[b] })
	return out
}

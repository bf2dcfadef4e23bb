package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxListed bounds the memory that a damaged list can make us allocate; it is far above the kernel's largest NR_CPUS
// (8192).
const maxListed = 1 << 16

// ParseCPUList parses a list of numbers as the kernel writes it, "0-3,8,10-11\n", into ascending order without repeats.
// An empty text is an empty list: a node of memory alone has no CPUs.
func ParseCPUList(text string) ([]int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	var out []int
	for part := range strings.SplitSeq(text, ",") {
		lo, hi, err := parseRange(part)
		if err != nil {
			return nil, err
		}
		for n := lo; n <= hi; n++ {
			out = append(out, n)
		}
		if len(out) > maxListed {
			return nil, fmt.Errorf("list %.40q has more than %d numbers", text, maxListed)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func parseRange(part string) (lo, hi int, err error) {
	first, last, ok := strings.Cut(part, "-")
	if !ok {
		last = first
	}
	lo, err = strconv.Atoi(first)
	if err == nil {
		hi, err = strconv.Atoi(last)
	}
	if err != nil || lo < 0 || hi < lo || hi >= maxListed {
		return 0, 0, fmt.Errorf("%.40q is neither a number nor a range", part)
	}
	return lo, hi, nil
}

// FormatCPUList formats CPUs in ascending order, for ParseCPUList.
func FormatCPUList(cpus []int) string {
	sorted := slices.Sorted(slices.Values(cpus))
	var words []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		word := strconv.Itoa(sorted[i])
		if j > i {
			word += "-" + strconv.Itoa(sorted[j])
		}
		words = append(words, word)
		i = j + 1
	}
	return strings.Join(words, ",")
}

// OneSocket returns the usable CPUs of the socket that has most of them, the first such one; all usable CPUs if sockets
// are unknown.
func (c CPU) OneSocket() []int {
	var most []int
	for _, list := range c.SocketCPUs {
		of, err := ParseCPUList(list)
		if err != nil {
			return c.Allowed
		}
		mine := slices.DeleteFunc(slices.Clone(c.Allowed), func(cpu int) bool { return !slices.Contains(of, cpu) })
		if len(mine) > len(most) {
			most = mine
		}
	}
	if most == nil {
		return c.Allowed
	}
	return most
}

// Spread orders CPUs so that sockets alternate; within a socket they keep their order. It is the identity if sockets
// are unknown.
func (c CPU) Spread(cpus []int) []int {
	nth := map[int]int{} // CPU -> number of CPUs of its socket before it
	for _, list := range c.SocketCPUs {
		of, err := ParseCPUList(list)
		if err != nil {
			return cpus
		}
		n := 0
		for _, cpu := range cpus {
			if slices.Contains(of, cpu) {
				nth[cpu] = n
				n++
			}
		}
	}
	out := slices.Clone(cpus)
	if len(c.SocketCPUs) > 1 {
		slices.SortStableFunc(out, func(a, b int) int { return nth[a] - nth[b] })
	}
	return out
}

// JoinCounts names a value that all share, or how many have which: "4x a, 2x b".
func JoinCounts(counts map[string]int) string {
	names := slices.Sorted(maps.Keys(counts))
	if len(names) == 1 {
		return names[0]
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%dx %s", counts[name], name)
	}
	return strings.Join(names, ", ")
}

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

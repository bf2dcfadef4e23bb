package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseCPUList reads a list of CPUs as the kernel writes it, "0-3,8"; an empty text is an
// empty list.
func ParseCPUList(text string) ([]int, error) {
	var out []int
	for word := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		if word == "" {
			continue
		}
		first, last, ranged := strings.Cut(word, "-")
		from, err := strconv.ParseUint(first, 10, 16)
		to := from
		if err == nil && ranged {
			to, err = strconv.ParseUint(last, 10, 16)
		}
		if err != nil || to < from {
			return nil, fmt.Errorf("list of CPUs %q: %q is neither a number nor a range", text, word)
		}
		for cpu := from; cpu <= to; cpu++ {
			out = append(out, int(cpu))
		}
	}
	return out, nil
}

// FormatCPUList writes CPUs in ascending order as ParseCPUList reads them.
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

// OneSocket is those of the CPUs that may be used that lie on the socket that has most of
// them, the first such one: all of them where sockets are not known.
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

// Spread orders CPUs so that each socket gives one in turn; within a socket they keep
// their order. It is the identity where sockets are not known.
func (c CPU) Spread(cpus []int) []int {
	nth := map[int]int{} // of a CPU, how many of its socket stand before it
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

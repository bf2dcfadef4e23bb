package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxListed bounds what a damaged list can make us allocate; it is far above
// the kernel's largest NR_CPUS (8192).
const maxListed = 1 << 16

// parseList reads the kernel's list format, such as "0-3,8,10-11\n", into
// ascending numbers without repeats. An empty list is valid (a memory-only
// node has no CPUs).
func parseList(b []byte) ([]int, error) {
	var out []int
	text := strings.TrimSpace(string(b))
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		lo, hi, err := parseRange(part)
		if err != nil {
			return nil, err
		}
		for n := lo; n <= hi; n++ {
			out = append(out, n)
		}
		if len(out) > maxListed {
			return nil, fmt.Errorf("list %.40q names over %d numbers", text, maxListed)
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
		return 0, 0, fmt.Errorf("%.40q is not a number or a range in a list", part)
	}
	return lo, hi, nil
}

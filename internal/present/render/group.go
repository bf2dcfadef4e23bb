package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
)

// machineNames lists the machines with a description or results. Sessions of one machine follow each other in time.
func machineNames(s finding.Shown) []string {
	names := map[string]bool{}
	for name := range s.Machines {
		names[name] = true
	}
	for _, c := range s.Workloads {
		names[c.Machine] = true
	}
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		x, y := s.Sessions[a], s.Sessions[b]
		return cmp.Or(strings.Compare(cmp.Or(x.Machine, a), cmp.Or(y.Machine, b)), strings.Compare(x.Began, y.Began),
			strings.Compare(a, b))
	})
}

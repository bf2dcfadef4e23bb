package judge

import (
	"slices"

	"plimsoll/internal/analysis/finding"
)

// shareMinor hides a parameter from the tables of a workload if some cells omit it and all others have the same value:
// a session that sets it to its default is no different from one that omits it.
func shareMinor(cells []finding.Cell) {
	type param struct{ workload, name string }
	minor, value := map[param]bool{}, map[param]string{}
	for _, c := range cells {
		for _, name := range c.Wording.Minor {
			minor[param{c.Workload, name}] = true
			value[param{c.Workload, name}] = c.Params[name]
		}
	}
	for _, c := range cells {
		for name, v := range c.Params {
			if p := (param{c.Workload, name}); value[p] != v {
				delete(minor, p)
			}
		}
	}
	for i, c := range cells {
		names := slices.Clone(c.Wording.Minor)
		for name := range c.Params {
			if minor[param{c.Workload, name}] && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		cells[i].Wording.Minor = names
	}
}

package judge

import (
	"slices"

	"plimsoll/internal/finding"
)

// shareMinor keeps a parameter out of the tables of all cells of a workload if some of them leave it out and all have the
// same value: a session that sets it to its default differs in nothing from one that leaves it alone.
func shareMinor(cells []finding.Cell) {
	type param struct{ workload, name string }
	minor, value := map[param]bool{}, map[param]string{}
	for _, c := range cells {
		for _, name := range c.Minor {
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
		names := slices.Clone(c.Minor)
		for name := range c.Params {
			if minor[param{c.Workload, name}] && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		cells[i].Minor = names
	}
}

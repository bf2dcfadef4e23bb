package plan

import (
	"cmp"
	"slices"

	"plimsoll/internal/record"
)

// deriveAlike gives the sides of a comparison the same derived value: a flag that nobody set and that is derived true
// for one of them is true for all, so that its cost, such as starting a shell, is on every side.
func deriveAlike(p *record.Plan, decls []record.Workload) {
	for _, decl := range decls {
		for _, param := range decl.Params {
			if param.Derive == nil || param.Kind != record.Bool {
				continue
			}
			of := func(c record.Cell) bool { return c.Workload == decl.Name && slices.Contains(c.Minor, param.Name) }
			for i, c := range p.Cells {
				if of(c) && slices.ContainsFunc(p.Cells, func(o record.Cell) bool {
					return of(o) && o.Group == c.Group && param.Number(o.Params[param.Name]) != 0
				}) {
					p.Cells[i].Params[param.Name] = "true"
				}
			}
		}
	}
}

// generatorCores returns the number of whole cores of a load generator with CPUs of its own: the same on every machine,
// because sides loaded by unequal generators are not comparable. It is a quarter of the smallest machine's cores, at
// least one; 0 if nothing is split.
func generatorCores(p record.Plan, targets map[string]Target) int {
	fewest := 0
	for _, c := range p.Cells {
		if c.Remote || c.Params[record.ParamCPUSets] != record.CPUsSplit {
			continue
		}
		t := targets[c.Host]
		if n := cmp.Or(t.Cores, t.CPUs); fewest == 0 || n < fewest {
			fewest = n
		}
	}
	if fewest == 0 {
		return 0
	}
	return max(1, fewest/4)
}

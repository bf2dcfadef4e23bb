package plan

import (
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

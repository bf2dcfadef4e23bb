package plan

import (
	"slices"

	"plimsoll/internal/record"
)

// deriveAlike gives the sides of a comparison one value of what follows from their other parameters: a truth that holds for one of them
// and that nobody set holds for all, so that what it costs, such as the start of a shell, is on every side.
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

package plan

import "plimsoll/internal/record"

// maxSlicedSides bounds how many sides share one child: each keeps its own buffers in memory.
const maxSlicedSides = 4

// markSliced marks the groups whose sides can alternate inside one child (docs/method.md#two-sides).
func markSliced(p *record.Plan, decls []record.Workload) {
	groups := map[int][]int{}
	for i, c := range p.Cells {
		groups[c.Group] = append(groups[c.Group], i)
	}
	for _, members := range groups {
		first := p.Cells[members[0]]
		decl, _ := find(decls, first.Workload)
		ok := decl.Slices && len(members) > 1 && len(members) <= maxSlicedSides
		for _, i := range members {
			ok = ok && p.Cells[i].Load == first.Load && p.Cells[i].Host == first.Host
		}
		for _, i := range members {
			p.Cells[i].Sliced = ok
		}
	}
}

package plan

import (
	"maps"

	"plimsoll/internal/record"
)

// The factor of an A/A plan and its levels: two names for the same work.
const (
	FactorAA = "aa"
	LevelA   = "a"
	LevelB   = "b"
)

// AA turns a resolved plan into one that compares each of its cells with itself, which measures the noise of the
// machine and of the instrument. Each cell gives a group whose sides are separate trials and, if its workload slices,
// one whose sides alternate inside one child. The levels of FactorAA change no parameter.
func AA(p record.Plan, decls []record.Workload) record.Plan {
	out := p
	out.Factors = []record.Factor{{Name: FactorAA, Levels: []string{LevelA, LevelB}}}
	out.Cells = nil
	group := 0
	for _, c := range p.Cells {
		for _, sliced := range waysOf(c, decls) {
			for _, level := range out.Factors[0].Levels {
				out.Cells = append(out.Cells, twin(c, level, group, sliced))
			}
			group++
		}
	}
	return out
}

// waysOf returns whether to slice the two sides of a cell, for each way in which they can alternate.
func waysOf(c record.Cell, decls []record.Workload) (sliced []bool) {
	if decl, err := Find(decls, c.Workload); err == nil && decl.Slices {
		return []bool{true, false}
	}
	return []bool{false}
}

func twin(c record.Cell, level string, group int, sliced bool) record.Cell {
	c.Levels = maps.Clone(c.Levels)
	if c.Levels == nil {
		c.Levels = map[string]string{}
	}
	c.Levels[FactorAA] = level
	c.Group, c.Sliced = group, sliced
	return c
}

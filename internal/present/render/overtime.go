package render

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/note"
)

// OverTime returns the drawings over time for a page, in its order, and notes about series that are not drawn.
func OverTime(in *finding.Input, s finding.Shown) (drawn []block.Block, problems []note.Note) {
	if in.Read.Windows == nil {
		return nil, nil
	}
	for _, a := range judge.Analyzers() {
		if a.Over == nil || in.Halted() {
			continue
		}
		blocks, notes := a.Over(in, machineNames(s))
		drawn, problems = append(drawn, blocks...), append(problems, notes...)
	}
	return drawn, problems
}

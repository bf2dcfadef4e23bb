package render

import (
	"fmt"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// tabled omits memory traffic: if a workload reports it, it is throughput times a constant, and its share of the memory
// bandwidth is more useful. It also omits the sampled states of a database's backends: a sentence on the bottleneck has
// them.
func tabled(cells []finding.Cell) []finding.Cell {
	watched := []string{record.WatchCPU}
	for _, class := range record.WaitClasses() {
		watched = append(watched, record.WaitShare(class))
	}
	rest := func(c finding.Cell) bool {
		return (c.Metric == record.MemoryTraffic || slices.Contains(watched, c.Metric)) && !c.Primary
	}
	return slices.DeleteFunc(slices.Clone(cells), rest)
}

// derivedRows returns the figures of a cell that depend on other cells.
func derivedRows(c finding.Cell, with []finding.Analyzer) [][]block.Cell {
	var out [][]block.Cell
	for _, a := range with {
		if a.Rows == nil {
			continue
		}
		for _, r := range a.Rows(c) {
			out = append(out, derivedCells(r.Name, r.Value, r.Scale))
		}
	}
	return out
}

func derivedCells(name string, s figure.Estimate, u figure.Scale) []block.Cell {
	interval := block.Cell{Text: s.Interval(u), Tone: block.Plain}
	if !s.Bounded() {
		interval = block.Cell{Text: fmt.Sprintf("no interval, %d runs needed", figure.MinReplicates), Tone: block.Dim}
	}
	return []block.Cell{{Text: name}, interval, {}, {Text: s.Estimate(u)}}
}

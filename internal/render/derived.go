package render

import (
	"fmt"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// tabled leaves out memory traffic: of a workload that states it, it is throughput times a
// constant, and its share of what memory carries says more. It leaves out what a database's backends were seen doing, too: it stands in a sentence on
// what binds.
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

// derivedRows returns the figures that a cell owes to other cells.
func derivedRows(c finding.Cell) [][]block.Cell {
	var out [][]block.Cell
	for _, a := range judge.Analyzers() {
		if a.Rows == nil {
			continue
		}
		for _, r := range a.Rows(c) {
			out = append(out, derivedCells(r.Name, finding.SpanOf(r.Value), r.Scale))
		}
	}
	return out
}

func derivedCells(name string, s figure.Span, u figure.Scale) []block.Cell {
	interval := block.Cell{Text: s.Interval(u), Tone: block.Plain}
	if !s.Bounded() {
		interval = block.Cell{Text: fmt.Sprintf("no interval, %d needed", figure.MinReplicates), Tone: block.Dim}
	}
	return []block.Cell{{Text: name}, interval, {}, {Text: s.Estimate(u)}}
}

// ceilingNotes say what all of memory is, where cells are held against it.
func ceilingNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	for _, c := range v.Cells {
		m := sweep.KindMemoryBandwidth.Of(c)
		if m == nil {
			continue
		}
		text := fmt.Sprintf("100 %% of memory is what %s moved: %s", m.Of, figure.Quantity(m.Ceiling, "B/s"))
		if v.Several {
			text = c.Machine + ": " + text
		}
		out = append(out, block.Sentence{Lead: "ceiling", Tone: block.Dim, Text: text})
	}
	return block.Unique(out)
}

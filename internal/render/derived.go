package render

import (
	"fmt"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/finding/sweep"
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

// derived are rows of figures that a cell owes to other cells.
func derived(c finding.Cell) [][]block.Cell {
	var out [][]block.Cell
	if t := sweep.KindSpeedup.Of(c); t != nil {
		out = append(out, derivedCells("over 1 cpu", figure.Span{Value: t.Value, Lo: t.Lo, Hi: t.Hi}, figure.Scale{Factor: 1, Unit: "times"}))
	}
	if m := sweep.KindMemoryBandwidth.Of(c); m != nil {
		out = append(out, derivedCells("of memory", figure.Span{Value: m.Share, Lo: m.Lo, Hi: m.Hi}, figure.Scale{Factor: .01, Unit: "%"}))
	}
	if o := storage.KindDiskBandwidth.Of(c); o != nil {
		out = append(out, derivedCells("of raw disk", spanOfTerm(o.Share), figure.Scale{Factor: .01, Unit: "%"}))
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

package render

import (
	"fmt"
	"slices"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// tabled leaves out memory traffic: of a workload that states it, it is throughput times a
// constant, and its share of what memory carries says more. It leaves out what a database's backends were seen doing, too: it stands in a sentence on
// what binds.
func tabled(cells []judge.Cell) []judge.Cell {
	watched := []string{record.WatchCPU}
	for _, class := range record.WaitClasses() {
		watched = append(watched, record.WaitShare(class))
	}
	rest := func(c judge.Cell) bool {
		return (c.Metric == record.MemoryTraffic || slices.Contains(watched, c.Metric)) && !c.Primary
	}
	return slices.DeleteFunc(slices.Clone(cells), rest)
}

// kindsOf are the code paths, regimes and CPUs of cells.
func kindsOf(cells []judge.Cell) []kind {
	path, regime, cpus := kind{name: "code path"}, kind{name: "working set"}, kind{name: "server CPUs"}
	for _, c := range cells {
		path.texts, regime.texts, cpus.texts = append(path.texts, c.Path), append(regime.texts, setText(c.Regime)), append(cpus.texts, cpusText(c.CPUSets))
	}
	return []kind{path, regime, cpus}
}

// cpusText says which CPUs the server had and which the generator.
func cpusText(s *record.CPUSets) string {
	if s == nil {
		return ""
	}
	return s.Work + "; generator " + s.Generator
}

// setText says where a working set lay.
func setText(regime string) string {
	switch regime {
	case record.RegimeCache:
		return "in cache"
	case record.RegimeBetween:
		return "between"
	case record.RegimeDRAM:
		return "in DRAM"
	}
	return regime
}

// derived are rows of figures that a cell owes to other cells.
func derived(c judge.Cell) [][]cell {
	var out [][]cell
	if t := c.OverOne; t != nil {
		out = append(out, derivedCells("over 1 cpu", span{t.Value, t.Lo, t.Hi}, scale{1, "times"}))
	}
	if m := c.OfMemory; m != nil {
		out = append(out, derivedCells("of memory", span{m.Share, m.Lo, m.Hi}, scale{.01, "%"}))
	}
	if o := c.OfDisk; o != nil {
		out = append(out, derivedCells("of raw disk", spanOfTerm(o.Share), scale{.01, "%"}))
	}
	return out
}

func derivedCells(name string, s span, u scale) []cell {
	interval := cell{s.interval(u), plain}
	if !s.bounded() {
		interval = cell{fmt.Sprintf("no interval, %d needed", minReplicates), dim}
	}
	return []cell{{Text: name}, interval, {}, {Text: s.estimate(u)}}
}

// ceilingNotes say what all of memory is, where cells are held against it.
func ceilingNotes(cells []judge.Cell) []note {
	several := countMachines(cells) > 1
	var out []note
	for _, c := range cells {
		m := c.OfMemory
		if m == nil {
			continue
		}
		text := fmt.Sprintf("100 %% of memory is what %s moved: %s", m.Of, Quantity(m.Ceiling, "B/s"))
		if several {
			text = c.Machine + ": " + text
		}
		out = append(out, note{"ceiling", dim, text})
	}
	return unique(out)
}

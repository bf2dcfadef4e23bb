package render

import (
	"fmt"
	"io"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/media/term"
	"plimsoll/internal/record"
)

// Planned is a plan before its first trial, with its needs.
type Planned struct {
	Plan     record.Plan
	Machines map[string]record.Machine // by host
	Rooms    []Room                    // of each cell
	Least    Span                      // if every trial succeeds and every comparison ends with its first interim analysis
	Most     Span
}

// Span is the number of trials, and their seconds of warm-up and measurement.
type Span struct {
	Trials  int
	Seconds float64
}

// Room is the bytes that a trial needs; 0: negligible.
type Room struct{ Disk, Memory int64 }

// Plan writes the planned trials, their duration and bytes. The error is the writer's.
func Plan(w io.Writer, style term.Style, d Planned) error {
	p := term.NewPrinter(w, style)
	p.Note(0, block.Sentence{Lead: d.Plan.Name, Tone: block.Strong, Text: fmt.Sprintf("%s, %s; they warm up and measure for %s. Not counted: starting servers, filling, copying and checking data, and the time of commands and builds",
		figure.Count(len(d.Plan.Cells), "cell"), trialsText(d), spanOfTime(d))}, 0)
	p.Notes(2, append(designNotes(d.Plan), roomNotes(d)...))
	for _, group := range finding.GroupBy(placesOf(d), func(at int) string { return d.Plan.Cells[at].Workload }) {
		p.Gap()
		split := finding.SplitOf(plannedParams(d.Plan, group))
		p.Heading(d.Plan.Cells[group[0]].Workload, split.Fixed)
		p.Table(4, plannedTable(d, group, split))
	}
	return p.Err
}

func placesOf(d Planned) []int {
	out := make([]int, len(d.Plan.Cells))
	for i := range out {
		out[i] = i
	}
	return out
}

func trialsText(d Planned) string {
	if d.Least.Trials == d.Most.Trials {
		return figure.Count(d.Most.Trials, "run")
	}
	return fmt.Sprintf("%d to %s", d.Least.Trials, figure.Count(d.Most.Trials, "run"))
}

func spanOfTime(d Planned) string {
	if least, most := figure.Duration(d.Least.Seconds), figure.Duration(d.Most.Seconds); least != most {
		return fmt.Sprintf("%v to %v", least, most)
	}
	return figure.Duration(d.Most.Seconds).String()
}

// roomNotes states the largest need of any trial on each machine. Trials run one after another, and leave only shared
// data behind.
func roomNotes(d Planned) []block.Sentence {
	var out []block.Sentence
	for _, host := range d.Plan.Hosts {
		var most Room
		for i, c := range d.Plan.Cells {
			if c.Host == host {
				most.Disk, most.Memory = max(most.Disk, d.Rooms[i].Disk), max(most.Memory, d.Rooms[i].Memory)
			}
		}
		m := d.Machines[host]
		if most.Disk > 0 {
			out = append(out, block.Sentence{Lead: "disk", Tone: block.Dim, Text: fmt.Sprintf("%s: a run takes up to %s; data shared by runs stay until the session ends and add up", m.Name, figure.Quantity(float64(most.Disk), "B"))})
		}
		if most.Memory > 0 {
			out = append(out, block.Sentence{Lead: "memory", Tone: memoryInk(most, m),
				Text: fmt.Sprintf("%s: %s, and up to %s to keep in it, if that fits", m.Name, figure.Quantity(float64(m.Memory), "B"), figure.Quantity(float64(most.Memory), "B"))})
		}
	}
	return out
}

func memoryInk(r Room, m record.Machine) block.Tone {
	if r.Memory > m.Memory {
		return block.Warn
	}
	return block.Dim
}

func plannedParams(p record.Plan, at []int) []map[string]string {
	var out []map[string]string
	for _, i := range at {
		out = append(out, finding.Major(p.Cells[i].Params, p.Cells[i].Minor))
	}
	return out
}

func plannedTable(d Planned, at []int, split finding.Split) block.Table {
	var t block.Table
	several := len(d.Plan.Hosts) > 1
	if several {
		t.Columns = append(t.Columns, block.Column{Name: "machine"})
	}
	t.Columns = append(append(t.Columns, split.Columns()...), block.Column{Name: "load"})
	t.Keys = len(t.Columns)
	onDisk := slices.ContainsFunc(at, func(i int) bool { return d.Rooms[i].Disk > 0 })
	inMemory := slices.ContainsFunc(at, func(i int) bool { return d.Rooms[i].Memory > 0 })
	if onDisk {
		t.Columns = append(t.Columns, block.Column{Name: "disk", Right: true})
	}
	if inMemory {
		t.Columns = append(t.Columns, block.Column{Name: "in memory", Right: true})
	}
	for _, i := range at {
		c := d.Plan.Cells[i]
		var row []block.Cell
		if several {
			row = append(row, block.Cell{Text: d.Machines[c.Host].Name})
		}
		row = append(append(row, split.Cells(finding.Major(c.Params, c.Minor))...), block.Cell{Text: finding.LoadText(plannedLoad(c))})
		if onDisk {
			row = append(row, block.Cell{Text: bytesOrNone(d.Rooms[i].Disk)})
		}
		if inMemory {
			row = append(row, block.Cell{Text: bytesOrNone(d.Rooms[i].Memory)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// plannedLoad returns a cell's load, or that a search will find it.
func plannedLoad(c record.Cell) string {
	switch {
	case c.Search == nil:
		return c.Load.Key()
	case c.Search.Sweep:
		return record.KeySwept
	}
	return record.KeySearched
}

// designNotes states how a plan combines several factors.
func designNotes(p record.Plan) []block.Sentence {
	var out []block.Sentence
	for _, d := range p.Designs {
		out = append(out, block.Sentence{Lead: "design", Tone: block.Dim, Text: d.String()})
	}
	return out
}

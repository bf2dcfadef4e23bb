package render

import (
	"io"

	"plimsoll/internal/block"
	"plimsoll/internal/finding"
	"plimsoll/internal/media/term"
	coded "plimsoll/internal/note"
)

// Show writes what machines' sessions say: a block for each machine and in it
// a table for each workload. The error is the writer's.
func Show(w io.Writer, style term.Style, s finding.Shown) error {
	p := term.NewPrinter(w, style)
	for _, name := range machineNames(s) {
		p.Gap()
		printMachine(p, name, s)
	}
	if len(s.Workloads) == 0 {
		p.Gap()
		p.Note(0, block.Sentence{Text: "no results: there is no finished trial here"}, 0)
	}
	printWarnings(p, coded.Texts(s.Warnings))
	return p.Err
}

func printMachine(p *term.Printer, name string, s finding.Shown) {
	what := "not described in these files"
	if m, ok := s.Machines[name]; ok {
		what = summary(m)
	}
	p.Note(0, block.Sentence{Lead: name, Tone: block.Strong, Text: what}, 0)
	byWorkload := finding.GroupBy(finding.CellsOf(s.Workloads, name), func(c finding.Cell) string { return c.Workload })
	for _, cells := range byWorkload {
		for _, sub := range finding.Subdivided(cells, func(c finding.Cell) map[string]string { return finding.Major(c.Params, c.Minor) }) {
			p.Gap()
			p.Section(results(finding.NewView(sub)), 4)
		}
	}
}

func printWarnings(p *term.Printer, texts []string) {
	if len(texts) == 0 {
		return
	}
	p.Gap()
	p.Notes(0, finding.Warnings(texts))
}

package render

import (
	"io"

	"plimsoll/internal/block"
	"plimsoll/internal/finding"
	"plimsoll/internal/media/term"
	coded "plimsoll/internal/note"
	"plimsoll/internal/usage"
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
	byWorkload := groupBy(cellsOf(s.Workloads, name), func(c finding.Cell) string { return c.Workload })
	for _, cells := range byWorkload {
		for _, sub := range subdivided(cells, func(c finding.Cell) map[string]string { return major(c.Params, c.Minor) }) {
			p.Gap()
			printResults(p, resultsOf(sub))
		}
	}
}

func printResults(p *term.Printer, r results) {
	p.Heading(r.Workload, r.Fixed)
	p.Table(4, r.Table)
	p.Notes(4, r.Notes)
	for _, s := range r.Sizing {
		printSizing(p, s)
	}
	for _, s := range r.Profiles {
		printProfile(p, s)
	}
}

func printProfile(p *term.Printer, s profiled) {
	p.Note(4, block.Sentence{Lead: "profile", Tone: block.Strong, Text: s.Title}, 0)
	p.Table(6, s.CPU)
	if len(s.Waits.Rows) > 0 {
		p.Table(6, s.Waits)
	}
	p.Notes(6, s.Notes)
}

func printSizing(p *term.Printer, s sizing) {
	p.Note(4, block.Sentence{Lead: "disk", Tone: block.Strong, Text: s.Title}, 0)
	p.Table(6, s.Rates)
	p.Notes(6, s.Notes)
	p.Table(6, s.Storage)
	p.Notes(6, s.Sources)
}

func printWarnings(p *term.Printer, texts []string) {
	if len(texts) == 0 {
		return
	}
	p.Gap()
	p.Notes(0, warningNotes(texts))
}

func warningNotes(texts []string) []block.Sentence {
	var out []block.Sentence
	for _, t := range counted(texts) {
		out = append(out, hinted("warning", block.Warn, t)...)
	}
	return out
}

// hinted gives a message that may end in hints a sentence for each.
func hinted(lead string, k block.Tone, text string) []block.Sentence {
	said, hints := usage.Hints(text)
	out := []block.Sentence{{Lead: lead, Tone: k, Text: said}}
	for _, h := range hints {
		out = append(out, block.Sentence{Lead: "hint", Tone: k, Text: h})
	}
	return out
}

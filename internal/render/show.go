package render

import (
	"io"
	"strings"

	"plimsoll/internal/judge"
	coded "plimsoll/internal/note"
	"plimsoll/internal/usage"
)

// Show writes what machines' sessions say: a block for each machine and in it
// a table for each workload. The error is the writer's.
func Show(w io.Writer, style Style, s judge.Shown) error {
	p := newPrinter(w, style)
	for _, name := range machineNames(s) {
		p.gap()
		p.machineBlock(name, s)
	}
	if len(s.Workloads) == 0 {
		p.gap()
		p.note(0, note{Text: "no results: there is no finished trial here"}, 0)
	}
	p.warnings(coded.Texts(s.Warnings))
	return p.err
}

func (p *printer) machineBlock(name string, s judge.Shown) {
	what := "not described in these files"
	if m, ok := s.Machines[name]; ok {
		what = summary(m)
	}
	p.note(0, note{name, strong, what}, 0)
	byWorkload := groupBy(cellsOf(s.Workloads, name), func(c judge.Cell) string { return c.Workload })
	for _, cells := range byWorkload {
		for _, sub := range subdivided(cells, func(c judge.Cell) map[string]string { return major(c.Params, c.Minor) }) {
			p.gap()
			p.results(resultsOf(sub))
		}
	}
}

func (p *printer) results(r results) {
	p.heading(r.Workload, r.Fixed)
	p.table(4, r.Table)
	p.notes(4, r.Notes)
	for _, s := range r.Sizing {
		p.sizing(s)
	}
	for _, s := range r.Profiles {
		p.profile(s)
	}
}

func (p *printer) profile(s profiled) {
	p.note(4, note{"profile", strong, s.Title}, 0)
	p.table(6, s.CPU)
	if len(s.Waits.Rows) > 0 {
		p.table(6, s.Waits)
	}
	p.notes(6, s.Notes)
}

func (p *printer) sizing(s sizing) {
	p.note(4, note{"disk", strong, s.Title}, 0)
	p.table(6, s.Rates)
	p.notes(6, s.Notes)
	p.table(6, s.Storage)
	p.notes(6, s.Sources)
}

// heading names a workload, with what holds for all of its rows.
func (p *printer) heading(workload, fixed string) {
	text := "  " + p.style.paint(strong, clean(workload))
	room := p.style.Width - displayWidth(workload) - 4
	lines := wrap(clean(fixed), max(room, minWrap))
	p.line(text + "  " + lines[0])
	for _, l := range lines[1:] {
		p.line(strings.Repeat(" ", displayWidth(workload)+4) + l)
	}
}

func (p *printer) warnings(texts []string) {
	if len(texts) == 0 {
		return
	}
	p.gap()
	p.notes(0, warningNotes(texts))
}

func warningNotes(texts []string) []note {
	var out []note
	for _, t := range counted(texts) {
		out = append(out, hinted("warning", warn, t)...)
	}
	return out
}

// hinted gives a message that may end in hints a sentence for each.
func hinted(lead string, k ink, text string) []note {
	said, hints := usage.Hints(text)
	out := []note{{lead, k, said}}
	for _, h := range hints {
		out = append(out, note{"hint", k, h})
	}
	return out
}

package compare

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/note"
)

// gaps collects the metrics without a comparison or a verdict, with the reason and the cells.
type gaps struct {
	order []gap
	cells map[string][]string // by the wording of the gap

	missing []finding.Missing
}

type gap struct {
	what string // the gap: notCompared, perhaps with a metric, or noVerdict
	why  note.Note
}

const (
	notCompared = "no comparison was made"
	noVerdict   = "no verdict is given"
)

func (g gap) key() string { return g.what + "\x00" + g.why.Text() }

func (g *gaps) add(what string, why note.Note, cells ...string) {
	if g.cells == nil {
		g.cells = map[string][]string{}
	}
	at := gap{what, why}
	if _, ok := g.cells[at.key()]; !ok {
		g.order = append(g.order, at)
	}
	g.cells[at.key()] = append(g.cells[at.key()], cells...)
}

// append adds the gaps of another cell.
func (g *gaps) append(of gaps) {
	for _, at := range of.order {
		g.add(at.what, at.why, of.cells[at.key()]...)
	}
	g.missing = append(g.missing, of.missing...)
}

// warnings states each reason once, with the first of its cells.
func (g *gaps) warnings() []note.Note {
	var out []note.Note
	for _, at := range g.order {
		out = append(out, note.New("not-compared", at.what, at.why, trialset.FirstFew(g.cells[at.key()])))
	}
	return out
}

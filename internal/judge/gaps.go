package judge

import (
	"plimsoll/internal/finding/integrity"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// gaps are the metrics that were not compared, or not decided by, why, and in which cells.
type gaps struct {
	order []gap
	cells map[string][]string // by what the gap says
}

type gap struct {
	what string // what is missing: notCompared, perhaps with a metric, or noVerdict
	why  note.Note
}

const (
	notCompared = "not compared"
	noVerdict   = "no verdict"
)

func (g gap) key() string { return g.what + "\x00" + g.why.Text() }

func (g *gaps) add(what string, why note.Note, cell string) {
	if g.cells == nil {
		g.cells = map[string][]string{}
	}
	at := gap{what, why}
	if _, ok := g.cells[at.key()]; !ok {
		g.order = append(g.order, at)
	}
	g.cells[at.key()] = append(g.cells[at.key()], cell)
}

// warnings say each reason once, with the first of its cells.
func (g *gaps) warnings() []note.Note {
	var out []note.Note
	for _, at := range g.order {
		out = append(out, note.New("not-compared", at.what, at.why, trialset.FirstFew(g.cells[at.key()])))
	}
	return out
}

// unlike returns why a metric of two sides is not one: only one side has it, or its unit or direction is not the same
// throughout; the zero Note if it is.
func unlike(sideA, sideB, metric string, a, b []record.Trial) note.Note {
	left, right := integrity.UnitsOf(metric, a), integrity.UnitsOf(metric, b)
	switch {
	case len(left) == 0:
		return note.New("metric-on-one-side", sideB, metric)
	case len(right) == 0:
		return note.New("metric-on-one-side", sideA, metric)
	case len(left) > 1:
		return note.New("metric-in-several-units", metric, sideA, integrity.InUnits(left))
	case len(right) > 1:
		return note.New("metric-in-several-units", metric, sideB, integrity.InUnits(right))
	case left[0].Unit != right[0].Unit:
		return note.New("metric-in-unlike-units", metric, sideA, integrity.UnitText(left[0]), sideB, integrity.UnitText(right[0]))
	case left[0].Better != right[0].Better:
		return note.New("metric-of-unlike-direction", metric, left[0].Better, sideA, right[0].Better, sideB)
	}
	return note.Note{}
}

package judge

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/finding"
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

// unlike says why a metric of two sides is not one: only one side has it, or its unit or direction is not the
// same throughout; "" where it is.
func unlike(p finding.Pair, metric string, a, b []record.Trial) note.Note {
	left, right := kindsOf(metric, a), kindsOf(metric, b)
	switch {
	case len(left) == 0:
		return note.New("metric-on-one-side", p.B, metric)
	case len(right) == 0:
		return note.New("metric-on-one-side", p.A, metric)
	case len(left) > 1:
		return note.New("metric-in-several-units", metric, p.A, inKinds(left))
	case len(right) > 1:
		return note.New("metric-in-several-units", metric, p.B, inKinds(right))
	case left[0].Unit != right[0].Unit:
		return note.New("metric-in-unlike-units", metric, p.A, unitText(left[0]), p.B, unitText(right[0]))
	case left[0].Better != right[0].Better:
		return note.New("metric-of-unlike-direction", metric, left[0].Better, p.A, right[0].Better, p.B)
	}
	return note.Note{}
}

// kindsOf are the units and directions in which trials state a metric, each once.
func kindsOf(metric string, trials []record.Trial) []record.Metric {
	var out []record.Metric
	for i := range trials {
		v, ok := trialset.ValueIn(&trials[i], metric)
		if !ok {
			continue
		}
		v.Doc = ""
		if v.Better == "" {
			v.Better = record.Neutral
		}
		if !slices.Contains(out, v.Metric) {
			out = append(out, v.Metric)
		}
	}
	return out
}

// inKinds writes several units and, where they have several, directions.
func inKinds(kinds []record.Metric) string {
	texts := make([]string, len(kinds))
	directed := slices.ContainsFunc(kinds, func(k record.Metric) bool { return k.Better != kinds[0].Better })
	for i, k := range kinds {
		if texts[i] = unitText(k); directed {
			texts[i] += fmt.Sprintf(" (better: %s)", k.Better)
		}
	}
	return strings.Join(texts, " and in ")
}

func unitText(m record.Metric) string {
	if m.Unit == "" {
		return "plain numbers"
	}
	return m.Unit
}

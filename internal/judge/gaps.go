package judge

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// gaps are the metrics that were not compared, or not decided by, why, and in which cells.
type gaps struct {
	order []gap
	cells map[gap][]string
}

type gap struct {
	what string // what is missing: notCompared, perhaps with a metric, or noVerdict
	why  string
}

const (
	notCompared = "not compared"
	noVerdict   = "no verdict"
)

func (g *gaps) add(what, why, cell string) {
	if g.cells == nil {
		g.cells = map[gap][]string{}
	}
	at := gap{what, why}
	if _, ok := g.cells[at]; !ok {
		g.order = append(g.order, at)
	}
	g.cells[at] = append(g.cells[at], cell)
}

// warnings say each reason once, with the first of its cells.
func (g *gaps) warnings() []string {
	var out []string
	for _, at := range g.order {
		out = append(out, fmt.Sprintf("%s, %s: %s", at.what, at.why, some(g.cells[at])))
	}
	return out
}

// unlike says why a metric of two sides is not one: only one side has it, or its unit or direction is not the
// same throughout; "" where it is.
func unlike(p Pair, metric string, a, b []record.Trial) string {
	left, right := kindsOf(metric, a), kindsOf(metric, b)
	switch {
	case len(left) == 0:
		return fmt.Sprintf("only %s has %s", p.B, metric)
	case len(right) == 0:
		return fmt.Sprintf("only %s has %s", p.A, metric)
	case len(left) > 1:
		return fmt.Sprintf("%s of %s is in %s", metric, p.A, strings.Join(left, " and in "))
	case len(right) > 1:
		return fmt.Sprintf("%s of %s is in %s", metric, p.B, strings.Join(right, " and in "))
	case left[0] != right[0]:
		return fmt.Sprintf("%s of %s is in %s, that of %s in %s", metric, p.A, left[0], p.B, right[0])
	}
	return ""
}

// kindsOf are the units and directions in which trials state a metric, each once.
func kindsOf(metric string, trials []record.Trial) []string {
	var out []string
	seen := map[record.Metric]bool{}
	for i := range trials {
		v, ok := valueIn(&trials[i], metric)
		if !ok {
			continue
		}
		v.Doc = ""
		if seen[v.Metric] {
			continue
		}
		seen[v.Metric] = true
		if kind := kindText(v.Metric); !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

func kindText(m record.Metric) string {
	unit := m.Unit
	if unit == "" {
		unit = "a plain number"
	}
	switch m.Better {
	case record.Higher, record.Lower:
		return fmt.Sprintf("%s, %s is better", unit, m.Better)
	}
	return unit
}

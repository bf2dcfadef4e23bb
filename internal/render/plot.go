package render

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

// trialPlot draws the primary cells of one workload: every trial, the interval
// and the estimate. The second result is false where there is nothing to draw.
func trialPlot(id string, cells []finding.Cell, machines []string) (block.Plot, bool) {
	cells = primaryCells(cells)
	if len(cells) == 0 {
		return block.Plot{}, false
	}
	a, ok := figure.NewAxis(axisValues(cells))
	if !ok {
		return block.Plot{}, false
	}
	first := cells[0]
	u := figure.ScaleFor(first.Unit, axisValues(cells)...)
	several := len(machines) > 1
	split := splitParams(paramsOf(cells))
	p := block.Plot{ID: id, Title: first.Workload + ", " + first.Metric, Scale: a, Unit: u, Axis: axisName(first, u, a)}
	for _, c := range sideBySide(cells, split) {
		row := trialRow(c, a, u)
		row.Label = place(c, split, several)
		row.Series = indexOf(machines, c.Machine) % seriesColours
		p.Rows = append(p.Rows, row)
	}
	p.Desc = describeRows(p.Rows)
	return p, true
}

// seriesColours is how many colours the page has for machines.
const seriesColours = 4

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return 0
}

// primaryCells keeps what has a primary metric in one unit.
func primaryCells(cells []finding.Cell) []finding.Cell {
	var out []finding.Cell
	for _, c := range cells {
		if c.Primary && (len(out) == 0 || c.Unit == out[0].Unit) {
			out = append(out, c)
		}
	}
	return out
}

// sideBySide puts machines' rows for one cell next to each other.
func sideBySide(cells []finding.Cell, split paramSplit) []finding.Cell {
	var out []finding.Cell
	for _, group := range groupBy(cells, func(c finding.Cell) string { return split.label(c.Params, c.Load) }) {
		out = append(out, group...)
	}
	return out
}

// axisValues are those that an axis must hold. Void trials are not among them:
// one that failed would squeeze all others together.
func axisValues(cells []finding.Cell) []float64 {
	var out []float64
	for _, c := range cells {
		if c.N == 0 {
			continue
		}
		out = append(out, spanOf(c).Values()...)
		for _, t := range c.Trials {
			if t.Value != nil && t.Void.IsZero() {
				out = append(out, *t.Value)
			}
		}
	}
	return out
}

func axisName(c finding.Cell, u figure.Scale, a figure.Axis) string {
	text := strings.Join(figure.NonEmpty(c.Metric, u.Unit, directionText(c.Better)), ", ")
	if a.Log {
		text += ", logarithmic"
	}
	return text
}

func trialRow(c finding.Cell, a figure.Axis, u figure.Scale) block.Row {
	row := intervalRow(spanOf(c))
	row.Figure = "no valid trial"
	if c.N == 0 {
		row = block.Row{Figure: row.Figure}
	} else {
		row.Figure = cellFigure(c, u)
	}
	for i, t := range c.Trials {
		if t.Value == nil || !figure.IsFinite(*t.Value) {
			continue
		}
		row.Dots = append(row.Dots, block.Dot{
			Value: *t.Value, Nth: i, Void: !t.Void.IsZero(), Text: trialText(t, a, u),
		})
	}
	return row
}

func cellFigure(c finding.Cell, u figure.Scale) string {
	s := spanOf(c)
	if s.Bounded() {
		return s.Interval(u) + fmt.Sprintf(" (n %d)", c.N)
	}
	return s.Estimate(u) + fmt.Sprintf(", no interval (n %d)", c.N)
}

func trialText(t finding.TrialValue, a figure.Axis, u figure.Scale) string {
	text := fmt.Sprintf("replicate %d: %s", t.Replicate, u.Text(*t.Value, figure.FineDigits))
	if !t.Void.IsZero() {
		text += ", void, " + t.Void.Text()
	}
	if !a.Holds(*t.Value) {
		text += ", off the axis"
	}
	return text
}

// intervalRow is a row with an estimate and its interval.
func intervalRow(s figure.Span) block.Row { return block.Row{Span: &s} }

// barPad leaves the last tick enough room to stand in the middle under its line.
const barPad = .08

// barAxis holds 0 and the values.
func barAxis(values []float64) figure.Axis {
	top := 0.0
	for _, v := range values {
		if figure.IsFinite(v) {
			top = math.Max(top, v)
		}
	}
	return figure.Axis{Hi: top * (1 + barPad)}
}

// describeRows says in words what a drawing shows.
func describeRows(rows []block.Row) string {
	var parts []string
	for _, r := range rows {
		parts = append(parts, r.Label+": "+r.Figure)
	}
	return strings.Join(parts, "; ")
}

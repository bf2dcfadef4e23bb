package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/judge"
)

// The measures of a plot, in CSS pixels. Places along the axis are percentages,
// so that text keeps its size on a phone.
const (
	rowHeight   = 48
	labelHeight = 14 // of a row's text, its baseline
	trackMiddle = 31 // of a row, from its top
	dotSpread   = 5  // dots of one row lie on three lines, to show where they overlap
	tickHeight  = 22
)

// plot is a drawing of intervals on one axis, a row for each cell or comparison,
// as the page's template takes it.
type plot struct {
	ID, Title, Desc string
	Whiskers        bool // intervals are lines; else bars, with the trials in them
	Axis            string
	Ticks           []tick
	Rows            []plotRow
	BandX, BandW    string // "" without a margin
	One             string // where no difference is, or all there is; "" for none
}

// plotRow is one cell or comparison.
type plotRow struct {
	Top           int
	Series        int // which machine, for its colour
	Label, Figure string
	X, Right      string // of the interval; "" without one
	W             string
	Estimate      string // "" without one
	BarX, BarW    string // from the axis' foot to the estimate; "" for none
	Guess         bool   // the bar stands on a figure that was not measured
	Tip           string // more than Label and Figure say; "" for nothing
	Dots          []dot
}

type dot struct {
	X    string
	Up   int
	Void bool
	Text string
}

// LabelY is the baseline of a row's text.
func (r plotRow) LabelY() int { return r.Top + labelHeight }

// Middle is the height of a row's marks.
func (r plotRow) Middle() int { return r.Top + trackMiddle }

// roomy is how many letters of a row fit beside each other in half of the page.
const roomy = 58

// Wide reports whether the rows need all of the page's width.
func (p plot) Wide() bool {
	return slices.ContainsFunc(p.Rows, func(r plotRow) bool { return displayWidth(r.Label)+displayWidth(r.Figure) > roomy })
}

// Shift moves a place up or down, for the template.
func (r plotRow) Shift(by int) int { return r.Middle() + by }

// Base is the height of the axis.
func (p plot) Base() int { return len(p.Rows)*rowHeight + 4 }

// TickY is the baseline of the ticks' labels.
func (p plot) TickY() int { return p.Base() + 15 }

// Height is that of the whole drawing.
func (p plot) Height() int { return p.Base() + tickHeight }

// Y is the height of one of a row's dots.
func (r plotRow) Y(d dot) int { return r.Middle() + d.Up }

// trialPlot draws the primary cells of one workload: every trial, the interval
// and the estimate. The second result is false where there is nothing to draw.
func trialPlot(id string, cells []judge.Cell, machines []string) (plot, bool) {
	cells = primaryCells(cells)
	if len(cells) == 0 {
		return plot{}, false
	}
	a, ok := newAxis(axisValues(cells))
	if !ok {
		return plot{}, false
	}
	first := cells[0]
	u := scaleFor(first.Unit, axisValues(cells)...)
	several := len(machines) > 1
	split := splitParams(paramsOf(cells))
	p := plot{ID: id, Title: first.Workload + ", " + first.Metric, Ticks: a.marks(u), Axis: axisName(first, u, a)}
	for _, c := range sideBySide(cells, split) {
		row := trialRow(c, a, u)
		row.Top = len(p.Rows) * rowHeight
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
func primaryCells(cells []judge.Cell) []judge.Cell {
	var out []judge.Cell
	for _, c := range cells {
		if c.Primary && (len(out) == 0 || c.Unit == out[0].Unit) {
			out = append(out, c)
		}
	}
	return out
}

// sideBySide puts machines' rows for one cell next to each other.
func sideBySide(cells []judge.Cell, split paramSplit) []judge.Cell {
	var out []judge.Cell
	for _, group := range groupBy(cells, func(c judge.Cell) string { return split.label(c.Params, c.Load) }) {
		out = append(out, group...)
	}
	return out
}

// axisValues are those that an axis must hold. Void trials are not among them:
// one that failed would squeeze all others together.
func axisValues(cells []judge.Cell) []float64 {
	var out []float64
	for _, c := range cells {
		if c.N == 0 {
			continue
		}
		out = append(out, spanOf(c).values()...)
		for _, t := range c.Trials {
			if t.Value != nil && t.Void.IsZero() {
				out = append(out, *t.Value)
			}
		}
	}
	return out
}

func axisName(c judge.Cell, u scale, a axis) string {
	text := strings.Join(nonEmpty(c.Metric, u.Unit, directionText(c.Better)), ", ")
	if a.log {
		text += ", logarithmic"
	}
	return text
}

func trialRow(c judge.Cell, a axis, u scale) plotRow {
	row := intervalRow(spanOf(c), a)
	row.Figure = "no valid trial"
	if c.N == 0 {
		row = plotRow{Figure: row.Figure}
	} else {
		row.Figure = cellFigure(c, u)
	}
	for i, t := range c.Trials {
		if t.Value == nil || !isFinite(*t.Value) {
			continue
		}
		row.Dots = append(row.Dots, dot{
			X: svgPercent(a.at(*t.Value)), Up: (i%3 - 1) * dotSpread, Void: !t.Void.IsZero(), Text: trialText(t, a, u),
		})
	}
	return row
}

func cellFigure(c judge.Cell, u scale) string {
	s := spanOf(c)
	if s.bounded() {
		return s.interval(u) + fmt.Sprintf(" (n %d)", c.N)
	}
	return s.estimate(u) + fmt.Sprintf(", no interval (n %d)", c.N)
}

func trialText(t judge.TrialValue, a axis, u scale) string {
	text := fmt.Sprintf("replicate %d: %s", t.Replicate, u.text(*t.Value, fineDigits))
	if !t.Void.IsZero() {
		text += ", void, " + t.Void.Text()
	}
	if !a.holds(*t.Value) {
		text += ", off the axis"
	}
	return text
}

// intervalRow places an estimate and its interval.
func intervalRow(s span, a axis) plotRow {
	var row plotRow
	if isFinite(s.value) {
		row.Estimate = svgPercent(a.at(s.value))
	}
	if s.bounded() {
		from, to := a.at(*s.lo), a.at(*s.hi)
		row.X, row.Right, row.W = svgPercent(from), svgPercent(to), svgPercent(math.Max(to-from, 0.002))
	}
	return row
}

// bar draws a row as a bar from the axis' foot to the estimate.
func (r *plotRow) bar(a axis, foot, value float64) {
	from, to := a.at(foot), a.at(value)
	r.BarX, r.BarW = svgPercent(min(from, to)), svgPercent(math.Max(math.Abs(to-from), 0.002))
}

// barPad leaves the last tick enough room to stand in the middle under its line.
const barPad = .08

// barAxis holds 0 and the values.
func barAxis(values []float64) axis {
	top := 0.0
	for _, v := range values {
		if isFinite(v) {
			top = math.Max(top, v)
		}
	}
	return axis{hi: top * (1 + barPad)}
}

// describeRows says in words what a drawing shows.
func describeRows(rows []plotRow) string {
	var parts []string
	for _, r := range rows {
		parts = append(parts, r.Label+": "+r.Figure)
	}
	return strings.Join(parts, "; ")
}

package render

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// trialPlot draws the primary cells of one workload: every trial, the interval and the estimate. The second result is
// false if there is nothing to draw.
func trialPlot(v *finding.View) []block.Block {
	const many = 12 // rows from which on a page hides them at first
	plots := trialPlots(v)
	if len(plots) == 0 || len(plots[0].Rows) <= many {
		return finding.Blocks(plots)
	}
	return []block.Block{block.Section{Title: fmt.Sprintf("every run of %d benchmarks", len(plots[0].Rows)), Fold: true,
		Blocks: finding.Blocks(plots)}}
}

func trialPlots(v *finding.View) []block.Plot {
	cells := primaryCells(v.Cells)
	if len(cells) == 0 {
		return nil
	}
	a, ok := figure.NewAxis(axisValues(cells))
	if !ok {
		return nil
	}
	first := cells[0]
	u := figure.ScaleFor(figure.UnitOf(first.Counted(), first.Unit), axisValues(cells)...)
	several := len(v.Machines) > 1
	split := finding.SplitOf(finding.ParamsOf(cells))
	p := block.Plot{ID: v.ID, Title: first.Workload + ", " + first.Metric, Scale: a, Unit: u, Axis: axisName(first, u, a)}
	for _, c := range finding.SideBySide(cells, split) {
		row := trialRow(c, a, u)
		row.Label = finding.Place(c, split, several)
		row.Series = block.IndexOf(v.Machines, c.Machine) % block.SeriesColours
		p.Rows = append(p.Rows, row)
	}
	p.Desc = block.DescribeRows(p.Rows)
	return []block.Plot{p}
}

// primaryCells returns the cells with a primary metric in one unit.
func primaryCells(cells []finding.Cell) []finding.Cell {
	var out []finding.Cell
	for _, c := range cells {
		if c.Primary && (len(out) == 0 || c.Unit == out[0].Unit) {
			out = append(out, c)
		}
	}
	return out
}

// axisValues returns the values that an axis must include. A failed trial is not one of them: it would squeeze all
// others together.
func axisValues(cells []finding.Cell) []float64 {
	var out []float64
	for _, c := range cells {
		out = slices.Grow(out, len(c.Trials))
		if c.N == 0 {
			continue
		}
		out = append(out, c.Estimate.Values()...)
		for _, t := range c.Trials {
			if t.Value != nil && t.Void.IsZero() {
				out = append(out, *t.Value)
			}
		}
	}
	return out
}

func axisName(c finding.Cell, u figure.Scale, a figure.Axis) string {
	text := strings.Join(figure.NonEmpty(c.Metric, u.Unit, figure.DirectionText(c.Better)), ", ")
	if a.Log {
		text += ", logarithmic"
	}
	return text
}

func trialRow(c finding.Cell, a figure.Axis, u figure.Scale) block.Row {
	row := block.IntervalRow(c.Estimate)
	row.Figure = "no valid run"
	if c.N == 0 {
		row = block.Row{Figure: row.Figure}
	} else {
		row.Figure = cellFigure(c, u)
	}
	row.Dots = slices.Grow(row.Dots, len(c.Trials))
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
	s := c.Estimate
	if s.Bounded() {
		return s.Interval(u) + " (" + figure.N(c.N) + ")"
	}
	if c.AtLeast {
		return "at least " + s.Estimate(u) + " (" + figure.N(c.N) + ")"
	}
	return s.Estimate(u) + ", no interval (" + figure.N(c.N) + ")"
}

func trialText(t finding.TrialValue, a figure.Axis, u figure.Scale) string {
	text := fmt.Sprintf("run %d: %s", record.RunNumber(t.Replicate), u.Text(*t.Value, figure.FineDigits))
	if !t.Void.IsZero() {
		text += ", failed, " + t.Void.Text()
	}
	if !a.Holds(*t.Value) {
		text += ", off the axis"
	}
	return text
}

package finding

import (
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
)

// SharePlot draws shares of a whole: a bar for each cell that has one.
type SharePlot struct {
	Suffix, Title, Axis string // suffix of the drawing's ID, title after the workload, name of the axis
	Of                  func(Cell) (share estimate.Estimate, figure, tip string, ok bool)
}

// Draw returns the plot of the cells of a view; none if no cell has a share.
func (s SharePlot) Draw(v *View) []block.Plot {
	var known []Cell
	values := []float64{1}
	for _, c := range v.Cells {
		if share, _, _, ok := s.Of(c); ok {
			known, values = append(known, c), append(values, share.Values()...)
		}
	}
	if len(known) == 0 {
		return nil
	}
	p := block.Plot{
		ID: v.ID + "-" + s.Suffix, Title: known[0].Workload + ", " +
			s.Title, Whiskers: true, Scale: block.BarAxis(values), Unit: Percents(),
		Axis: s.Axis, One: new(1.0),
	}
	split := SplitOf(ParamsOf(known))
	for _, c := range SideBySide(known, split) {
		share, figure, tip, _ := s.Of(c)
		row := block.IntervalRow(share)
		row.Foot, row.Label, row.Figure, row.Tip = new(0.0), Place(c, split, len(v.Machines) > 1), figure, tip
		row.Series = block.IndexOf(v.Machines, c.Machine) % block.SeriesColours
		p.Rows = append(p.Rows, row)
	}
	p.Desc = block.DescribeRows(p.Rows)
	return []block.Plot{p}
}

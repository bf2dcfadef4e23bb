package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/sweep"
)

// ceilingPlot draws how much of its machine's memory bandwidth each cell took.
// The second result is false where none is known.
func ceilingPlot(v *finding.View) []block.Plot {
	var known []finding.Cell
	values := []float64{1}
	for _, c := range v.Cells {
		if m := sweep.KindMemoryBandwidth.Of(c); m != nil && figure.IsFinite(m.Share) {
			known = append(known, c)
			values = append(values, figure.Span{Value: m.Share, Lo: m.Lo, Hi: m.Hi}.Values()...)
		}
	}
	if len(known) == 0 {
		return nil
	}
	a := block.BarAxis(values)
	u := figure.Scale{Factor: .01, Unit: "%"}
	p := block.Plot{
		ID: v.ID + "-ceiling", Title: known[0].Workload + ", share of the memory's bandwidth", Whiskers: true, Scale: a, Unit: u,
		Axis: "memory traffic, % of the most that was moved at the same load; dashed: all of it", One: new(1.0),
	}
	split := finding.SplitOf(finding.ParamsOf(known))
	for _, c := range sideBySide(known, split) {
		row := ceilingRow(c)
		row.Label = finding.Place(c, split, len(v.Machines) > 1)
		row.Series = block.IndexOf(v.Machines, c.Machine) % block.SeriesColours
		p.Rows = append(p.Rows, row)
	}
	p.Desc = block.DescribeRows(p.Rows)
	return []block.Plot{p}
}

func ceilingRow(c finding.Cell) block.Row {
	m := *sweep.KindMemoryBandwidth.Of(c)
	s := figure.Span{Value: m.Share, Lo: m.Lo, Hi: m.Hi}
	row := block.IntervalRow(s)
	row.Foot = new(0.0)
	share := figure.PercentOf(m.Share, 1) + " %, no interval"
	if s.Bounded() {
		share = figure.PercentRange(*m.Lo, *m.Hi)
	}
	u := figure.ScaleFor("B/s", m.Traffic, m.Ceiling)
	row.Figure = share + " of " + u.Text(m.Ceiling, figure.Digits)
	row.Tip = strings.Join(figure.NonEmpty(fmt.Sprintf("%s of traffic are %s of %s", u.Text(m.Traffic, figure.Digits), share, u.Text(m.Ceiling, figure.Digits)), m.Of), ", ")
	return row
}

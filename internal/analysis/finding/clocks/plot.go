package clocks

import (
	"fmt"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// plots draws the clock of every trial of the cells that ran at different clocks: a row for each side, so that a clock
// that falls or jumps within a side is seen too.
func plots(v *finding.PairView) []block.Block {
	cells := byThat(KindClocks.All(v), Clocks.differs)
	if len(cells) == 0 {
		return nil
	}
	var values []float64
	p := block.Plot{ID: v.ID + "-clocks", Title: "CPU clock of each run", Axis: "mean clock of a run, GHz",
		Unit: figure.Scale{Factor: 1e3}}
	for _, c := range cells {
		where := finding.Placed(c.Workload, c.Wording.Of(c.Params), c.Load, "")
		p.Rows = append(p.Rows, rowOf(c.A, where+": "+v.LabelA, 0), rowOf(c.B, where+": "+v.LabelB, 1))
		values = append(append(values, c.A.Trials...), c.B.Trials...)
	}
	for _, r := range p.Rows {
		values = append(values, r.Span.Values()...)
	}
	p.Scale, _ = figure.NewAxis(values)
	p.Desc = block.DescribeRows(p.Rows)
	return []block.Block{p}
}

func rowOf(s SideClock, label string, series int) block.Row {
	row := block.IntervalRow(estimate.Of(s.Trials))
	row.Label, row.Series, row.Figure = label, series, gigahertz(s.MHz)+" by "+s.Source
	for i, mhz := range s.Trials {
		row.Dots = append(row.Dots, block.Dot{Value: mhz, Nth: i, Text: fmt.Sprintf("run %d: %s", i+1, gigahertz(mhz))})
	}
	return row
}

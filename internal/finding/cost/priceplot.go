package cost

import (
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

// worth is what a vCPU, a core, a dollar or a joule carries on one machine.
type worth struct {
	cell     finding.Cell
	per      string
	unit     string
	span     figure.Span
	estimate bool
}

// worthPlots draws what each machine's vCPU, core, dollar and joule carry, a
// plot for each of them and workload, at loads that fill the machine.
func worthPlots(v *finding.View) []block.Plot {
	var all []worth
	for _, c := range v.Cells {
		if b, ok := v.Bases[c.Machine]; ok && HasWorth(c.Metric, c.Primary) && c.N > 0 && c.Better == record.Higher && Fills(c.Load, &b) {
			all = append(all, worths(c, b)...)
		}
	}
	var out []block.Plot
	for _, group := range finding.GroupBy(all, func(w worth) string { return w.per + "\x00" + w.unit }) {
		if alone := worthMachines(group) == 1; alone && (group[0].per == "vcpu" || group[0].per == "core") {
			continue // says nothing that the machine's own figure does not
		}
		name := v.ID + "-" + group[0].per
		if !group[0].cell.Primary {
			name += "-" + group[0].cell.Metric
		}
		out = append(out, worthPlot(name, group, v.Machines))
	}
	return out
}

func worthMachines(all []worth) int {
	var cells []finding.Cell
	for _, w := range all {
		cells = append(cells, w.cell)
	}
	return finding.CountMachines(cells)
}

// worths puts a cell in relation to its machine's basis, as a comparison with
// itself does.
func worths(c finding.Cell, b finding.Basis) []worth {
	own := finding.Comparison{Direction: c.Better, Unit: c.Unit, A: c.Value, B: c.Value, Ratio: 1}
	var out []worth
	for _, s := range PerBasis(own, b, b, 0, false) {
		if !c.Primary && s.Per != "dollar" {
			continue
		}
		by := s.A / c.Value
		out = append(out, worth{c, s.Per, figure.UnitOf(c.Workload, s.Unit), figure.Span{Value: s.A, Lo: scaledBy(c.Lo, by), Hi: scaledBy(c.Hi, by)}, s.Estimate})
	}
	return out
}

func scaledBy(v *float64, by float64) *float64 {
	if v == nil {
		return nil
	}
	w := *v * by
	return &w
}

func worthPlot(id string, all []worth, machines []string) block.Plot {
	var values []float64
	var cells []finding.Cell
	for _, w := range all {
		values, cells = append(values, w.span.Values()...), append(cells, w.cell)
	}
	a := block.BarAxis(values)
	u := figure.ScaleFor(all[0].unit, values...)
	split := finding.SplitOf(finding.ParamsOf(cells))
	what := strings.TrimPrefix(figure.PerUnit(all[0].per), " ")
	p := block.Plot{
		ID: id, Title: cells[0].Workload + ", " + cells[0].Metric + " " + what, Whiskers: true, Scale: a, Unit: u,
		Axis: strings.Join(figure.NonEmpty(u.Unit, "at loads that fill the machine", guessText(all)), ", "),
	}
	for _, w := range all {
		row := block.IntervalRow(w.span)
		row.Foot = new(0.0)
		row.Label = finding.Place(w.cell, split, len(machines) > 1)
		row.Series = block.IndexOf(machines, w.cell.Machine) % block.SeriesColours
		row.Guess = w.estimate
		row.Figure = figure.SpanText(w.span, u)
		if w.estimate {
			row.Figure += ", estimate"
		}
		p.Rows = append(p.Rows, row)
	}
	p.Desc = block.DescribeRows(p.Rows)
	return p
}

// guessText explains a pale bar where there is one.
func guessText(all []worth) string {
	for _, w := range all {
		if w.estimate {
			return "pale: from power that was not measured"
		}
	}
	return ""
}

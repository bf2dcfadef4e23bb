package cost

import (
	"cmp"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// worth is the throughput of one machine, whole or per vCPU, core, dollar or joule.
type worth struct {
	cell    finding.Cell
	per     string // wholeMachine, "vcpu", "core", "dollar", "watt"
	unit    string
	figure  estimate.Estimate
	guessed bool // from power that was not measured
}

// worthCharts draws the throughput of the machines, whole and per vCPU, core, dollar and joule, at loads that fill
// them: over the sizes of their families where there are several, else a plot with a bar for each machine and load.
func worthCharts(v *finding.View) (charts []block.Chart, plots []block.Plot) {
	var all []worth
	for _, c := range v.Cells {
		if b, ok := v.Bases[c.Machine]; ok && HasWorth(c.Metric, c.Primary) && c.N > 0 && c.Better == record.Higher &&
			Fills(c.Load, &b) {
			all = append(append(all, worth{c, wholeMachine, c.Unit, c.Estimate, false}), perUnitOf(c, b)...)
		}
	}
	for _, group := range finding.GroupBy(all, func(w worth) string { return w.per + "\x00" + w.unit }) {
		name := v.ID + "-" + group[0].per
		if !group[0].cell.Primary {
			name += "-" + group[0].cell.Metric
		}
		sizes := sizeCharts(v, name, group)
		charts = append(charts, sizes...)
		alone := worthMachines(group) == 1 && (group[0].per == "vcpu" || group[0].per == "core") // its own figure
		if len(sizes) == 0 && group[0].per != wholeMachine && !alone {
			plots = append(plots, worthPlot(name, group, v.Machines))
		}
	}
	return charts, plots
}

// wholeMachine is what the figure of a whole machine is of, as comparisons have it.
const wholeMachine = finding.PerMachine

func worthMachines(all []worth) int {
	seen := map[string]bool{}
	for i := range all {
		seen[all[i].cell.Machine] = true
	}
	return len(seen)
}

// perUnitOf returns the figures of a cell per unit of its machine's basis. Figures per dollar exist for every metric
// with a price-performance, the others are of the primary metric only.
func perUnitOf(c finding.Cell, b finding.Basis) []worth {
	own := finding.Comparison{Direction: c.Better, Unit: c.Unit, A: c.Value, B: c.Value, Ratio: 1}
	var out []worth
	for _, s := range PerBasis(own, b, b, 0, false) {
		if c.Primary || s.Per == "dollar" {
			scaled := c.Scale(s.A / c.Value)
			scaled.Value = s.A // exactly, as the comparison has it
			out = append(out, worth{c, s.Per, s.Unit, scaled, s.Estimate})
		}
	}
	return out
}

// mostBars is the number of bars up to which a plot has one for each load.
const mostBars = 24

// bestOfMachines returns the best figure of each machine, the best machine first.
func bestOfMachines(all []worth) []worth {
	var out []worth
	for _, of := range finding.GroupBy(all, func(w worth) string { return w.cell.Machine }) {
		out = append(out, slices.MaxFunc(of, func(a, b worth) int { return cmp.Compare(a.figure.Value, b.figure.Value) }))
	}
	slices.SortStableFunc(out, func(a, b worth) int { return cmp.Compare(b.figure.Value, a.figure.Value) })
	return out
}

// worthPlot draws a bar for each machine and load. If there are many, it draws the best load of each machine.
func worthPlot(id string, all []worth, machines []string) block.Plot {
	best := ""
	if len(all) > mostBars && worthMachines(all) > 1 {
		all, best = bestOfMachines(all), ", at the best load of each machine"
	}
	var values []float64
	var cells []finding.Cell
	for _, w := range all {
		values, cells = append(values, w.figure.Values()...), append(cells, w.cell)
	}
	a := block.BarAxis(values)
	u := figure.ScaleFor(figure.UnitOf(all[0].cell.Workload, all[0].unit), values...)
	split := finding.SplitOf(finding.ParamsOf(cells))
	what := strings.TrimPrefix(figure.PerUnit(all[0].per), " ")
	p := block.Plot{
		ID: id, Title: cells[0].Workload + ", " + cells[0].Metric + " " + what + best, Whiskers: true, Scale: a, Unit: u,
		Axis: strings.Join(figure.NonEmpty(u.Unit, "at loads that saturate the machine", guessText(all)), ", "),
	}
	for _, w := range all {
		row := block.IntervalRow(w.figure)
		row.Foot = new(0.0)
		row.Label = finding.Place(w.cell, split, len(machines) > 1)
		row.Series = block.IndexOf(machines, w.cell.Machine) % block.SeriesColours
		row.Guess = w.guessed
		row.Figure = figure.SpanText(w.figure, u)
		if w.guessed {
			row.Figure += ", estimate"
		}
		p.Rows = append(p.Rows, row)
	}
	p.Desc = block.DescribeRows(p.Rows)
	return p
}

// guessText explains a pale bar if there is one.
func guessText(all []worth) string {
	for _, w := range all {
		if w.guessed {
			return "pale: from power that was not measured"
		}
	}
	return ""
}

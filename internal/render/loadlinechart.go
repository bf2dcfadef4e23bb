package render

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// lineRoom is how many times the limit of a load line its chart is high. What
// lies above is past the line and would flatten all below.
const lineRoom = 2

// lineCurve is one sweep's line of one statistic.
type lineCurve struct {
	cell judge.Cell
	line judge.LoadLine
}

// loadLineCharts draws the sweeps of load among a workload's cells: latency over what was
// carried, one chart for each statistic, with all machines that measured the same.
func loadLineCharts(id string, cells []judge.Cell, machines []string) []chart {
	split := splitParams(paramsOf(cells))
	var all []lineCurve
	for _, c := range cells {
		for _, s := range statistics(c) {
			all = append(all, lineCurve{c, c.LoadLines[s]})
		}
	}
	var out []chart
	for _, group := range groupBy(all, func(c lineCurve) string {
		return strings.Join([]string{c.line.Statistic, linePlace(c.cell, split, false), c.line.Unit, c.line.Metric}, "\x00")
	}) {
		ch := newLineChart(group, machines)
		ch.ID = fmt.Sprintf("%s-line-%d", id, len(out)+1)
		ch.Title = chartTitle(group[0].cell.Workload, linePlace(group[0].cell, split, false))
		out = append(out, ch)
	}
	return out
}

func newLineChart(curves []lineCurve, machines []string) chart {
	most, top := 0.0, 0.0
	var cells []judge.Cell
	for _, c := range curves {
		cells = append(cells, c.cell)
		for _, p := range c.line.Probes {
			most = math.Max(most, p.Value)
		}
		top = math.Max(top, lineRoom*c.line.Limit)
	}
	ch := chart{Hint: "thin: the latency of the load line; what is far above it, or past the most carried, is cut off"}
	x := scaleFor(curves[0].line.Unit, most)
	ch.X = chartAxis{Name: "carried", Unit: x.Unit, Hi: figure(most * (1 + axisPad) / x.factor)}
	name := record.Latency
	if s := curves[0].line.Statistic; s != name {
		name += " " + s
	}
	var y scale
	ch.Y, y = fromZero(name, "s", top)
	style := newStyler(machines, countMachines(cells) > 1)
	for i, c := range curves {
		look := style.next(c.cell.Machine)
		look.Group, look.Name = i, c.cell.Machine
		ch.Lines = append(ch.Lines, lineLines(c.line, look, x, y, top)...)
	}
	ch.Legend, ch.Desc = legendOf(ch.Lines), describeLines(ch.Lines)
	return ch
}

// lineLines are a sweep's probes as far as they rise and stay below the top, and the
// latency of its line up to where they reach it.
func lineLines(l judge.LoadLine, look chartLine, x, y scale, top float64) []chartLine {
	probes, limit := look, look
	probes.Joined = true
	last := 0.0
	for _, p := range l.Probes {
		if p.Value <= last || p.Latency > top {
			continue
		}
		last = p.Value
		probes.X = append(probes.X, figures(x, &p.Value)...)
		probes.Y = append(probes.Y, figures(y, &p.Latency)...)
		probes.Tips = append(probes.Tips, probeTip(p, l.Unit))
	}
	limit.Name, limit.Shape, limit.Joined, limit.Faint = look.Name+", load line", "", true, true
	limit.X, limit.Y = append([]figure{0}, figures(x, &l.MaxSustained)...), figures(y, &l.Limit, &l.Limit)
	text := "load line"
	if !l.Crossed {
		text = "load line or more"
	}
	limit.Notes = []chartNote{{limit.X[1], limit.Y[1], text}}
	return []chartLine{probes, limit}
}

func probeTip(p judge.LoadProbe, unit string) string {
	text := fmt.Sprintf("%s: %s, %s", loadText(p.Load), Quantity(p.Value, unit), Quantity(p.Latency, "s"))
	if p.CPU != nil {
		text += fmt.Sprintf(", %s %% CPU", fixed(*p.CPU, 1))
	}
	return fmt.Sprintf("%s (n %d)", text, p.N)
}

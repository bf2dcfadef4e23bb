package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/record"
)

// zoneRoom leaves the zones' names free of marks.
const zoneRoom = 1.08

// sizeCharts draws the sweeps of sizes among a workload's cells: one chart for
// each load, the loads of CPUs from one to all.
func sizeCharts(id string, cells []finding.Cell, machines []string) []block.Chart {
	var swept []finding.Cell
	for _, c := range cells {
		if sweep.KindBySize.Of(c) != nil && len(sweep.KindBySize.Of(c).Points) > 1 {
			swept = append(swept, c)
		}
	}
	var out []block.Chart
	for _, group := range groupBy(swept, func(c finding.Cell) string { return c.Load + "\x00" + sweep.KindBySize.Of(c).Param + "\x00" + c.Unit }) {
		out = append(out, newSizeChart(fmt.Sprintf("%s-size-%d", id, len(out)+1), group, machines))
	}
	return out
}

func newSizeChart(id string, cells []finding.Cell, machines []string) block.Chart {
	top := 0.0
	sizes := map[float64]bool{}
	for _, c := range cells {
		for _, p := range sweep.KindBySize.Of(c).Points {
			sizes[p.Size] = true
			top = slices.Max(append(figure.Span{Value: p.Value, Lo: p.Lo, Hi: p.Hi}.Values(), top))
		}
	}
	first := cells[0]
	ch := block.Chart{
		ID: id, Title: first.Workload + ", " + loadTitle(first.Load),
		X:    block.MeasuredAxis(sweep.KindBySize.Of(first).Param, slices.Sorted(maps.Keys(sizes)), sizeLabel),
		Hint: "by " + sweep.KindBySize.Of(first).Param,
	}
	var u figure.Scale
	ch.Y, u = block.FromZero(first.Metric, first.Unit, top*zoneRoom)
	ch.Lines = sizeLines(cells, machines, u)
	ch.Legend = legendOf(ch.Lines)
	ch.Zones = sizeZones(cells, ch.X)
	ch.Desc = describeLines(ch.Lines)
	return ch
}

func sizeLabel(bytes float64) string { return record.FormatSize(int64(bytes)) }

// loadTitle says how much of a machine a load takes.
func loadTitle(load string) string {
	switch load {
	case "1 cpus":
		return "one CPU"
	case "all cpus":
		return "all CPUs"
	}
	return loadText(load)
}

func sizeLines(cells []finding.Cell, machines []string, u figure.Scale) []block.Line {
	split := splitParams(paramsOf(cells))
	several := countMachines(cells) > 1
	style := newStyler(machines, several)
	var out []block.Line
	for _, c := range cells {
		l := style.next(c.Machine)
		l.Name, l.Group, l.Joined = lineName(c, split, several), len(out), true
		for _, p := range sweep.KindBySize.Of(c).Points {
			s := figure.Span{Value: p.Value, Lo: p.Lo, Hi: p.Hi}
			l.Add(p.Size, s, u, strings.Join(figure.NonEmpty(sizeLabel(p.Size)+": "+spanText(s, u), regimeText(p.Regime)), ", "))
			l.Fills = append(l.Fills, fillOf(p.Regime))
		}
		out = append(out, l)
	}
	return out
}

// lineName is what tells a line from the others of its chart.
func lineName(c finding.Cell, split paramSplit, several bool) string {
	params := maps.Clone(c.Params)
	if sweep.KindBySize.Of(c) != nil {
		delete(params, sweep.KindBySize.Of(c).Param)
	}
	delete(params, record.ParamCPUs)
	parts := figure.NonEmpty(split.label(params, ""))
	if several || len(parts) == 0 {
		parts = append([]string{c.Machine}, parts...)
	}
	return strings.Join(parts, ", ")
}

// spanText writes an interval, or that there is none and the estimate.
func spanText(s figure.Span, u figure.Scale) string {
	if s.Bounded() {
		return s.Interval(u)
	}
	return s.Estimate(u) + ", no interval"
}

// regimeText says where a working set lay.
func regimeText(regime string) string {
	switch regime {
	case record.RegimeCache:
		return "in cache"
	case record.RegimeBetween:
		return "between cache and DRAM"
	case record.RegimeDRAM:
		return "in DRAM"
	}
	return ""
}

func knowsRegimes(c finding.Cell) bool {
	return sweep.KindBySize.Of(c) != nil && slices.ContainsFunc(sweep.KindBySize.Of(c).Points, func(p sweep.SizePoint) bool { return p.Regime != "" })
}

func fillOf(regime string) string {
	switch regime {
	case record.RegimeBetween:
		return "half"
	case record.RegimeDRAM:
		return "none"
	}
	return ""
}

// describeLines says in words what a chart's points are.
func describeLines(lines []block.Line) string {
	var out []string
	for _, l := range lines {
		if len(l.Tips) > 0 {
			out = append(out, l.Name+": "+strings.Join(l.Tips, "; "))
		}
	}
	return strings.Join(out, ". ")
}

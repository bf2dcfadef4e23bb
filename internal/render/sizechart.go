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

// sizePanels draws the sweeps of sizes side by side.
func sizePanels(v *finding.View) []block.Section {
	charts := sizeCharts(v)
	if len(charts) == 0 {
		return nil
	}
	key := "Whiskers: interval."
	if slices.ContainsFunc(v.Cells, knowsRegimes) {
		key += " A full mark: the working set fits the caches; a pale one: it lies between; a hollow one: it streams from DRAM."
	}
	return []block.Section{{Class: block.Panels, Blocks: append(finding.Blocks(charts), block.Sentence{Text: key})}}
}

// sizeCharts draws the sweeps of sizes among a workload's cells: one chart for
// each load, the loads of CPUs from one to all.
func sizeCharts(v *finding.View) []block.Chart {
	var swept []finding.Cell
	for _, c := range v.Cells {
		if sweep.KindBySize.Of(c) != nil && len(sweep.KindBySize.Of(c).Points) > 1 {
			swept = append(swept, c)
		}
	}
	var out []block.Chart
	for _, group := range finding.GroupBy(swept, func(c finding.Cell) string { return c.Load + "\x00" + sweep.KindBySize.Of(c).Param + "\x00" + c.Unit }) {
		out = append(out, newSizeChart(fmt.Sprintf("%s-size-%d", v.ID, len(out)+1), group, v.Machines))
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
	ch.Y, u = block.FromZero(first.Metric, first.Unit, top*figure.ZoneRoom)
	ch.Lines = sizeLines(cells, machines, u)
	ch.Legend = block.LegendOf(ch.Lines)
	ch.Zones = sizeZones(cells, ch.X)
	ch.Desc = block.DescribeLines(ch.Lines)
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
	return finding.LoadText(load)
}

func sizeLines(cells []finding.Cell, machines []string, u figure.Scale) []block.Line {
	v := finding.NewView(cells)
	style := block.NewStyler(machines, v.Several)
	var out []block.Line
	for _, c := range cells {
		l := style.Next(c.Machine)
		l.Name, l.Group, l.Joined = lineName(v, c), len(out), true
		for _, p := range sweep.KindBySize.Of(c).Points {
			s := figure.Span{Value: p.Value, Lo: p.Lo, Hi: p.Hi}
			l.Add(p.Size, s, u, strings.Join(figure.NonEmpty(sizeLabel(p.Size)+": "+figure.SpanText(s, u), regimeText(p.Regime)), ", "))
			l.Fills = append(l.Fills, fillOf(p.Regime))
		}
		out = append(out, l)
	}
	return out
}

// lineName is what tells a line from the others of its chart.
func lineName(v *finding.View, c finding.Cell) string {
	params := maps.Clone(c.Params)
	if sweep.KindBySize.Of(c) != nil {
		delete(params, sweep.KindBySize.Of(c).Param)
	}
	delete(params, record.ParamCPUs)
	parts := figure.NonEmpty(v.Split.Label(params, ""))
	if v.Several || len(parts) == 0 {
		parts = append([]string{c.Machine}, parts...)
	}
	return strings.Join(parts, ", ")
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

package sweep

import (
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

// sizePanels draws the sweeps of sizes side by side.
func sizePanels(v *finding.View) []block.Section {
	all := sizeCharts(v)
	if len(all) == 0 {
		return nil
	}
	key := "Whiskers: interval."
	if slices.ContainsFunc(v.Cells, knowsRegimes) {
		key += " Full mark: the working set fits the caches; pale: it is in between; hollow: it streams from DRAM."
	}
	return []block.Section{{Class: block.Panels, Blocks: append(finding.Blocks(all), block.Sentence{Text: key})}}
}

// sizeCharts draws one chart for each load, from one CPU to all of them.
func sizeCharts(v *finding.View) []block.Chart {
	var swept []curve
	for _, c := range v.Cells {
		if s := KindBySize.Of(c); s != nil && len(s.Points) > 1 {
			swept = append(swept, sizeCurve(c, *s))
		}
	}
	return charts{kind: "size", axis: sizeScale, finish: addRegimes}.draw(v, swept)
}

func sizeScale(param string, xs []float64) block.Axis { return block.MeasuredAxis(param, xs, sizeText) }

func sizeCurve(c finding.Cell, s BySize) curve {
	out := curve{Cell: c, param: s.Param, place: loadTitle(c.Load), metric: c.Metric,
		unit: figure.UnitOf(c.Counted(), c.Unit)}
	for _, p := range s.Points {
		y := finding.SpanOf(p.Estimate)
		out.points = append(out.points, point{p.Size, y, func(u figure.Scale) string {
			return figure.Joined(sizeText(p.Size)+": "+figure.SpanText(y, u), regimeText(p.Regime))
		}})
	}
	return out
}

// addRegimes marks the regime of the working set of each point, and the ranges of one regime on every line.
func addRegimes(ch *block.Chart, curves []curve, _ figure.Scale) {
	ch.Hint, ch.Zones = "by "+curves[0].param, sizeZones(curves, ch.X)
	for i, c := range curves {
		for _, p := range KindBySize.Of(c.Cell).Points {
			ch.Lines[i].Fills = append(ch.Lines[i].Fills, fillOf(p.Regime))
		}
	}
}

// loadTitle returns the part of a machine that a load uses.
func loadTitle(load string) string {
	switch load {
	case "1 cpus":
		return "one CPU"
	case "all cpus":
		return "all CPUs"
	}
	return finding.LoadText(load)
}

// regimeText names the location of a working set.
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
	return KindBySize.Of(c) != nil && slices.ContainsFunc(KindBySize.Of(c).Points,
		func(p SizePoint) bool { return p.Regime != "" })
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

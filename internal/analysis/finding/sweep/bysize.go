package sweep

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// minSizes is the least number of sizes for a curve.
const minSizes = 3

// bySizes finds the curves of sizes. A cell with the largest size of several curves gets the one with the most sizes.
func bySizes(in *finding.Input) []finding.Finding {
	most, out := map[trialset.Key]int{}, map[trialset.Key][]finding.Finding{}
	for _, c := range trialset.CurvesAlong(trialset.Valid(in.Swept), trialset.SizeAxes) {
		found, at := bySizeOf(c), c.Last().At()
		if found != nil && len(found.Points) > most[at] {
			most[at], out[at] = len(found.Points), KindBySize.New(found, c.Scope()...)
		}
	}
	return slices.Concat(slices.Collect(maps.Values(out))...)
}

// bySizeOf returns nil if there are too few sizes, or no rate that is positive at each of them.
func bySizeOf(c trialset.Curve) *BySize {
	if len(c.Points) < minSizes {
		return nil
	}
	metric := RateOf(c.Last().Trials)
	over := c.Last().Over(c.First(), metric)
	logs, ok := c.Logs(metric)
	if over == nil || !ok {
		return nil
	}
	out := &BySize{Param: c.Param, Last: *over, Spread: estimate.Spread(logs)}
	for _, p := range c.Points {
		out.Points = append(out.Points, SizePoint{p.X, p.Estimate(metric), trialset.Common(p.Trials, record.KeyRegime)})
	}
	return out
}

// showBySizes states each sweep of sizes, and draws them side by side.
func showBySizes(v *finding.View) []block.Block {
	return append(finding.SentencesEach(KindBySize, bySizeSentence)(v), finding.Blocks(sizePanels(v))...)
}

func bySizeSentence(v *finding.View, c finding.Cell, s BySize) []block.Sentence {
	return []block.Sentence{{Lead: "by size", Tone: block.Strong, Text: v.Along(c, s.Param) + bySizeText(s)}}
}

// bySizeText compares the largest size with the smallest, and the lowest figure with the highest.
func bySizeText(s BySize) string {
	byValue := func(a, b SizePoint) int { return cmp.Compare(a.Value, b.Value) }
	low, high := slices.MinFunc(s.Points, byValue), slices.MaxFunc(s.Points, byValue)
	over := figure.Claim{
		Subject: s.Param + "=" + sizeText(s.Points[len(s.Points)-1].Size), Object: sizeText(s.Points[0].Size),
		Direction: record.Higher,
	}
	if !s.Last.Bounded() || !s.Spread.Bounded() {
		return fmt.Sprintf("%s; by estimate %s", figure.NoInterval(),
			over.Headline(figure.Observed, s.Last.Value, s.Last.Value))
	}
	return fmt.Sprintf("%s; the lowest, %s, reaches %s of the highest, %s",
		over.Headline(figure.Proved, *s.Last.Lo, *s.Last.Hi), sizeText(low.Size), finding.ShareText(capped(s.Spread)),
		sizeText(high.Size))
}

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
		y := p.Estimate
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

// sizeZones returns the ranges of sizes whose working set has one regime on every line. Caches differ, and so do the
// ranges: if the lines disagree there is no zone, only the marks.
func sizeZones(curves []curve, x block.Axis) []block.Zone {
	regimes := map[block.Number]string{}
	for _, c := range curves {
		for _, p := range KindBySize.Of(c.Cell).Points {
			at := block.Number(p.Size)
			if before, known := regimes[at]; known && before != p.Regime {
				regimes[at] = ""
				continue
			}
			regimes[at] = p.Regime
		}
	}
	var out []block.Zone
	for i, t := range x.Ticks {
		regime := regimes[t.At]
		if regime == "" {
			continue
		}
		from, to := border(x, i-1), border(x, i)
		if n := len(out); n > 0 && out[n-1].Kind == regime && out[n-1].To == from {
			out[n-1].To = to
			continue
		}
		out = append(out, block.Zone{From: from, To: to, Kind: regime, Text: zoneText(regime)})
	}
	return out
}

// border returns the place half way between a tick and the next one, or the axis' end.
func border(x block.Axis, i int) block.Number {
	switch {
	case i < 0:
		return x.Lo
	case i+1 >= len(x.Ticks):
		return x.Hi
	}
	return block.Number(math.Sqrt(float64(x.Ticks[i].At) * float64(x.Ticks[i+1].At)))
}

// zoneText returns a short name, for a zone may be narrow.
func zoneText(regime string) string {
	switch regime {
	case record.RegimeCache:
		return "cache"
	case record.RegimeBetween:
		return "between"
	}
	return "DRAM"
}

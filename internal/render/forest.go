package render

import (
	"fmt"
	"slices"

	"plimsoll/internal/judge"
)

// forestPlot draws the ratios of whole machines in a pair's primary comparisons, with the band
// within which the sides count as equivalent: from 1/(1+margin) to 1+margin.
// A margin of 0 draws none. The second result is false without a ratio.
func forestPlot(id string, p judge.Pair, margin float64) (plot, bool) {
	primary := slices.DeleteFunc(primaryComparisons(p.Verdicts), func(c judge.Comparison) bool { return perUnit(c.Per) != "" })
	if len(primary) == 0 {
		return plot{}, false
	}
	values := []float64{1 / (1 + margin), 1, 1 + margin}
	for _, c := range primary {
		values = append(values, span{c.Ratio, c.Lo, c.Hi}.values()...)
	}
	a, _ := newAxis(values)
	a1, b1 := side(p, p.A), side(p, p.B)
	out := plot{
		ID: id, Whiskers: true, Title: "ratio of " + b1 + " to " + a1, Ticks: a.marks(scale{factor: 1}),
		Axis: fmt.Sprintf("%s / %s", b1, a1), One: svgPercent(a.at(1)),
	}
	if margin > 0 {
		from, to := a.at(1/(1+margin)), a.at(1+margin)
		out.BandX, out.BandW = svgPercent(from), svgPercent(to-from)
		out.Axis += ", band: equivalent within " + percent(margin, 1) + " %"
	}
	if a.log {
		out.Axis += ", logarithmic"
	}
	out.Rows = forestRows(primary, a, a1, b1)
	out.Desc = describeRows(out.Rows)
	return out, true
}

func primaryComparisons(all []judge.Comparison) []judge.Comparison {
	var out []judge.Comparison
	for _, c := range all {
		if (c.Primary || c.Verdict != "") && rated(c) {
			out = append(out, c)
		}
	}
	return out
}

func forestRows(cs []judge.Comparison, a axis, a1, b1 string) []plotRow {
	splits := map[string]paramSplit{}
	for _, group := range groupBy(cs, func(c judge.Comparison) string { return c.Workload }) {
		splits[group[0].Workload] = splitParams(comparedParams(group))
	}
	var rows []plotRow
	for i, c := range cs {
		row := intervalRow(span{c.Ratio, c.Lo, c.Hi}, a)
		row.Top = i * rowHeight
		row.Label = whatText(c, splits[c.Workload])
		row.Figure = changeCell(c).Text + ", " + verdictCell(c, a1, b1).Text
		rows = append(rows, row)
	}
	return rows
}

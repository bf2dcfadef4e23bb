package render

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/judge"
	coded "plimsoll/internal/note"
)

// valuePlot draws what a vCPU, a core, a dollar and a joule carry on b against a,
// at loads that fill both machines. The second result is false without a figure.
func valuePlot(id string, p judge.Pair) (plot, bool) {
	var cs []judge.Comparison
	values := []float64{1}
	for _, c := range primaryComparisons(worthSaying(p)) {
		if perUnit(c.Per) != "" && !idle(c) && judge.Fills(c.Load, p.BasisA) && judge.Fills(c.Load, p.BasisB) {
			cs = append(cs, c)
			values = append(values, span{c.Ratio, c.Lo, c.Hi}.values()...)
		}
	}
	if len(cs) == 0 {
		return plot{}, false
	}
	a, _ := newAxis(values)
	a1, b1 := side(p, p.A), side(p, p.B)
	out := plot{
		ID: id, Title: fmt.Sprintf("what a vCPU, a core, a dollar and a joule carry: %s against %s", b1, a1), Whiskers: true,
		Ticks: a.marks(scale{factor: 1}), Axis: fmt.Sprintf("%s / %s, at loads that fill both; pale: an estimate", b1, a1), One: svgPercent(a.at(1)),
	}
	if a.log {
		out.Axis += ", logarithmic"
	}
	slices.SortStableFunc(cs, func(x, y judge.Comparison) int { return basisOrder(x.Per) - basisOrder(y.Per) })
	out.Rows = valueRows(cs, a, a1, b1)
	out.Desc = describeRows(out.Rows)
	return out, true
}

func valueRows(cs []judge.Comparison, a axis, a1, b1 string) []plotRow {
	splits := map[string]paramSplit{}
	for _, group := range groupBy(cs, func(c judge.Comparison) string { return c.Workload }) {
		splits[group[0].Workload] = splitParams(comparedParams(group))
	}
	var rows []plotRow
	for i, c := range cs {
		row := intervalRow(span{c.Ratio, c.Lo, c.Hi}, a)
		row.bar(a, 1, c.Ratio)
		row.Top = i * rowHeight
		row.Guess = c.Estimate
		row.Label = strings.TrimSpace(perUnit(c.Per)) + ": " + whatText(c, splits[c.Workload])
		verdict := verdictCell(c, a1, b1).Text
		if c.Estimate {
			verdict = "estimate"
		}
		row.Figure = strings.Join(nonEmpty(changeCell(c).Text, verdict), ", ")
		u := scaleFor(c.Unit, c.A, c.B)
		row.Tip = strings.Join(append([]string{fmt.Sprintf("%s: %s, %s: %s", b1, u.text(c.B, fineDigits), a1, u.text(c.A, fineDigits))}, coded.Texts(c.Flags)...), "; ")
		rows = append(rows, row)
	}
	return rows
}

// basisOrder is the order in which figures per something are told.
func basisOrder(per string) int { return slices.Index([]string{"vcpu", "core", "dollar", "watt"}, per) }

package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/judge"
)

// ceilingPlot draws how much of its machine's memory bandwidth each cell took.
// The second result is false where none is known.
func ceilingPlot(id string, cells []judge.Cell, machines []string) (plot, bool) {
	var known []judge.Cell
	values := []float64{1}
	for _, c := range cells {
		if m := c.OfMemory; m != nil && isFinite(m.Share) {
			known = append(known, c)
			values = append(values, span{m.Share, m.Lo, m.Hi}.values()...)
		}
	}
	if len(known) == 0 {
		return plot{}, false
	}
	a := barAxis(values)
	u := scale{.01, "%"}
	p := plot{
		ID: id, Title: known[0].Workload + ", share of the memory's bandwidth", Whiskers: true, Ticks: a.marks(u),
		Axis: "memory traffic, % of the most that was moved at the same load; dashed: all of it", One: svgPercent(a.at(1)),
	}
	split := splitParams(paramsOf(known))
	for _, c := range sideBySide(known, split) {
		row := ceilingRow(c, a)
		row.Top = len(p.Rows) * rowHeight
		row.Label = place(c, split, len(machines) > 1)
		row.Series = indexOf(machines, c.Machine) % seriesColours
		p.Rows = append(p.Rows, row)
	}
	p.Desc = describeRows(p.Rows)
	return p, true
}

func ceilingRow(c judge.Cell, a axis) plotRow {
	m := *c.OfMemory
	s := span{m.Share, m.Lo, m.Hi}
	row := intervalRow(s, a)
	row.bar(a, 0, m.Share)
	share := percent(m.Share, 1) + " %, no interval"
	if s.bounded() {
		share = percentRange(*m.Lo, *m.Hi)
	}
	u := scaleFor("B/s", m.Traffic, m.Ceiling)
	row.Figure = share + " of " + u.text(m.Ceiling, digits)
	row.Tip = strings.Join(nonEmpty(fmt.Sprintf("%s of traffic are %s of %s", u.text(m.Traffic, digits), share, u.text(m.Ceiling, digits)), m.Of), ", ")
	return row
}

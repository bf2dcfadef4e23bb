package sweep

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// curve is the sweep of a cell as a chart draws it.
type curve struct {
	finding.Cell
	param        string // the swept parameter, on the chart's horizontal axis
	place        string // shared by the curves of a chart; in its title
	metric, unit string
	points       []point
	use          *CPUUse // of a chart over the CPU use
	apart        bool    // a line through its points would show another course
	note         string  // behind the line's name; "" for none
	top          float64 // highest value that the chart must include, besides the points
}

type point struct {
	x   float64
	y   figure.Estimate
	tip func(figure.Scale) string
}

// charts is one kind of charts of sweeps: one for all curves of the same place, with every point and its interval.
type charts struct {
	kind   string                                                // in the charts' IDs
	hint   string                                                // for their reader
	axis   func(param string, xs []float64) block.Axis           // for the measured values, ascending
	bare   bool                                                  // without a line through the points
	finish func(ch *block.Chart, curves []curve, u figure.Scale) // adds to a chart; nil for nothing
}

// draw returns the charts of the curves among the cells of a view.
func (k charts) draw(v *finding.View, curves []curve) []block.Chart {
	var out []block.Chart
	for _, group := range finding.GroupBy(curves, func(c curve) string {
		return strings.Join([]string{c.place, c.param, c.unit}, "\x00")
	}) {
		ch := k.chart(group, v.Machines)
		ch.ID = fmt.Sprintf("%s-%s-%d", v.ID, k.kind, len(out)+1)
		out = append(out, ch)
	}
	return out
}

func (k charts) chart(curves []curve, machines []string) block.Chart {
	first, top := curves[0], 0.0
	var cells []finding.Cell
	xs := map[float64]bool{}
	for _, c := range curves {
		cells, top = append(cells, c.Cell), math.Max(top, c.top)
		for _, p := range c.points {
			xs[p.x], top = true, slices.Max(append(p.y.Values(), top))
		}
	}
	ch := block.Chart{Title: figure.ChartTitle(first.Workload, first.place),
		X: k.axis(first.param, slices.Sorted(maps.Keys(xs))), Hint: k.hint}
	var u figure.Scale
	ch.Y, u = block.FromZero(first.metric, first.unit, top*figure.ZoneRoom)
	v := finding.NewView(cells)
	style := block.NewStyler(machines, v.Several)
	for i, c := range curves {
		l := style.Next(c.Machine)
		l.Name, l.Group, l.Joined = lineName(v, c), i, !k.bare
		for _, p := range c.points {
			l.Add(p.x, p.y, u, p.tip(u))
		}
		ch.Lines = append(ch.Lines, l)
	}
	ch.Legend, ch.Desc = block.LegendOf(ch.Lines), block.DescribeLines(ch.Lines)
	if k.finish != nil {
		k.finish(&ch, curves, u)
	}
	return ch
}

// lineName distinguishes a line from the others of its chart.
func lineName(v *finding.View, c curve) string {
	params := trialset.Without(c.Shown(), c.param, finding.LoadParam(c.Cell))
	parts := figure.NonEmpty(v.Split.Label(params, ""))
	if v.Several || len(parts) == 0 {
		parts = append([]string{c.Machine}, parts...)
	}
	return figure.Joined(append(parts, c.note)...)
}

// changes formats a ratio's interval as changes.
func changes(ratio estimate.Estimate) string {
	return figure.PercentSpan(ratio.Ends())
}

func sizeText(bytes float64) string { return record.FormatSize(int64(bytes)) }

// curvesOf returns a curve of each finding of a kind about a primary metric.
func curvesOf[T any](v *finding.View, kind finding.Kind[T], of func(*finding.View, finding.Cell, T) curve) []curve {
	var out []curve
	for _, c := range v.Cells {
		if !c.Primary {
			continue
		}
		for _, body := range kind.All(c) {
			out = append(out, of(v, c, body))
		}
	}
	return out
}

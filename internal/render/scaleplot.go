package render

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/judge"
)

// The measures of a scaling plot, in CSS pixels; places along the CPUs are
// percentages.
const (
	scaleHeight   = 240
	scaleSegments = 48 // of a drawn curve
	idealRoom     = 2  // how many times the highest point the ideal line may raise the plot
)

// scalePlot draws throughput against CPUs: every point with its interval, the
// fitted curve as far as was measured, and the line on which each CPU carries
// as much as one does on the curve.
type scalePlot struct {
	ID, Title, Desc string
	Axis            string
	Ticks           []tick
	Rows            []scaleRow
	Sweeps          []scaleSweep
}

type scaleRow struct {
	Y    float64
	Text string
}

// LabelY is the baseline of a row's figure, above its line.
func (r scaleRow) LabelY() float64 { return r.Y - 3 }

type scaleSweep struct {
	Series int
	Ideal  stroke
	Curve  []stroke
	Points []scalePoint
}

type stroke struct {
	X1, X2 string
	Y1, Y2 float64
}

type scalePoint struct {
	X              string
	Y, Top, Bottom float64
	Text           string
}

// Base is the height of the axis.
func (p scalePlot) Base() int { return scaleHeight }

// TickY is the baseline of the ticks' labels.
func (p scalePlot) TickY() int { return scaleHeight + 15 }

// AxisY is the baseline of the axis' name.
func (p scalePlot) AxisY() int { return scaleHeight + 33 }

// Height is that of the whole drawing.
func (p scalePlot) Height() int { return scaleHeight + axisHeight }

// scalePlots draws the sweeps among a workload's cells, those of all machines that
// measured the same into one plot.
func scalePlots(id string, cells []judge.Cell, machines []string) []scalePlot {
	var swept []judge.Cell
	for _, c := range cells {
		if c.Scaling != nil {
			swept = append(swept, c)
		}
	}
	split := splitParams(paramsOf(cells))
	var out []scalePlot
	for _, group := range groupBy(swept, func(c judge.Cell) string { return sweepPlace(c, split, false) + c.Unit }) {
		title := strings.TrimSuffix(group[0].Workload+", "+sweepPlace(group[0], split, false), ": ")
		p := newScalePlot(group, machines)
		p.ID, p.Title = fmt.Sprintf("%s-scaling-%d", id, len(out)+1), strings.TrimSuffix(title, ", ")
		out = append(out, p)
	}
	return out
}

func newScalePlot(cells []judge.Cell, machines []string) scalePlot {
	most, top := 0, 0.0
	for _, c := range cells {
		most, top = max(most, c.Scaling.MaxCPUs), math.Max(top, topOf(*c.Scaling))
	}
	x, y := axis{hi: float64(most) * (1 + axisPad)}, axis{hi: top * (1 + axisPad)}
	u := scaleFor(cells[0].Unit, top)
	p := scalePlot{Ticks: x.marks(scale{factor: 1}), Axis: strings.Join(nonEmpty(cells[0].Metric, u.Unit), ", ") + " against CPUs"}
	for _, v := range y.ticks(u)[1:] {
		p.Rows = append(p.Rows, scaleRow{Y: up(y, v), Text: tickText(v/u.factor, y.ticks(u), u)})
	}
	var said []string
	for _, c := range cells {
		p.Sweeps = append(p.Sweeps, scaleSweepOf(c, indexOf(machines, c.Machine)%seriesColours, x, y, u))
		said = append(said, c.Machine+": "+scalingText(c))
	}
	p.Desc = strings.Join(said, "; ")
	return p
}

// topOf is what a sweep's plot must hold. An ideal far above what was measured
// is cut off, so that the points can still be told apart.
func topOf(s judge.Scaling) float64 {
	return math.Max(s.Peak.Hi, math.Min(s.Ideal(float64(s.MaxCPUs)), idealRoom*s.Peak.Hi))
}

func scaleSweepOf(c judge.Cell, series int, x, y axis, u scale) scaleSweep {
	s := *c.Scaling
	most := float64(s.MaxCPUs)
	end := math.Min(most, y.hi/s.Ideal(1))
	out := scaleSweep{Series: series, Ideal: strokeOf(x, y, 0, 0, end, s.Ideal(end))}
	first := float64(s.Points[0].CPUs)
	for i := range scaleSegments {
		from := first + (most-first)*float64(i)/scaleSegments
		to := first + (most-first)*float64(i+1)/scaleSegments
		out.Curve = append(out.Curve, strokeOf(x, y, from, s.At(from), to, s.At(to)))
	}
	for _, p := range s.Points {
		out.Points = append(out.Points, scalePoint{
			X: svgPercent(x.at(float64(p.CPUs))), Y: up(y, p.Value), Top: up(y, p.Hi), Bottom: up(y, p.Lo),
			Text: fmt.Sprintf("%s, %s: %s (n %d)", c.Machine, loadText(fmt.Sprintf("%d CPUs", p.CPUs)), span{p.Value, &p.Lo, &p.Hi}.interval(u), p.N),
		})
	}
	return out
}

func strokeOf(x, y axis, x1, y1, x2, y2 float64) stroke {
	return stroke{X1: svgPercent(x.at(x1)), Y1: up(y, y1), X2: svgPercent(x.at(x2)), Y2: up(y, y2)}
}

// up is the height of a value, from the top.
func up(y axis, v float64) float64 { return math.Round(10*scaleHeight*(1-y.at(v))) / 10 }

package render

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/sweep"
)

const (
	curvePoints = 49 // of a drawn curve
	idealRoom   = 2  // how many times the highest point the ideal line may raise the chart
)

// scaleCharts draws the sweeps of CPUs among a workload's cells, those of all
// machines that measured the same into one chart: every point with its interval,
// the fitted curve as far as was measured, and the line on which each CPU
// carries as much as one does on the curve.
func scaleCharts(v *finding.View) []block.Chart {
	var swept []finding.Cell
	for _, c := range v.Cells {
		if sweep.KindScaling.Of(c) != nil && sweep.KindScaling.Of(c).Runs == 0 {
			swept = append(swept, c)
		}
	}
	var out []block.Chart
	for _, group := range finding.GroupBy(swept, func(c finding.Cell) string { return v.Alone().Sweep(c) + sweep.KindScaling.Of(c).Unit }) {
		ch := newScaleChart(group, v.Machines)
		ch.ID = fmt.Sprintf("%s-scaling-%d", v.ID, len(out)+1)
		ch.Title = figure.ChartTitle(group[0].Workload, v.Alone().Sweep(group[0]))
		out = append(out, ch)
	}
	return out
}

func newScaleChart(cells []finding.Cell, machines []string) block.Chart {
	most, top := 0, 0.0
	for _, c := range cells {
		most, top = max(most, sweep.KindScaling.Of(c).MaxCPUs), math.Max(top, topOf(*sweep.KindScaling.Of(c)))
	}
	ch := block.Chart{
		X:    block.Axis{Name: "CPUs", Hi: block.Number(float64(most) * (1 + figure.AxisPad)), Whole: true},
		Hint: "thin and dashed: each CPU carries as much as one; whiskers: interval",
	}
	var u figure.Scale
	ch.Y, u = block.FromZero(sweep.KindScaling.Of(cells[0]).Metric, sweep.KindScaling.Of(cells[0]).Unit, top)
	style := block.NewStyler(machines, finding.CountMachines(cells) > 1)
	var said []string
	for i, c := range cells {
		look := style.Next(c.Machine)
		look.Group = i
		ch.Lines = append(ch.Lines, scaleLines(c, look, u, float64(ch.Y.Hi)*u.Factor)...)
		said = append(said, c.Machine+": "+scalingText(c))
	}
	ch.Legend = block.LegendOf(ch.Lines)
	for i, c := range cells {
		ch.Legend[i].Name += ", curve: " + modelName(sweep.KindScaling.Of(c).Model)
		ch.Legend[i].Joined = true
	}
	ch.Desc = strings.Join(said, "; ")
	return ch
}

// topOf is what a sweep's chart must hold. An ideal far above what was measured
// is cut off, so that the points can still be told apart.
func topOf(s sweep.Scaling) float64 {
	top := s.Peak.Hi
	for _, p := range s.Points {
		top = math.Max(top, p.Hi)
	}
	return math.Max(top, math.Min(s.Ideal(float64(s.MaxCPUs)), idealRoom*s.Peak.Hi))
}

// scaleLines are a sweep's points, its curve and its ideal, cut at the top.
func scaleLines(c finding.Cell, look block.Line, u figure.Scale, top float64) []block.Line {
	s := *sweep.KindScaling.Of(c)
	points, curve, ideal := look, look, look
	points.Name = c.Machine
	for _, p := range s.Points {
		points.Add(float64(p.CPUs), figure.Span{Value: p.Value, Lo: &p.Lo, Hi: &p.Hi}, u, pointTip(p, u))
	}
	points.Notes = scaleNotes(s, u)
	curve.Name, curve.Shape, curve.Joined = c.Machine+", curve", "", true
	first, last := float64(s.Points[0].CPUs), float64(s.MaxCPUs)
	for i := range curvePoints {
		n := first + (last-first)*float64(i)/(curvePoints-1)
		y := s.At(n)
		curve.X, curve.Y = append(curve.X, block.Number(n)), append(curve.Y, block.Numbers(u, &y)...)
	}
	ideal.Name, ideal.Shape, ideal.Joined, ideal.Faint = c.Machine+", ideal", "", true, true
	end := math.Min(last, top/s.Ideal(1))
	y := s.Ideal(end)
	ideal.X, ideal.Y = []block.Number{0, block.Number(end)}, append(block.Numbers(u, new(float64)), block.Numbers(u, &y)...)
	return []block.Line{points, curve, ideal}
}

func pointTip(p sweep.Peak, u figure.Scale) string {
	text := fmt.Sprintf("%s: %s", finding.LoadText(fmt.Sprintf("%d CPUs", p.CPUs)), figure.Span{Value: p.Value, Lo: &p.Lo, Hi: &p.Hi}.Interval(u))
	if e := p.Efficiency; e != nil && p.CPUs > 1 {
		text += fmt.Sprintf(", each CPU %s of one alone", figure.PercentRange(*e.Lo, *e.Hi))
	}
	return fmt.Sprintf("%s (n %d)", text, p.N)
}

// scaleNotes mark where a sweep peaks and how far it is linear.
func scaleNotes(s sweep.Scaling, u figure.Scale) []block.Word {
	words := map[int][]string{}
	if s.LinearTo != nil && *s.LinearTo > 1 {
		words[*s.LinearTo] = append(words[*s.LinearTo], "linear to here")
	}
	words[s.Peak.CPUs] = append(words[s.Peak.CPUs], "peak")
	var out []block.Word
	for _, p := range s.Points {
		if len(words[p.CPUs]) > 0 {
			out = append(out, block.Word{X: block.Number(p.CPUs), Y: block.Numbers(u, &p.Value)[0], Text: strings.Join(words[p.CPUs], ", ")})
			delete(words, p.CPUs)
		}
	}
	return out
}

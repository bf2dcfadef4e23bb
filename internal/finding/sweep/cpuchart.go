package sweep

import (
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
)

// leastApart separates points of equal CPU use, in %: a line of the page has one point at a place.
const leastApart = .002

// cpuCharts draws figures over the CPU use, with the line that they would follow if they were linear.
func cpuCharts(v *finding.View) []block.Block {
	var swept []curve
	for _, c := range v.Cells {
		if !c.Primary {
			continue
		}
		for _, u := range KindCPUUse.All(c) {
			swept = append(swept, cpuCurve(v, c, u))
		}
	}
	return finding.Blocks(charts{kind: "cpu", axis: cpuUseScale, bare: true, finish: addLinear}.draw(v, swept))
}

func cpuUseScale(_ string, xs []float64) block.Axis {
	return block.Axis{Name: "CPU use", Unit: "%", Hi: block.Number(math.Max(100, xs[len(xs)-1]) * (1 + figure.AxisPad))}
}

// cpuCurve leaves room for the linear line, like scaleCurve.
func cpuCurve(v *finding.View, c finding.Cell, u CPUUse) curve {
	out := curve{Cell: c, use: &u, place: v.Alone().Sweep(c), metric: u.Metric, unit: figure.UnitOf(c.Counted(), u.Unit)}
	x := math.Inf(-1)
	most := 0.0
	for _, p := range u.Points {
		x = math.Max(p.CPU, x+leastApart)
		y := finding.SpanOf(p.Estimate)
		most = math.Max(most, p.Value)
		out.points = append(out.points, point{x, y, func(scale figure.Scale) string {
			return fmt.Sprintf("%s: %s at %s%% CPU (n=%d)", finding.LoadText(p.Load), figure.SpanText(y, scale),
				figure.Fixed(p.CPU, 1), p.N)
		}})
	}
	if u.Linear != nil {
		out.top = math.Min(u.Linear.At100, idealRoom*most)
	}
	return out
}

// addLinear adds the line of each machine, cut at the chart's top, and says how far the figure is from it.
func addLinear(ch *block.Chart, curves []curve, scale figure.Scale) {
	ch.Hint = "whiskers: interval; " + scopeText(curves[0].use.CPUScope)
	joined := !slices.ContainsFunc(curves, func(c curve) bool { return !c.use.rising() })
	lines, dashed := ch.Lines, ""
	ch.Lines = nil
	for i, c := range curves {
		points := lines[i]
		points.Joined, ch.Legend[i].Joined = joined, joined
		ch.Lines = append(ch.Lines, points)
		if c.use.Linear == nil {
			continue
		}
		said, drawn := expectedText(*c.use, scale)
		dashed = drawn
		ch.Legend[i].Name += ": " + said
		ch.Desc += ". " + points.Name + ": " + said
		ch.Lines = append(ch.Lines, linearLine(*c.use, points, scale, float64(ch.Y.Hi)*scale.Factor))
		if len(curves) == 1 {
			ch.Hint += "; " + said
		}
	}
	if dashed != "" {
		ch.Hint += "; dashed: " + dashed
	}
}

func linearLine(u CPUUse, points block.Line, scale figure.Scale, top float64) block.Line {
	out := lineLike(points, "linear")
	out.Faint = true
	from, to, end := u.Linear.At100, u.Linear.At100, 100.0
	if !u.timed() {
		from, end = 0, math.Min(100, 100*top/u.Linear.At100)
		to *= end / 100
	}
	out.X, out.Y = []block.Number{0, block.Number(end)}, block.Numbers(scale, &from, &to)
	return out
}

// expectedText states the figure at the highest CPU use beside the linear expectation, and what the expectation is.
func expectedText(u CPUUse, scale figure.Scale) (said, drawn string) {
	at100, share := scale.Text(u.Linear.At100, figure.Digits), ""
	if u.Linear.Of != nil {
		share = figure.PercentOf(*u.Linear.Of, 0) + "% of "
	}
	switch {
	case u.timed() && share != "":
		return share + "the speed of the lowest load", "the time at the lowest load"
	case u.timed():
		return at100 + " at the lowest load", "the time at the lowest load"
	case share != "":
		return share + "the linear " + at100, "linear, from the load nearest to 50% CPU"
	}
	return "linear " + at100 + " at 100% CPU", "linear, from the load nearest to 50% CPU"
}

func scopeText(scope string) string {
	switch scope {
	case loadline.CPUScopeServer:
		return "CPU use: of the server's CPUs"
	case loadline.CPUScopeTarget:
		return "CPU use: of the whole machine"
	}
	return "CPU use: as the imported files define it"
}

package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

const (
	curvePoints = 49 // of a drawn curve
	idealRoom   = 2  // how many times the highest point the ideal line may raise the chart
)

// scaleCharts draws the sweeps of CPUs: the points, the fitted curve over the measured range, and the line of linear
// scaling.
func scaleCharts(v *finding.View) []block.Chart {
	var swept []curve
	for _, c := range v.Cells {
		if s := KindScaling.Of(c); s != nil {
			swept = append(swept, scaleCurve(v, c, *s))
		}
	}
	noteSockets(v, swept)
	return charts{
		kind: "scaling", hint: "thin and dashed: linear speedup; whiskers: interval", axis: cpuScale, bare: true,
		finish: addModels,
	}.draw(v, swept)
}

// noteSockets names the sockets of each machine if not all have as many: memory is shared within a socket.
func noteSockets(v *finding.View, swept []curve) {
	sockets := map[int]bool{}
	for _, c := range swept {
		sockets[v.Bases[c.Machine].Sockets] = true
	}
	delete(sockets, 0)
	if len(sockets) < 2 {
		return
	}
	for i, c := range swept {
		if n := v.Bases[c.Machine].Sockets; n > 0 {
			swept[i].note = figure.Count(n, "socket")
		}
	}
}

func cpuScale(_ string, xs []float64) block.Axis {
	return block.Axis{Name: "CPUs", Hi: block.Number(xs[len(xs)-1] * (1 + figure.AxisPad)), Whole: true}
}

// scaleCurve leaves room for the ideal line. One far above the points is cut off, to keep these distinguishable.
func scaleCurve(v *finding.View, c finding.Cell, s Scaling) curve {
	peak := slices.Max(s.Peak.Values())
	out := curve{
		Cell: c, place: v.Alone().Sweep(c), metric: s.Metric, unit: figure.UnitOf(c.Counted(), s.Unit),
		top: math.Max(peak, math.Min(s.Ideal(float64(s.MaxCPUs)), idealRoom*peak)),
	}
	for _, p := range s.Points {
		tip := func(u figure.Scale) string { return peakTip(p, u) }
		out.points = append(out.points, point{float64(p.CPUs), p.Estimate, tip})
	}
	return out
}

func peakTip(p Peak, u figure.Scale) string {
	text := cpusText(p.CPUs) + ": " + figure.SpanText(p.Estimate, u)
	if e := p.Efficiency; e != nil && p.CPUs > 1 && e.Bounded() {
		text += fmt.Sprintf(", each CPU %s of one alone", figure.PercentRange(e.Ends()))
	}
	return text + " (" + figure.N(p.N) + ")"
}

// addModels adds the fitted curve and the ideal line, cut at the chart's top, to the points of each sweep.
func addModels(ch *block.Chart, curves []curve, u figure.Scale) {
	var lines []block.Line
	for i, c := range curves {
		points, s := ch.Lines[i], *KindScaling.Of(c.Cell)
		points.Notes = scaleNotes(s, u)
		ch.Legend[i].Name, ch.Legend[i].Joined = points.Name+", curve: "+modelName(s.Model), true
		lines = append(lines, points, fittedLine(s, points, u), idealLine(s, points, u, float64(ch.Y.Hi)*u.Factor))
	}
	ch.Lines = lines
}

func fittedLine(s Scaling, points block.Line, u figure.Scale) block.Line {
	out := lineLike(points, "curve")
	first, last := float64(s.Points[0].CPUs), float64(s.MaxCPUs)
	for i := range curvePoints {
		n := first + (last-first)*float64(i)/(curvePoints-1)
		y := s.At(n)
		out.X, out.Y = append(out.X, block.Number(n)), append(out.Y, block.Numbers(u, &y)...)
	}
	return out
}

func idealLine(s Scaling, points block.Line, u figure.Scale, top float64) block.Line {
	out := lineLike(points, "ideal")
	out.Faint = true
	end := math.Min(float64(s.MaxCPUs), top/s.Ideal(1))
	y := s.Ideal(end)
	out.X, out.Y = []block.Number{0, block.Number(end)}, append(block.Numbers(u, new(float64)), block.Numbers(u, &y)...)
	return out
}

// lineLike returns a line without points in the style of another one.
func lineLike(l block.Line, name string) block.Line {
	return block.Line{Name: l.Name + ", " + name, Group: l.Group, Colour: l.Colour, Dash: l.Dash, Joined: true}
}

// scaleNotes marks the peak of a sweep, and the number of CPUs up to which it is linear.
func scaleNotes(s Scaling, u figure.Scale) []block.Word {
	words := map[int][]string{}
	if s.LinearTo != nil && *s.LinearTo > 1 {
		words[*s.LinearTo] = append(words[*s.LinearTo], "linear to here")
	}
	words[s.Peak.CPUs] = append(words[s.Peak.CPUs], "peak")
	var out []block.Word
	for _, p := range s.Points {
		if len(words[p.CPUs]) > 0 {
			out = append(out, block.Word{X: block.Number(p.CPUs), Y: block.Numbers(u, &p.Value)[0],
				Text: strings.Join(words[p.CPUs], ", ")})
			delete(words, p.CPUs)
		}
	}
	return out
}

package html

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// The dimensions of a drawn chart, in CSS pixels; places along the horizontal axis are percentages, so that text keeps
// its size on a phone.
const (
	ChartHeight  = 240
	axisHeight   = 40   // of the ticks and the axis' name
	StrokeWidth  = 1000 // of the lines' own coordinates, which the page stretches
	StrokePoints = 500  // groups of values drawn for a long line; each keeps its smallest and largest
	noteHeight   = 14
	noteWidth    = 16  // percent of the width that a note may take
	noteLift     = 10  // of a note above its point
	noteRoom     = .04 // of the width, for a note above a bar
	tickRoom     = .14 // of the width, for a Tick's name
	manyTicks    = 6   // from which on their names are short ones, if they have any
	shortRoom    = .06 // likewise, for a short one
)

// ChartView is a chart as the page's template draws it.
type ChartView struct {
	block.Chart
	Rows    []levelView
	Ticks   []Tick
	Bands   []bandView
	Strokes []strokeView
	Columns []columnView
	Marks   []markView
	Words   []wordView
}

type levelView struct {
	Y    float64
	Text string
}

// LabelY returns the baseline of a level's figure, above its line.
func (l levelView) LabelY() float64 { return l.Y - 3 }

type bandView struct{ X, W, Kind, Text string }

type strokeView struct {
	Colour, Dash int
	Faint, Wide  bool
	Points       string
}

// columnView is a bar from zero.
type columnView struct {
	Colour int
	X, W   string
	Y, H   float64
	Guess  bool
	Text   string
}

type markView struct {
	Colour         int
	X              string
	Y, Top, Bottom float64
	Whisker        bool
	Shape, Fill    string
	Text           string
}

type wordView struct {
	Colour          int
	X, Anchor, Text string
	Y               float64
	percent         float64
	Upright         bool // reads upwards, for want of room
}

// Base returns the height of the axis.
func (v ChartView) Base() int { return ChartHeight }

// TickY returns the baseline of the ticks' labels.
func (v ChartView) TickY() int { return ChartHeight + 15 }

// AxisY returns the baseline of the axis' name.
func (v ChartView) AxisY() int { return ChartHeight + 33 }

// Height returns the height of the whole drawing.
func (v ChartView) Height() int { return ChartHeight + axisHeight }

// YName returns the name of the vertical axis.
func (v ChartView) YName() string { return strings.Join(figure.NonEmpty(v.Y.Name, v.Y.Unit), ", ") }

// XName returns the name of the horizontal axis.
func (v ChartView) XName() string { return strings.Join(figure.NonEmpty(v.X.Name, v.X.Unit), ", ") }

// Drawn places a chart's axes, marks and lines in SVG coordinates.
func Drawn(c block.Chart) ChartView {
	c = c.Told()
	x, y := c.X.Axis(), c.Y.Axis()
	v := ChartView{Chart: c, Ticks: xTicks(c.X)}
	one := figure.Scale{Factor: 1}
	levels := y.Ticks(one)
	for _, at := range levels {
		if at > 0 {
			v.Rows = append(v.Rows, levelView{up(y, at), figure.TickText(at, levels, one)})
		}
	}
	for _, z := range c.Zones {
		from, to := x.At(float64(z.From)), x.At(float64(z.To))
		v.Bands = append(v.Bands, bandView{svgPercent(from), svgPercent(to - from), z.Kind, z.Text})
	}
	for _, l := range c.Lines {
		if l.Joined {
			for _, points := range polylines(l, x, y) {
				v.Strokes = append(v.Strokes, strokeView{l.Colour, l.Dash, l.Faint, l.Wide, points})
			}
		}
		marks := marksOf(l, x, y)
		if l.Bar > 0 {
			v.Columns = append(v.Columns, columnsOf(l, x, marks)...)
		}
		v.Marks = append(v.Marks, marks...)
		v.note(l, x, y)
	}
	return v
}

// xTicks returns those of the chart's ticks that fit beside each other.
func xTicks(a block.Axis) []Tick {
	if len(a.Ticks) == 0 {
		return Marks(a.Axis(), figure.Scale{Factor: 1})
	}
	var out []Tick
	end, room := -1.0, tickRoom
	if len(a.Ticks) > 0 && a.Ticks[0].Short != "" {
		room = shortRoom
	}
	for _, t := range a.Ticks {
		at := a.Axis().At(float64(t.At))
		if at < end+room {
			continue
		}
		end = at
		text := t.Text
		if len(a.Ticks) > manyTicks {
			text = cmp.Or(t.Short, t.Text)
		}
		out = append(out, Tick{X: svgPercent(at), Anchor: anchor(at), Text: text})
	}
	return out
}

func marksOf(l block.Line, x, y figure.Axis) []markView {
	var out []markView
	for i, v := range l.Y {
		if l.Shape == "" || !figure.IsFinite(float64(v)) {
			continue
		}
		m := markView{Colour: l.Colour, X: svgPercent(x.At(l.At(i))), Y: up(y, float64(v)), Shape: shapePath(l.Shape),
			Text: l.Name}
		if i < len(l.Lo) && figure.IsFinite(float64(l.Lo[i])) && figure.IsFinite(float64(l.Hi[i])) {
			m.Whisker, m.Top, m.Bottom = true, up(y, float64(l.Hi[i])), up(y, float64(l.Lo[i]))
		}
		if i < len(l.Fills) {
			m.Fill = l.Fills[i]
		}
		if i < len(l.Tips) {
			m.Text += ", " + l.Tips[i]
		}
		out = append(out, m)
	}
	return out
}

// columnsOf returns the bars below the marks of a line, and takes from the marks their shapes.
func columnsOf(l block.Line, x figure.Axis, marks []markView) []columnView {
	out := make([]columnView, len(marks))
	at := 0
	for i, v := range l.Y {
		if !figure.IsFinite(float64(v)) {
			continue
		}
		m := &marks[at]
		from, to := x.At(l.At(i)-float64(l.Bar)/2), x.At(l.At(i)+float64(l.Bar)/2)
		out[at] = columnView{l.Colour, svgPercent(from), svgPercent(to - from), m.Y, ChartHeight - m.Y, m.Fill == "half",
			m.Text}
		m.Shape, m.Text = "", ""
		at++
	}
	return out
}

// note places a line's words above their points, and higher if another word is already there.
func (v *ChartView) note(l block.Line, x, y figure.Axis) {
	for _, n := range l.Notes {
		at := x.At(float64(n.X))
		w := wordView{Colour: l.Colour, X: svgPercent(at), Anchor: anchor(at), Text: n.Text,
			Y: up(y, float64(n.Y)) - noteLift, percent: at * 100}
		if n.Ends {
			w.Anchor, w.percent = "end", w.percent-noteWidth/2
		}
		if l.Bar > 0 {
			w.Y += noteLift / 2
			w.Upright = float64(l.Bar)/float64(v.X.Hi-v.X.Lo) < noteRoom
			v.Words = append(v.Words, w)
			continue
		}
		step := -noteHeight
		if n.Low {
			w.Y, step = w.Y+noteLift+noteHeight, noteHeight
		}
		for slices.ContainsFunc(v.Words, w.meets) {
			w.Y += float64(step)
		}
		v.Words = append(v.Words, w)
	}
}

func (w wordView) meets(other wordView) bool {
	return math.Abs(w.percent-other.percent) < noteWidth && math.Abs(w.Y-other.Y) < noteHeight
}

// shapePath returns the SVG path of a mark around the origin.
func shapePath(shape string) string {
	switch shape {
	case "square":
		return "M-3.6 -3.6H3.6V3.6H-3.6Z"
	case "triangle":
		return "M0 -4.8L4.6 3.4H-4.6Z"
	case "diamond":
		return "M0 -5.2L5.2 0L0 5.2L-5.2 0Z"
	}
	return "M-4 0A4 4 0 1 1 4 0A4 4 0 1 1 -4 0Z"
}

// up returns the height of a value, measured from the top.
func up(y figure.Axis, v float64) float64 { return math.Round(10*ChartHeight*(1-y.At(v))) / 10 }

// polylines returns SVG point lists, broken if there is no value.
func polylines(l block.Line, x, y figure.Axis) []string {
	group := max(1, len(l.Y)/StrokePoints)
	var lines, points []string
	flush := func() {
		if len(points) > 0 {
			lines = append(lines, strings.Join(points, " "))
		}
		points = nil
	}
	for from := 0; from < len(l.Y); from += group {
		lo, hi, ok := extremes(l.Y[from:min(from+group, len(l.Y))])
		if !ok {
			flush()
			continue
		}
		at := StrokeWidth * x.At(l.At(from))
		points = append(points, fmt.Sprintf("%.1f,%.1f", at, up(y, hi)))
		if lo < hi {
			points = append(points, fmt.Sprintf("%.1f,%.1f", at, up(y, lo)))
		}
	}
	flush()
	return lines
}

func extremes(values []block.Number) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if f := float64(v); figure.IsFinite(f) {
			lo, hi = math.Min(lo, f), math.Max(hi, f)
		}
	}
	return lo, hi, lo <= hi
}

// ChartData returns the page's charts, the shapes of their marks, the figures of its plots and its flames as JSON that
// is safe inside a script element: encoding/json escapes any text that could end it.
func ChartData(charts []block.Chart, plots []block.Plot, flames []block.Flame) (string, error) {
	data := struct {
		Shapes map[string]string `json:"shapes"`
		Charts []block.Chart     `json:"charts"`
		Plots  []plotData        `json:"plots"`
		Flames *FlameData        `json:"flames,omitempty"`
	}{map[string]string{}, append([]block.Chart{}, list.Map(charts, block.Chart.Told)...),
		append([]plotData{}, list.Map(plots, newPlotData)...), newFlameData(flames)}
	for _, name := range block.Shapes() {
		data.Shapes[name] = shapePath(name)
	}
	text, err := json.Marshal(data)
	if err != nil {
		return "", fmt.Errorf("encoding the charts: %w", err)
	}
	return string(text), nil
}

package block

import (
	"math"
	"slices"
	"strconv"

	"plimsoll/internal/record/figure"
)

// Chart is a set of lines over a numeric axis. The page holds it twice: drawn, for paper and for readers without
// scripts, and as data, from which the script draws an interactive version. Places are in the axes' own units.
type Chart struct {
	ID     string        `json:"id"`
	Title  string        `json:"-"`
	Desc   string        `json:"-"` // description of the chart, in words
	Hint   string        `json:"-"` // instructions for reading it
	X      Axis          `json:"x"`
	Y      Axis          `json:"y"`
	Lines  []Line        `json:"lines"`
	Zones  []Zone        `json:"zones,omitempty"`
	Legend []LegendEntry `json:"-"`
	Chief  bool          `json:"-"` // shows a document's answer
}

// fewPoints is the number of points up to which a line would tell a course that nobody has seen.
const fewPoints = 3

// Told returns the chart with marks in the place of lines through few points of no shape of their own, such as a
// timeline of three seconds.
func (c Chart) Told() Chart {
	lines := slices.Clone(c.Lines)
	legend := slices.Clone(c.Legend)
	for i, l := range lines {
		if !l.Joined || l.Shape != "" || l.Faint || l.Wide || len(l.Y) > fewPoints {
			continue
		}
		lines[i].Joined, lines[i].Shape = false, Shapes()[l.Colour%len(Shapes())]
		if l.Group >= 0 && l.Group < len(legend) {
			legend[l.Group].Joined, legend[l.Group].Shape = false, lines[i].Shape
		}
	}
	c.Lines, c.Legend = lines, legend
	return c
}

// Axis is one of a chart's axes, from Lo to Hi.
type Axis struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"` // of the numbers, with its prefix; "" for plain ones
	Lo    Number `json:"lo"`
	Hi    Number `json:"hi"`
	Log   bool   `json:"log,omitempty"`
	Whole bool   `json:"whole,omitempty"` // only whole numbers are meaningful
	Ticks []Tick `json:"ticks,omitempty"` // all permitted marks; none: any round number
}

// Tick is a marked place of an axis.
type Tick struct {
	At    Number `json:"at"`
	Text  string `json:"text"`
	Short string `json:"short,omitempty"` // where there is no room for the text; "": the text
}

// Line is a set of points, a line through them, or both. Y, Lo and Hi that are not numbers are gaps.
type Line struct {
	Name   string   `json:"name"`
	Group  int      `json:"group"`  // its entry in the legend, which hides it; -1 none
	Colour int      `json:"colour"` // index of a colour of the page
	Shape  string   `json:"shape,omitempty"`
	Dash   int      `json:"dash,omitempty"` // 0 for a solid line
	Joined bool     `json:"joined,omitempty"`
	Faint  bool     `json:"faint,omitempty"` // neither a measurement nor a fit of one
	Wide   bool     `json:"wide,omitempty"`  // an interval along the axis
	Bar    Number   `json:"bar,omitempty"`   // width of the bars from zero to the points; 0 for none
	X      []Number `json:"x,omitempty"`     // rising
	Step   Number   `json:"step,omitempty"`
	Y      []Number `json:"y"`
	Lo     []Number `json:"lo,omitempty"`
	Hi     []Number `json:"hi,omitempty"`
	Tips   []string `json:"tips,omitempty"`
	Fills  []string `json:"fills,omitempty"` // of the marks: "half", "none"; "" is full
	Notes  []Word   `json:"notes,omitempty"`
}

// Word is a word at one place of a line.
type Word struct {
	X    Number `json:"x"`
	Y    Number `json:"y"`
	Text string `json:"text"`
	Low  bool   `json:"low,omitempty"`  // below its place
	Ends bool   `json:"ends,omitempty"` // ends at its place instead of being centred
}

// Zone is a named range of the horizontal axis.
type Zone struct {
	From Number `json:"from"`
	To   Number `json:"to"`
	Text string `json:"text"`
	Kind string `json:"kind"`
}

// LegendEntry names one series, or one kind of mark, of a chart.
type LegendEntry struct {
	Name   string
	Colour int
	Shape  string
	Dash   int
	Joined bool
}

// Shapes returns the mark shapes that distinguish lines if colours cannot.
func Shapes() []string { return []string{"circle", "square", "triangle", "diamond"} }

// Dashes is the number of ways to draw a line.
const Dashes = 4

// Number is a number of a chart: a gap if it is not finite, and rounded to the precision of the drawing, so that a
// hundred thousand points stay small.
type Number float64

const chartDigits = 6

// MarshalJSON writes null for a gap.
func (f Number) MarshalJSON() ([]byte, error) {
	if !figure.IsFinite(float64(f)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, figure.RoundTo(float64(f), chartDigits), 'g', -1, 64), nil
}

// Numbers converts values to an axis' unit; a nil is a gap.
func Numbers(u figure.Scale, values ...*float64) []Number {
	out := make([]Number, len(values))
	for i, v := range values {
		out[i] = Number(math.NaN())
		if v != nil {
			out[i] = Number(*v / u.Factor)
		}
	}
	return out
}

// At returns the place of point i along the horizontal axis.
func (l Line) At(i int) float64 {
	if len(l.X) == 0 {
		return float64(l.Step) * float64(i)
	}
	return float64(l.X[i])
}

// Axis returns the figure.Axis on which places are computed.
func (a Axis) Axis() figure.Axis {
	return figure.Axis{Lo: float64(a.Lo), Hi: float64(a.Hi), Log: a.Log}
}

// Add adds a point with its interval.
func (l *Line) Add(x float64, y figure.Estimate, u figure.Scale, tip string) {
	l.X = append(l.X, Number(x))
	l.Y = append(l.Y, Numbers(u, &y.Value)...)
	l.Lo = append(l.Lo, Numbers(u, y.Lo)...)
	l.Hi = append(l.Hi, Numbers(u, y.Hi)...)
	l.Tips = append(l.Tips, tip)
}

// MeasuredAxis returns a logarithmic horizontal axis with ticks at the measured values, which ascend.
func MeasuredAxis(name string, at []float64, label func(float64) string) Axis {
	lo, hi := at[0], at[len(at)-1]
	pad := math.Pow(hi/lo, figure.AxisPad)
	a := Axis{Name: name, Lo: Number(lo / pad), Hi: Number(hi * pad), Log: true}
	for _, v := range at {
		a.Ticks = append(a.Ticks, Tick{At: Number(v), Text: label(v)})
	}
	return a
}

// FromZero returns a vertical axis from 0 to above the highest value.
func FromZero(name, unit string, top float64) (Axis, figure.Scale) {
	u := figure.ScaleFor(unit, top)
	if top <= 0 {
		top = u.Factor
	}
	return Axis{Name: name, Unit: u.Unit, Hi: Number(top * (1 + figure.AxisPad) / u.Factor)}, u
}

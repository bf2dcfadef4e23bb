package render

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// chart is lines over an axis of numbers. The page holds it twice: drawn, for
// paper and where no script runs, and as data, from which the script draws the
// same to be asked and enlarged. Places are in the axes' own units.
type chart struct {
	ID     string        `json:"id"`
	Title  string        `json:"-"`
	Desc   string        `json:"-"` // what it shows, in words
	Hint   string        `json:"-"` // how to read it
	X      chartAxis     `json:"x"`
	Y      chartAxis     `json:"y"`
	Lines  []chartLine   `json:"lines"`
	Zones  []chartZone   `json:"zones,omitempty"`
	Legend []legendEntry `json:"-"`
}

// chartAxis is one of a chart's axes, from Lo to Hi.
type chartAxis struct {
	Name  string      `json:"name"`
	Unit  string      `json:"unit"` // of the numbers, with its prefix; "" for plain ones
	Lo    figure      `json:"lo"`
	Hi    figure      `json:"hi"`
	Log   bool        `json:"log,omitempty"`
	Whole bool        `json:"whole,omitempty"` // only whole numbers have a meaning
	Ticks []chartTick `json:"ticks,omitempty"` // all that may be marked; none: any round number
}

// chartTick is a place that an axis marks.
type chartTick struct {
	At   figure `json:"at"`
	Text string `json:"text"`
}

// chartLine is points, or a line through them, or both. Y, Lo and Hi that are
// not numbers are gaps.
type chartLine struct {
	Name   string      `json:"name"`
	Group  int         `json:"group"`  // its entry in the legend, which hides it; -1 none
	Colour int         `json:"colour"` // of the page's
	Shape  string      `json:"shape,omitempty"`
	Dash   int         `json:"dash,omitempty"` // 0: drawn through
	Joined bool        `json:"joined,omitempty"`
	Faint  bool        `json:"faint,omitempty"` // no measurement and no fit of one
	X      []figure    `json:"x,omitempty"`     // rising
	Step   figure      `json:"step,omitempty"`
	Y      []figure    `json:"y"`
	Lo     []figure    `json:"lo,omitempty"`
	Hi     []figure    `json:"hi,omitempty"`
	Tips   []string    `json:"tips,omitempty"`
	Fills  []string    `json:"fills,omitempty"` // of the marks: "half", "none"; "" is full
	Notes  []chartNote `json:"notes,omitempty"`
}

// chartNote is a word at a place of a line.
type chartNote struct {
	X    figure `json:"x"`
	Y    figure `json:"y"`
	Text string `json:"text"`
}

// chartZone is a range of the horizontal axis that has a name.
type chartZone struct {
	From figure `json:"from"`
	To   figure `json:"to"`
	Text string `json:"text"`
	Kind string `json:"kind"`
}

type legendEntry struct {
	Name   string
	Colour int
	Shape  string
	Dash   int
	Joined bool
}

// shapes tell lines apart where colours cannot.
func shapes() []string { return []string{"circle", "square", "triangle", "diamond"} }

// dashes is how many ways there are to draw a line.
const dashes = 4

// figure is a number of a chart: a gap where it is not finite, and as precise
// as can be drawn, so that a hundred thousand points stay small.
type figure float64

const chartDigits = 6

// MarshalJSON writes null for a gap.
func (f figure) MarshalJSON() ([]byte, error) {
	if !isFinite(float64(f)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, roundTo(float64(f), chartDigits), 'g', -1, 64), nil
}

// figures puts values into an axis' unit; a nil is a gap.
func figures(u scale, values ...*float64) []figure {
	out := make([]figure, len(values))
	for i, v := range values {
		out[i] = figure(math.NaN())
		if v != nil {
			out[i] = figure(*v / u.factor)
		}
	}
	return out
}

// chartData is the page's charts, the shapes of their marks and its flames as JSON that may
// stand inside a script element: encoding/json escapes what could end it.
func chartData(charts []chart, flames []flame) (string, error) {
	data := struct {
		Shapes map[string]string `json:"shapes"`
		Charts []chart           `json:"charts"`
		Flames *flameData        `json:"flames,omitempty"`
	}{map[string]string{}, append([]chart{}, charts...), newFlameData(flames)}
	for _, name := range shapes() {
		data.Shapes[name] = shapePath(name)
	}
	text, err := json.Marshal(data)
	if err != nil {
		return "", fmt.Errorf("encoding the charts: %w", err)
	}
	return string(text), nil
}

// at is the place of i along the horizontal axis.
func (l chartLine) at(i int) float64 {
	if len(l.X) == 0 {
		return float64(l.Step) * float64(i)
	}
	return float64(l.X[i])
}

// axis is the one that places are counted on.
func (a chartAxis) axis() axis { return axis{lo: float64(a.Lo), hi: float64(a.Hi), log: a.Log} }

// add adds a point with its interval.
func (l *chartLine) add(x float64, y span, u scale, tip string) {
	l.X = append(l.X, figure(x))
	l.Y = append(l.Y, figures(u, &y.value)...)
	l.Lo = append(l.Lo, figures(u, y.lo)...)
	l.Hi = append(l.Hi, figures(u, y.hi)...)
	l.Tips = append(l.Tips, tip)
}

// measuredAxis is a logarithmic horizontal axis that marks what was measured, which rises.
func measuredAxis(name string, at []float64, label func(float64) string) chartAxis {
	lo, hi := at[0], at[len(at)-1]
	pad := math.Pow(hi/lo, axisPad)
	a := chartAxis{Name: name, Lo: figure(lo / pad), Hi: figure(hi * pad), Log: true}
	for _, v := range at {
		a.Ticks = append(a.Ticks, chartTick{figure(v), label(v)})
	}
	return a
}

// chartTitle is a workload and what tells its chart from others; place may end as the beginning of a line does.
func chartTitle(workload, place string) string {
	return strings.TrimSuffix(strings.TrimSuffix(workload+", "+place, ": "), ", ")
}

// fromZero is a vertical axis from 0 to above the highest value.
func fromZero(name, unit string, top float64) (chartAxis, scale) {
	u := scaleFor(unit, top)
	if top <= 0 {
		top = u.factor
	}
	return chartAxis{Name: name, Unit: u.Unit, Hi: figure(top * (1 + axisPad) / u.factor)}, u
}

package render

import (
	"fmt"
	"math"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
)

// Track is a series over time to be drawn in a report, such as a trial's
// throughput in each second.
type Track struct {
	Label  string
	Unit   string
	StepS  float64   // seconds between values
	Values []float64 // NaN where there is none
}

// Thinned is the track with at most that many values, at least 2: each stretch of values becomes its smallest and its
// largest, in the order in which they came, so that neither a spike nor a silence is lost.
func (t Track) Thinned(most int) Track {
	per := (2*len(t.Values) + most - 1) / most
	if len(t.Values) <= most {
		return t
	}
	out := t
	out.StepS, out.Values = t.StepS*float64(per)/2, make([]float64, 0, most)
	for from := 0; from < len(t.Values); from += per {
		stretch := t.Values[from:min(from+per, len(t.Values))]
		low, high := 0, 0
		for i, v := range stretch {
			if v < stretch[low] || math.IsNaN(stretch[low]) {
				low = i
			}
			if v > stretch[high] || math.IsNaN(stretch[high]) {
				high = i
			}
		}
		out.Values = append(out.Values, stretch[min(low, high)], stretch[max(low, high)])
	}
	return out
}

// timeline draws a track from zero up. The second result is false without a
// value.
func timeline(id string, t Track) (block.Chart, bool) {
	top := math.Inf(-1)
	for _, v := range t.Values {
		if figure.IsFinite(v) {
			top = math.Max(top, v)
		}
	}
	if math.IsInf(top, -1) || !(t.StepS > 0) {
		return block.Chart{}, false
	}
	end := t.StepS * float64(len(t.Values))
	ch := block.Chart{
		ID: id, Title: t.Label, X: block.Axis{Name: "time", Unit: "s", Hi: block.Number(end)},
		Desc: fmt.Sprintf("over %s, at most %s", figure.Seconds(end), figure.Quantity(top, t.Unit)),
	}
	ch.Hint = ch.Desc
	var u figure.Scale
	ch.Y, u = block.FromZero("", t.Unit, top)
	line := block.Line{Name: t.Label, Group: -1, Joined: true, Step: block.Number(t.StepS), Y: make([]block.Number, len(t.Values))}
	for i, v := range t.Values {
		line.Y[i] = block.Number(v / u.Factor)
	}
	ch.Lines = []block.Line{line}
	return ch, true
}

package render

import (
	"fmt"
	"math"
)

// Track is a series over time to be drawn in a report, such as a trial's
// throughput in each second.
type Track struct {
	Label  string
	Unit   string
	StepS  float64   // seconds between values
	Values []float64 // NaN where there is none
}

// timeline draws a track from zero up. The second result is false without a
// value.
func timeline(id string, t Track) (chart, bool) {
	top := math.Inf(-1)
	for _, v := range t.Values {
		if isFinite(v) {
			top = math.Max(top, v)
		}
	}
	if math.IsInf(top, -1) || !(t.StepS > 0) {
		return chart{}, false
	}
	end := t.StepS * float64(len(t.Values))
	ch := chart{
		ID: id, Title: t.Label, X: chartAxis{Name: "time", Unit: "s", Hi: figure(end)},
		Desc: fmt.Sprintf("over %s, at most %s", seconds(end), Quantity(top, t.Unit)),
	}
	ch.Hint = ch.Desc
	var u scale
	ch.Y, u = fromZero("", t.Unit, top)
	line := chartLine{Name: t.Label, Group: -1, Joined: true, Step: figure(t.StepS), Y: make([]figure, len(t.Values))}
	for i, v := range t.Values {
		line.Y[i] = figure(v / u.factor)
	}
	ch.Lines = []chartLine{line}
	return ch, true
}

// seconds writes a time along an axis, which may be minutes.
func seconds(s float64) string {
	return fixed(s, decimals(s, digits)) + " s"
}

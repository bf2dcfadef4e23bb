package render

import (
	"fmt"
	"math"
	"strings"
)

// Track is a series over time to be drawn in a report, such as a trial's
// throughput in each second.
type Track struct {
	Label  string
	Unit   string
	StepS  float64   // seconds between values
	Values []float64 // NaN where there is none
}

// The measures of a timeline's own coordinates; the page stretches them.
const (
	timelineWidth  = 1000
	timelineHeight = 100
	timelinePoints = 500 // groups of values drawn; a group keeps its smallest and largest
)

// timeline is a track as the page's template takes it.
type timeline struct {
	ID, Title, Desc string
	Lines           []string // SVG point lists, broken where there is no value
	Top, End        string   // the largest value, the last time
}

// newTimeline draws a track from zero up. The second result is false without a
// value.
func newTimeline(id string, t Track) (timeline, bool) {
	top := math.Inf(-1)
	for _, v := range t.Values {
		if isFinite(v) {
			top = math.Max(top, v)
		}
	}
	if math.IsInf(top, -1) {
		return timeline{}, false
	}
	out := timeline{
		ID: id, Title: t.Label, Lines: polylines(t.Values, top),
		Top: Quantity(top, t.Unit), End: seconds(t.StepS * float64(len(t.Values))),
	}
	out.Desc = fmt.Sprintf("over %s, at most %s", out.End, out.Top)
	return out, true
}

// seconds writes a time along an axis, which may be minutes.
func seconds(s float64) string {
	return fixed(s, decimals(s, digits)) + " s"
}

func polylines(values []float64, top float64) []string {
	if top <= 0 {
		top = 1
	}
	group := (len(values) + timelinePoints - 1) / timelinePoints
	var lines []string
	var points []string
	flush := func() {
		if len(points) > 0 {
			lines = append(lines, strings.Join(points, " "))
		}
		points = nil
	}
	for from := 0; from < len(values); from += group {
		lo, hi, ok := extremes(values[from:min(from+group, len(values))])
		if !ok {
			flush()
			continue
		}
		x := timelineWidth * (float64(from) + float64(group)/2) / float64(len(values))
		points = append(points, point(x, hi/top))
		if lo < hi {
			points = append(points, point(x, lo/top))
		}
	}
	flush()
	return lines
}

func extremes(values []float64) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if isFinite(v) {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	return lo, hi, lo <= hi
}

func point(x, share float64) string {
	return fmt.Sprintf("%.1f,%.1f", x, timelineHeight*(1-math.Max(share, 0)))
}

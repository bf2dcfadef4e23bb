package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// ChartTitle is a workload and what tells its chart from others; place may end as the beginning of a line does.
func ChartTitle(workload, place string) string {
	return strings.TrimSuffix(strings.TrimSuffix(workload+", "+place, ": "), ", ")
}

// PlaceScale is the unit of a place on an axis; loads and plain numbers have none.
func PlaceScale(unit string, lo, hi float64) Scale {
	if unit == "B" {
		// A place between two sizes is seldom a whole size, and is told in the same unit.
		return ScaleFor(unit, math.Exp2(math.Floor(math.Log2(lo))), math.Exp2(math.Floor(math.Log2(hi))))
	}
	return ScaleFor(unit, lo, hi)
}

// DirectionText says which way of a metric is better.
func DirectionText(b record.Better) string {
	switch b {
	case record.Higher:
		return "higher is better"
	case record.Lower:
		return "lower is better"
	}
	return "neither way is better"
}

// Exact writes a figure of a table as it was read.
func Exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func PercentText(fraction float64) string { return fmt.Sprintf("%.4g %%", 100*fraction) }

// ZoneRoom leaves the zones' names free of marks.
const ZoneRoom = 1.08

// SpanText writes an interval, or that there is none and the estimate.
func SpanText(s Span, u Scale) string {
	if s.Bounded() {
		return s.Interval(u)
	}
	return s.Estimate(u) + ", no interval"
}

// Seconds writes a time along an axis, which may be minutes.
func Seconds(s float64) string {
	return Fixed(s, Decimals(s, Digits)) + " s"
}

func SignedPercent(v float64) string { return fmt.Sprintf("%+.1f", 100*v) }

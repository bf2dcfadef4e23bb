package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

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

// PercentText returns a fraction in percent, to four digits.
func PercentText(fraction float64) string { return fmt.Sprintf("%.4g%%", 100*fraction) }

// ZoneRoom leaves the zones' names free of marks.
const ZoneRoom = 1.08

// SpanText writes an interval, or that there is none and the estimate.
func SpanText(s Estimate, u Scale) string {
	if s.Bounded() {
		return s.Interval(u)
	}
	return s.Estimate(u) + ", no interval"
}

// Seconds writes a time along an axis, which may be minutes.
func Seconds(s float64) string {
	return Fixed(s, Decimals(s, Digits)) + " s"
}

// SignedPercent returns a fraction in percent with its sign, without the unit.
func SignedPercent(v float64) string { return fmt.Sprintf("%+.1f", 100*v) }

// Duration returns seconds as a duration, rounded as people read it.
func Duration(s float64) time.Duration {
	fine := time.Second
	if s < 10 {
		fine = 10 * time.Millisecond
	}
	return time.Duration(s * float64(time.Second)).Round(fine)
}

// Joined joins the parts of a heading that are not empty.
func Joined(parts ...string) string { return strings.Join(NonEmpty(parts...), ", ") }

// Listed joins names as a sentence lists them: "a, b and c".
func Listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// NonEmpty returns the texts that are not empty.
func NonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(t string) bool { return t == "" })
}

// wholeDollars is the sum from which on cents are left out.
const wholeDollars = 100

// Dollars formats a sum: whole dollars with commas between thousands, cents in smaller sums, and three digits below a
// cent.
func Dollars(v float64) string {
	switch {
	case !IsFinite(v):
		return NoNumber
	case v != 0 && math.Abs(v) < .01:
		return fmt.Sprintf("$%.3g", v)
	case math.Abs(v) < wholeDollars:
		return "$" + Fixed(v, 2)
	}
	return whole(v)
}

// whole formats whole dollars with commas between thousands.
func whole(v float64) string {
	text := Fixed(v, 0)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return "$" + text
}

// DollarsBetween formats the difference of two sums, by the figures that Dollars shows of them.
func DollarsBetween(from, to float64) string {
	if from >= wholeDollars {
		return whole(math.Round(to) - math.Round(from))
	}
	return Dollars(to - from)
}

package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/judge"
)

// crossingText says where along an axis the better side changes.
func crossingText(c judge.Crossing, a, b string) string {
	below, above := a, b
	if c.FromBetter == "b" {
		below, above = b, a
	}
	if c.Runs > 0 {
		at := figure.Span{Value: c.At, Lo: nil, Hi: nil}
		return fmt.Sprintf("%s is better at low %s, %s at high, by estimate from %s on; %s, so no interval and no verdict: %s%s",
			below, c.Axis, above, at.Estimate(figure.PlaceScale(c.Unit, c.At, c.At)), ofRuns(c.Runs), crossingPlace(c), figure.PerUnit(c.Per))
	}
	u := figure.PlaceScale(c.Unit, c.Lo, c.Hi)
	s := figure.Span{Value: c.At, Lo: &c.Lo, Hi: &c.Hi}
	return fmt.Sprintf("%s is better at low %s, %s at high: on par from %s, by estimate at %s; no one figure holds for all of it: %s%s",
		below, c.Axis, above, s.Interval(u), s.Estimate(u), crossingPlace(c), figure.PerUnit(c.Per))
}

// crossingPlace names what the points of an axis share.
func crossingPlace(c judge.Crossing) string {
	var params []string
	shown := finding.Major(c.Params, c.Minor)
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		params = append(params, name+"="+shown[name])
	}
	return strings.Join(figure.NonEmpty(c.Workload, strings.Join(params, ", "), finding.LoadText(c.Load), c.Metric), ", ")
}

// ofRuns says of how many runs a cell something is that has no interval for it.
func ofRuns(n int) string {
	if n == 1 {
		return "of one run a cell"
	}
	return fmt.Sprintf("of %d runs a cell", n)
}

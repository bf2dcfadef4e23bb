package convert

import (
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/convert/reader"
	"plimsoll/internal/record"
)

// meanMisfit tells of a mean latency that its percentiles cannot have: a share of the operations takes at most, and at
// least, what the percentile around it says. Either may be right, and a percentile the end of a histogram.
func meanMisfit(values []record.Value) string {
	at := slices.IndexFunc(values, func(v record.Value) bool { return v.Name == record.Latency })
	if at < 0 {
		return ""
	}
	type point struct{ percent, s float64 }
	var points []point
	for _, v := range values {
		if percent, ok := percentileOf(v.Name); ok {
			points = append(points, point{percent, v.Value})
		}
	}
	if len(points) == 0 {
		return ""
	}
	slices.SortFunc(points, func(a, b point) int {
		if a.percent < b.percent {
			return -1
		}
		return 1
	})
	least, most, before := 0.0, 0.0, point{}
	rounded := wholeMs // tools that print whole milliseconds cut them off
	for _, p := range points {
		least += (p.percent - before.percent) / 100 * before.s
		most += (p.percent - before.percent) / 100 * p.s
		before = p
		if ms := p.s * 1e3; math.Abs(ms-math.Round(ms)) > 1e-6 && p.percent < 100 {
			rounded = 0
		}
	}
	least += (100 - before.percent) / 100 * before.s
	if before.percent < 100 {
		most = math.Inf(1)
	}
	switch mean := values[at].Value; {
	case mean > most*roundedPercentile+rounded:
		return fmt.Sprintf("%s of %.4g s exceeds %.4g s, the most that its percentiles and %s allow: one of them is "+
			"no such figure",
			record.Latency, mean, most, reader.LatencyMax)
	case mean*roundedPercentile+rounded < least:
		return fmt.Sprintf("%s of %.4g s is below %.4g s, the least that its percentiles allow: one of them is "+
			"no such figure",
			record.Latency, mean, least)
	}
	return ""
}

// wholeMs is by how much whole milliseconds may be too small, in s.
const wholeMs = 1e-3

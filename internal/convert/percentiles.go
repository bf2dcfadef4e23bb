package convert

import (
	"fmt"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// percentileOf returns the percentile in a latency's name, 99.9 for latency_p999; 0 is the minimum and 100 the maximum.
func percentileOf(name string) (percent float64, ok bool) {
	switch name {
	case latencyMin:
		return 0, true
	case latencyMax:
		return 100, true
	}
	digits, ok := strings.CutPrefix(name, record.Latency+"_p")
	if len(digits) > 2 {
		digits = digits[:2] + "." + digits[2:]
	}
	percent, err := strconv.ParseFloat(digits, 64)
	return percent, ok && err == nil && percent > 0 && percent < 100
}

// roundedPercentile is the tolerance between equal percentiles of different tools: sysbench reports upper ends of
// classes 2 % wide.
const roundedPercentile = 1.05

// inOrder rejects two latencies of one trial if that of the lower percentile is longer. A mean lies between minimum and
// maximum.
func inOrder(a, b record.Value) error {
	p, okP := percentileOf(a.Name)
	q, okQ := percentileOf(b.Name)
	switch {
	case a.Name == record.Latency && okQ && q == 0, b.Name == record.Latency && okP && p == 100:
		a, b = b, a
	case a.Name == record.Latency && okQ && q == 100, b.Name == record.Latency && okP && p == 0:
	case !okP || !okQ:
		return nil
	case p > q:
		a, b = b, a
	}
	if a.Value <= b.Value*roundedPercentile {
		return nil
	}
	return fmt.Errorf("%s of %.4g s exceeds %s of %.4g s\nhint: check whether the two are swapped, and their units", a.Name, a.Value, b.Name, b.Value)
}

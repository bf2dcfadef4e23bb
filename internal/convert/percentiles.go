package convert

import (
	"fmt"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// percentileOf is the percentile that a latency's name says, 99.9 of latency_p999; 0 is the least and 100 the most.
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

// roundedPercentile is how far apart tools write what is the same: sysbench's percentiles are upper ends of classes 2 % wide.
const roundedPercentile = 1.05

// inOrder refuses two latencies of one trial of which that of the lower percentile is the longer. A mean lies between the least and the most.
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
	return fmt.Errorf("%s of %.4g s is over %s of %.4g s\nhint: look which of the two is which, and at their units", a.Name, a.Value, b.Name, b.Value)
}

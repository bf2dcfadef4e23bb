package record

import (
	"strconv"
	"strings"
)

// PercentileOf returns the percentile of a statistic of latency, 99.9 for p999; false if it is none.
func PercentileOf(statistic string) (percent float64, ok bool) {
	digits, ok := strings.CutPrefix(statistic, "p")
	if len(digits) > 2 {
		digits = digits[:2] + "." + digits[2:]
	}
	percent, err := strconv.ParseFloat(digits, 64)
	return percent, ok && err == nil && percent > 0 && percent < 100
}

// ParsePercentile returns the statistic of latency of a text such as p99, p99.9 or p999; false if it is none.
func ParsePercentile(text string) (statistic string, ok bool) {
	statistic = strings.ReplaceAll(text, ".", "")
	percent, ok := PercentileOf(statistic)
	if !ok || strings.Trim(statistic, "p0123456789") != "" || len(statistic) > 3 && strings.HasSuffix(statistic, "0") {
		return "", false
	}
	if written, err := strconv.ParseFloat(text[1:], 64); strings.Contains(text, ".") &&
		(err != nil || written != percent) {
		return "", false // p9.5 is not p95
	}
	return statistic, true
}

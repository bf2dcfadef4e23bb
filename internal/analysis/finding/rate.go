package finding

import (
	"strconv"
	"strings"

	"plimsoll/internal/record/figure"
)

// poisson are the arrivals of users who know nothing of each other, which go without saying.
const poisson = "poisson"

// AtRate returns the words for the load of an open loop, such as " at 100 requests/s"; "" for other loads. counted
// names the operations: figure.Counted.
func AtRate(load, counted string) string {
	text, arrivals, open := strings.Cut(load, "/s")
	rate, err := strconv.ParseFloat(text, 64)
	if !open || err != nil {
		return ""
	}
	at := " at " + figure.Quantity(rate, figure.UnitOf(counted, "op/s"))
	if arrivals = strings.TrimSpace(arrivals); arrivals != "" && arrivals != poisson {
		at += ", " + arrivals + " arrivals"
	}
	return at
}

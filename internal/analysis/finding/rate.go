package finding

import (
	"strconv"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// AtRate returns the words for the load of an open loop, such as " at 100 requests/s, Poisson arrivals"; "" for other
// loads. counted names the operations: figure.Counted. Many tools send at equal intervals, which gives a lower latency.
func AtRate(load, counted string) string {
	text, arrivals, open := strings.Cut(load, "/s")
	rate, err := strconv.ParseFloat(text, 64)
	if !open || err != nil {
		return ""
	}
	at := " at " + figure.Quantity(rate, figure.UnitOf(counted, "op/s"))
	if arrivals = strings.TrimSpace(arrivals); arrivals == "" {
		return at
	}
	if arrivals == record.Poisson {
		arrivals = "Poisson"
	}
	return at + ", " + arrivals + " arrivals"
}

package trialset

import (
	"strings"

	"plimsoll/internal/record"
)

// IsRate reports whether a metric is a rate of which more is better, which can be put in relation to vCPUs, dollars and
// watts.
func IsRate(m record.Metric) bool { return m.Better == record.Higher && CountedIn(m.Unit) != "" }

// CountedIn returns the unit that a rate counts by the second, such as "B" of B/s and "transaction" of tps; "" if the unit
// is none of a rate.
func CountedIn(unit string) string {
	for _, second := range []string{"/s", "/sec", "/second"} {
		if of, ok := strings.CutSuffix(unit, second); ok {
			return of
		}
	}
	return map[string]string{"tps": "transaction", "qps": "query", "rps": "request", "ops": "op", "iops": "op"}[strings.ToLower(unit)]
}

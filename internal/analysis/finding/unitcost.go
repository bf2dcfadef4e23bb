package finding

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// Priced is what an operation costs in dollars.
type Priced struct {
	On     string // the machine; "" if it is named elsewhere
	Each   estimate.Estimate
	AtMost bool // Each is a bound
}

// CostOf states what operations of a workload cost, in as large a number that the cheapest sum is a dollar or more: "a
// billion requests: $1.41 to $1.57 on a, $1.03 to $1.07 on b".
func CostOf(workload string, all ...Priced) string {
	least := math.Inf(1)
	for _, p := range all {
		least = min(least, p.Each.Value)
	}
	factor := factorFor(least)
	var parts []string
	for _, p := range all {
		sum, kind := figure.Dollars(p.Each.Value*factor), "about "
		if p.Each.Bounded() {
			sum, kind = fmt.Sprintf("%s to %s", figure.Dollars(*p.Each.Lo*factor), figure.Dollars(*p.Each.Hi*factor)), ""
		}
		if p.AtMost {
			kind = "at most "
		}
		sum = kind + sum
		if p.On != "" {
			sum += " on " + p.On
		}
		parts = append(parts, sum)
	}
	return fmt.Sprintf("%s: %s", many(figure.OperationOf(workload), factor), strings.Join(parts, ", "))
}

// factorFor returns the power of 1000, up to a trillion, that makes a sum of dollars at least one.
func factorFor(least float64) float64 {
	factor := 1.0
	for factor < 1e12 && least*factor < 1 {
		factor *= 1000
	}
	return factor
}

// many names a power of 1000 of operations.
func many(operation string, factor float64) string {
	word, large := map[float64]string{1e3: "thousand", 1e6: "million", 1e9: "billion", 1e12: "trillion"}[factor]
	if !large {
		return "one " + operation
	}
	return fmt.Sprintf("a %s %ss", word, operation)
}

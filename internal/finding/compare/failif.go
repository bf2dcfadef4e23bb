package compare

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"plimsoll/internal/finding"
)

// Condition is a change of a metric that sets the exit code.
type Condition struct {
	Metric string
	Per    string  // "machine", "vcpu", "core", "dollar", "watt"
	Below  bool    // the change is below Bound, else above it
	Bound  float64 // change of b against a as a fraction: -0.02 is 2 % less
}

// ParseCondition reads METRIC[/PER] < PERCENT%, such as
// "throughput < -2%" or "throughput/dollar > 5%".
func ParseCondition(text string) (Condition, error) {
	m := regexp.MustCompile(`^\s*([A-Za-z0-9_.]+)(?:/(\w+))?\s*([<>])\s*([-+]?[0-9.]+)\s*%\s*$`).FindStringSubmatch(text)
	if m == nil {
		return Condition{}, fmt.Errorf("%q is no condition\nhint: METRIC[/PER] < PERCENT%%, such as 'throughput < -2%%' or 'throughput/dollar > 5%%'", text)
	}
	c := Condition{Metric: m[1], Per: m[2], Below: m[3] == "<"}
	if c.Per == "" {
		c.Per = finding.PerMachine
	}
	if pers := []string{finding.PerMachine, "vcpu", "core", "dollar", "watt"}; !slices.Contains(pers, c.Per) {
		return c, fmt.Errorf("%q: figures are not put per %s\nhint: per one of %v", text, c.Per, pers)
	}
	percent, err := strconv.ParseFloat(m[4], 64)
	if err != nil {
		return c, fmt.Errorf("%q: %q is not a number\nhint: write it as -2%%", text, m[4])
	}
	c.Bound = percent / 100
	return c, nil
}

// Holds returns the comparisons whose whole interval satisfies the condition; one without an interval never does. asked
// is the number of comparisons of its metric: if it is 0, the metric was not compared.
func (c Condition) Holds(got finding.Compared) (holding []finding.Comparison, asked int) {
	for _, p := range got.Pairs {
		for _, v := range p.Verdicts {
			if v.Metric != c.Metric || v.Per != c.Per {
				continue
			}
			asked++
			if v.Lo != nil && v.Hi != nil && !v.Estimate && c.satisfied(*v.Lo-1, *v.Hi-1) {
				holding = append(holding, v)
			}
		}
	}
	return holding, asked
}

func (c Condition) satisfied(lo, hi float64) bool {
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return false
	}
	if c.Below {
		return hi < c.Bound
	}
	return lo > c.Bound
}

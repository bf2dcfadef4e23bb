package compare

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/finding"
)

// Condition is a change of a metric that sets the exit code.
type Condition struct {
	Metric string
	Per    string  // "machine", "vcpu", "core", "dollar", "watt"
	Below  bool    // the change is below Bound, else above it
	Bound  float64 // change of b against a as a fraction: -0.02 is 2 % less
}

// pers are what figures are put per.
func pers() []string { return []string{finding.PerMachine, "vcpu", "core", "dollar", "watt"} }

// ParseCondition reads METRIC[/PER] < PERCENT%, such as
// "throughput < -2%" or "throughput/dollar > 5%".
func ParseCondition(text string) (Condition, error) {
	m := regexp.MustCompile(`^\s*([^\s<>]+)\s*([<>])\s*([-+]?[0-9.]+)\s*%\s*$`).FindStringSubmatch(text)
	if m == nil {
		return Condition{}, fmt.Errorf("%q is no condition\nhint: METRIC[/PER] < PERCENT%%, such as 'throughput < -2%%' or "+
			"'throughput/dollar > 5%%'", text)
	}
	c := Condition{Metric: m[1], Per: finding.PerMachine, Below: m[2] == "<"}
	// A metric may have a slash of its own, as allocs/op has.
	if i := strings.LastIndexByte(c.Metric, '/'); i > 0 && slices.Contains(pers(), c.Metric[i+1:]) {
		c.Metric, c.Per = c.Metric[:i], c.Metric[i+1:]
	}
	percent, err := strconv.ParseFloat(m[3], 64)
	if err != nil {
		return c, fmt.Errorf("%q: %q is not a number\nhint: write it as -2%%", text, m[3])
	}
	c.Bound = percent / 100
	return c, nil
}

// Judged is the comparisons that a condition is about.
type Judged struct {
	Holding   []finding.Comparison // the whole interval satisfies the condition
	Undecided []finding.Comparison // part of the interval does, or there is no interval
	Passed    []finding.Comparison // no part of the interval does
}

// Count returns the number of comparisons; 0 if none was about the condition's metric.
func (j Judged) Count() int { return len(j.Holding) + len(j.Undecided) + len(j.Passed) }

// Judge sorts the comparisons of a condition's metric by what their intervals say of it.
func (c Condition) Judge(got finding.Compared) Judged {
	var out Judged
	for _, p := range got.Pairs {
		for _, v := range p.Verdicts {
			switch {
			case !c.about(v.Metric) || v.Per != c.Per:
			case v.Lo == nil || v.Hi == nil || v.Estimate || math.IsNaN(*v.Lo) || math.IsNaN(*v.Hi):
				out.Undecided = append(out.Undecided, v)
			case c.satisfies(*v.Lo) && c.satisfies(*v.Hi):
				out.Holding = append(out.Holding, v)
			case c.satisfies(*v.Lo) || c.satisfies(*v.Hi):
				out.Undecided = append(out.Undecided, v)
			default:
				out.Passed = append(out.Passed, v)
			}
		}
	}
	return out
}

// about reports whether a metric is the condition's: one of several benchmarks of a run is named BENCHMARK:METRIC.
func (c Condition) about(metric string) bool {
	return metric == c.Metric || strings.HasSuffix(metric, ":"+c.Metric)
}

// satisfies reports whether a ratio of b to a satisfies the condition.
func (c Condition) satisfies(ratio float64) bool {
	if c.Below {
		return ratio-1 < c.Bound
	}
	return ratio-1 > c.Bound
}

// Of names what the condition is about, as its text does.
func (c Condition) Of() string {
	if c.Per == finding.PerMachine {
		return c.Metric
	}
	return c.Metric + "/" + c.Per
}

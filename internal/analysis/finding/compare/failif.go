package compare

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// Condition is a change of a metric that sets the exit code.
type Condition struct {
	Metric string
	Per    string  // "machine", "vcpu", "core", "dollar", "watt"
	Below  bool    // the change is below Bound, else above it
	Bound  float64 // change of b against a as a fraction: -0.02 is 2% less; with Amount in the metric's unit
	Amount bool    // the change is a difference, and no share
}

// pers are what figures are put per.
func pers() []string { return []string{finding.PerMachine, "vcpu", "core", "dollar", "watt"} }

// ParseCondition reads METRIC[/PER] < PERCENT% or METRIC < DIFFERENCE, such as
// "throughput < -2%", "throughput/dollar > 5%" or "errors > 2".
func ParseCondition(text string) (Condition, error) {
	m := regexp.MustCompile(`^\s*([^\s<>]+)\s*([<>])\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*(%?)\s*$`).
		FindStringSubmatch(text)
	if m == nil {
		if percent := regexp.MustCompile(`^\s*[-+]?([0-9.]+)\s*%?\s*$`).FindStringSubmatch(text); percent != nil {
			return Condition{}, fmt.Errorf("%q isn't a condition\nhint: --fail-if 'time > %s%%', or 'throughput < -%s%%' "+
				"if more is better", text, percent[1], percent[1])
		}
		return Condition{}, fmt.Errorf("%q isn't a condition\nhint: METRIC[/PER] < PERCENT%%, such as 'throughput < -2%%' "+
			"or 'throughput/dollar > 5%%', or METRIC > DIFFERENCE in the metric's unit, such as 'errors > 2'", text)
	}
	c := Condition{Metric: m[1], Per: finding.PerMachine, Below: m[2] == "<", Amount: m[4] == ""}
	// A metric may have a slash of its own, as allocs/op has.
	if i := strings.LastIndexByte(c.Metric, '/'); i > 0 && slices.Contains(pers(), c.Metric[i+1:]) {
		c.Metric, c.Per = c.Metric[:i], c.Metric[i+1:]
	}
	bound, err := strconv.ParseFloat(m[3], 64)
	if err != nil {
		return c, fmt.Errorf("%q: %q is not a number\nhint: write it as -2%%", text, m[3])
	}
	if c.Amount && c.Per != finding.PerMachine {
		return c, fmt.Errorf("%q: a change per %s is one in percent\nhint: write %s%%", text, c.Per, m[3])
	}
	if c.Bound = bound; !c.Amount {
		c.Bound /= 100
	}
	if !c.Amount && c.Below && c.Bound <= -1 {
		return c, fmt.Errorf("%q: nothing falls by more than 100%%: this gate can never fail\nhint: leave out the %% for "+
			"a difference in the metric's unit, as of one that may be negative", text)
	}
	return c, nil
}

// Judged is the comparisons that a condition is about.
type Judged struct {
	Holding   []finding.Comparison // the whole interval satisfies the condition
	Undecided []finding.Comparison // part of the interval does, there is none, or the better direction is not known
	Passed    []finding.Comparison // no part of the interval does
}

// Count returns the number of comparisons; 0 if none was about the condition's metric.
func (j Judged) Count() int { return len(j.Holding) + len(j.Undecided) + len(j.Passed) }

// Judge sorts the comparisons of a condition's metric by what their intervals say of it.
func (c Condition) Judge(got finding.Compared) Judged {
	var out Judged
	for _, p := range got.Pairs {
		for _, v := range p.Verdicts {
			if !c.About(v.Metric) || v.Per != c.Per {
				continue
			}
			switch some, all := c.satisfiedBy(v); {
			case all:
				out.Holding = append(out.Holding, v)
			case some, Undirected(v):
				out.Undecided = append(out.Undecided, v)
			default:
				out.Passed = append(out.Passed, v)
			}
		}
	}
	return out
}

// Unrelated returns the sides without a figure per dollar, or another unit of the condition. Their price or size is not
// known, so that they can't be judged.
func (c Condition) Unrelated(got finding.Compared) []string {
	if c.Per == finding.PerMachine {
		return nil
	}
	type benchmark struct{ cell, metric string }
	of := func(v finding.Comparison) benchmark {
		return benchmark{v.Workload + " " + trialset.ParamsText(v.Params) + " " + v.Load, v.Metric}
	}
	var out []string
	for _, p := range got.Pairs {
		related := map[benchmark]bool{}
		for _, v := range p.Verdicts {
			if v.Per == c.Per {
				related[of(v)] = true
			}
		}
		lacks := func(v finding.Comparison) bool {
			return c.About(v.Metric) && v.Per == finding.PerMachine && v.Primary && !related[of(v)] &&
				trialset.IsRate(record.Metric{Unit: v.Unit, Better: v.Direction})
		}
		if i := slices.IndexFunc(p.Verdicts, lacks); i >= 0 {
			out = append(out, fmt.Sprintf("%s and %s were not compared by %s per %s, as at %s", p.B, p.A, p.Verdicts[i].Metric,
				c.Per, p.Verdicts[i].Load))
		}
	}
	return out
}

// Undirected reports whether a metric changed whose better direction is not known: no condition can tell a change that
// must not happen from one that may.
func Undirected(v finding.Comparison) bool {
	if trialset.Decidable(record.Metric{Better: v.Direction}) {
		return false
	}
	if v.Difference != nil {
		return v.Difference.P <= v.Ranked.Alpha
	}
	return v.Excludes(1)
}

// satisfiedBy reports whether some, and whether all of the changes that a comparison leaves possible satisfy the
// condition. Without an interval some may.
func (c Condition) satisfiedBy(v finding.Comparison) (some, all bool) {
	if c.byRanks(v) {
		return c.satisfiedByRanks(v)
	}
	return c.satisfiedByRatio(v)
}

// byRanks reports whether a comparison is judged by its values: those without a logarithm, and counts that the interval
// of their ratio leaves open. That interval has a floor, for measurements that a cap makes alike; counts are exact.
func (c Condition) byRanks(v finding.Comparison) bool {
	if c.Amount || v.Difference != nil {
		return true
	}
	some, all := c.satisfiedByRatio(v)
	return some && !all && !v.Estimate && v.N >= figure.MinReplicates && v.Ranked.Decides() && counts(v)
}

// counts reports whether all values are whole numbers of things.
func counts(v finding.Comparison) bool {
	return v.Unit != "s" && trialset.CountedIn(v.Unit) == "" &&
		!slices.ContainsFunc(slices.Concat(v.Ranked.A, v.Ranked.B), func(x float64) bool { return x != math.Trunc(x) })
}

// satisfiedByRatio goes by the interval of the ratio.
func (c Condition) satisfiedByRatio(v finding.Comparison) (some, all bool) {
	if !v.Bounded() || v.Estimate {
		return true, false
	}
	lo, hi := c.satisfies(*v.Lo-1), c.satisfies(*v.Hi-1)
	return lo || hi, lo && hi
}

// satisfiedByRanks tests the values of side b against those of side a, moved by the bound. The condition holds for all
// if the test rejects that move and the means satisfy the condition too. It holds for none if neither the interval of
// the median's change nor that of the mean's reaches the bound, since ranks do not see how large a rare value is.
func (c Condition) satisfiedByRanks(v finding.Comparison) (some, all bool) {
	r := v.Ranked
	if lo, hi, ok := amounts(v); c.Amount && ok {
		return c.satisfies(lo) || c.satisfies(hi), c.satisfies(lo) && c.satisfies(hi)
	}
	if !r.Decides() || v.N < figure.MinReplicates || v.Estimate {
		return true, false
	}
	a, b := stat.Mean(r.A), stat.Mean(r.B)
	move, change, mean := stat.ByShare(c.Bound), r.Relative, r.MeanShares()
	if c.Amount {
		move, change, mean = stat.By(c.Bound), r.Shift, r.MeanShift()
	}
	beyond, above := r.Beyond(move)
	if !c.Below {
		beyond = above
	}
	if beyond <= r.Alpha/2 && (b < move(a)) == c.Below {
		return true, true
	}
	_, ranks := change()
	return slices.ContainsFunc([]float64{ranks.Lo, ranks.Hi, mean.Lo, mean.Hi}, c.satisfies), false
}

// amounts returns the interval of the difference of two means that files state with their deviations. It comes from the
// interval of their ratio, times either mean. Each product leaves out the scatter of its mean, so the outer ends count.
func amounts(v finding.Comparison) (lo, hi float64, ok bool) {
	stated := len(v.Ranked.A) < v.N // values that the files state, of more runs
	if !stated || !v.Bounded() || v.Estimate || v.A <= 0 || v.B <= 0 || *v.Lo <= 0 {
		return 0, 0, false
	}
	return min(v.A*(*v.Lo-1), v.B*(1 - 1 / *v.Lo)), max(v.A*(*v.Hi-1), v.B*(1 - 1 / *v.Hi)), true
}

// About reports whether a metric is the condition's: one of several benchmarks of a run is named BENCHMARK:METRIC.
func (c Condition) About(metric string) bool {
	return metric == c.Metric || strings.HasSuffix(metric, ":"+c.Metric)
}

// satisfies reports whether a change of b against a satisfies the condition.
func (c Condition) satisfies(change float64) bool {
	if c.Below {
		return change < c.Bound
	}
	return change > c.Bound
}

// Of names what the condition is about, as its text does.
func (c Condition) Of() string {
	if c.Per == finding.PerMachine {
		return c.Metric
	}
	return c.Metric + "/" + c.Per
}

// Needless returns why a difference in the metric's unit is no condition: one of a time or a rate depends on the
// machine, and is more likely a percentage whose sign was forgotten. It is "" if it is one.
func (c Condition) Needless(all []finding.Comparison) string {
	for _, v := range all {
		if c.Amount && (v.Unit == "s" || trialset.CountedIn(v.Unit) != "") {
			return fmt.Sprintf("%s is in %s, and changes by a percentage", c.Metric, v.Unit)
		}
	}
	return ""
}

// ChangeText states the change of a comparison as the condition sees it: an interval in percent, or of the difference.
func (c Condition) ChangeText(v finding.Comparison) string {
	if c.Amount || appeared(v) || v.Difference == nil && c.byRanks(v) {
		if lo, hi, ok := amounts(v); ok && v.Difference == nil {
			v.Difference = &finding.Difference{Estimate: figure.Between(lo, hi).Around(v.B - v.A)}
		}
		if v.Difference == nil {
			v.Difference = differenceOf(v.Ranked)
		}
		return "changes from " + differenceText(v)
	}
	if !v.Bounded() || v.Estimate {
		return "has no interval"
	}
	text := "changes by " + figure.PercentSpan(v.Ends())
	if v.Difference != nil {
		means := v.Ranked.MeanShares()
		text += " by ranks, and its mean by " + figure.PercentSpan(1+means.Lo, 1+means.Hi)
	}
	return text
}

// PassedText states the range of the changes of comparisons that passed the condition.
func (c Condition) PassedText(all []finding.Comparison) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	var changes []string
	for _, v := range all {
		if c.Amount || appeared(v) || v.Difference == nil && c.byRanks(v) {
			changes = append(changes, strings.TrimPrefix(c.ChangeText(v), "changes "))
			continue
		}
		lo, hi = min(lo, *v.Lo), max(hi, *v.Hi)
	}
	text := c.Of()
	if lo <= hi {
		text += " " + figure.PercentSpan(lo, hi)
	}
	if len(changes) > 0 {
		text += " " + changes[0]
		if rest := len(changes) - 1; rest > 0 {
			text += fmt.Sprintf(" and %d more", rest)
		}
	}
	if len(all) > 1 {
		text += fmt.Sprintf(" in %d comparisons", len(all))
	}
	return text
}

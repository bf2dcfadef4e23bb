package trialset

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// Verdict is the conclusion of a comparison, by the rule of package stat that also ends a session.
type Verdict = stat.Verdict

// The verdicts. Equivalent wins if both could hold.
const (
	Different  = stat.Different
	Equivalent = stat.Equivalent
	Undecided  = stat.Undecided
)

// Rule returns the registered rule for verdicts.
func (r Preregistered) Rule() stat.Rule {
	return stat.RuleFor(r.Boundary, r.Margin, r.Quick)
}

// Within reports whether an interval lies inside the margin.
func (r Preregistered) Within(ratio stat.LogRatio) bool {
	delta := math.Log1p(r.Margin)
	return ratio.Hull.Within(-delta, delta)
}

// Winner returns which side of a log ratio of b to a is better.
func Winner(r stat.LogRatio, better record.Better) string {
	if (r.Mean > 0) == (better == record.Higher) {
		return "b"
	}
	return "a"
}

// Decidable reports whether one direction of the metric is better, so that there can be a verdict.
func Decidable(m record.Metric) bool { return m.Better == record.Higher || m.Better == record.Lower }

package trialset

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// Verdict is what a comparison of two sides concludes, by the rule of package stat that
// also ends a session.
type Verdict = stat.Verdict

// The verdicts. Equivalent wins where both could hold.
const (
	Different  = stat.Different
	Equivalent = stat.Equivalent
	Undecided  = stat.Undecided
)

// Rule is how verdicts were registered to be made.
func (r Preregistered) Rule() stat.Rule {
	return stat.RuleFor(r.Boundary, r.Margin, r.Quick)
}

// Within says whether an interval lies inside the margin.
func (r Preregistered) Within(ratio stat.LogRatio) bool {
	delta := math.Log1p(r.Margin)
	return ratio.Hull.Within(-delta, delta)
}

// Winner says which side is the better one of a log ratio of b to a.
func Winner(r stat.LogRatio, better record.Better) string {
	if (r.Mean > 0) == (better == record.Higher) {
		return "b"
	}
	return "a"
}

func Decidable(m record.Metric) bool { return m.Better == record.Higher || m.Better == record.Lower }

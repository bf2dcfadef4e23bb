package judge

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

// rule is how verdicts were registered to be made.
func (r registered) rule() stat.Rule {
	return stat.RuleFor(r.boundary, r.margin, r.quick)
}

// within says whether an interval lies inside the margin.
func (r registered) within(ratio stat.LogRatio) bool {
	delta := math.Log1p(r.margin)
	return ratio.Hull.Within(-delta, delta)
}

// winner says which side is the better one of a log ratio of b to a.
func winner(r stat.LogRatio, better record.Better) string {
	if (r.Mean > 0) == (better == record.Higher) {
		return "b"
	}
	return "a"
}

func decidable(m record.Metric) bool { return m.Better == record.Higher || m.Better == record.Lower }

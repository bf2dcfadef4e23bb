package judge

import (
	"math"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// byEstimate says that a comparison rests on too few runs for an interval, so that all there is to say of it is its estimate.
func byEstimate(c finding.Comparison) bool {
	return c.Primary && c.Lo == nil && c.Verdict == "" && c.N > 0 && c.N < estimate.MinReplicates && c.Ratio > 0 && (c.Direction == record.Higher || c.Direction == record.Lower)
}

// leaning is a comparison by estimate as one that is decided by its ratio alone, where that lies beyond the margin: to find what else follows, which then
// says of how many runs it is.
func leaning(c finding.Comparison) finding.Comparison {
	if !byEstimate(c) {
		return c
	}
	ratio := c.Ratio
	c.Lo, c.Hi, c.Verdict = &ratio, &ratio, trialset.Undecided
	if math.Abs(math.Log(ratio)) > math.Log1p(estimate.Margin) {
		c.Verdict, c.Better = trialset.Different, "a"
		if (ratio > 1) == (c.Direction == record.Higher) {
			c.Better = "b"
		}
	}
	return c
}

// leanings are the comparisons by estimate among those along an axis, as decided ones.
func leanings(all []located) []located {
	var out []located
	for _, l := range all {
		if byEstimate(l.c) {
			l.c = leaning(l.c)
			out = append(out, l)
		}
	}
	return out
}

// runsOf is how many runs a cell the comparisons of a row rest on at the least.
func runsOf(steps []step) int {
	runs := math.MaxInt
	for _, s := range steps {
		runs = min(runs, s.c.N)
	}
	return runs
}

package compare

import (
	"fmt"
	"math"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// flagDisturbed flags a verdict that changes if extra pairs replace the disturbed trials. lean is what corrected the
// session's own pairs for the stop; extra pairs came after it, and need no correction.
func flagDisturbed(c *finding.Comparison, s trialset.Sample, reg trialset.Preregistered, lean float64) {
	quiet := s.Undisturbed()
	own := s.Own().Undisturbed().N()
	disturbed := s.N() - own
	if disturbed == 0 {
		return
	}
	r, ok := quiet.Ratio(c.Metric, reg.Rule().Opts)
	if !ok || quiet.N() < estimate.MinReplicates {
		c.Flag("too-few-undisturbed", quiet.N(), s.N(), c.Each().Many())
		return
	}
	withoutDisturbed(c, r.Leaning(lean*float64(own)/float64(quiet.N())), reg,
		fmt.Sprintf("%d of %s", disturbed, c.Each().Count(s.N())))
}

// withoutDisturbed states the verdict without the disturbed trials, and flags it if it differs.
func withoutDisturbed(c *finding.Comparison, r stat.LogRatio, reg trialset.Preregistered, disturbed string) {
	verdict := reg.Rule().Verdict(r)
	c.Undisturbed = &finding.Undisturbed{Verdict: verdict, Ratio: math.Exp(r.Mean),
		Bounds: estimate.BoundsOf(r.Hull.Exp()), N: r.N}
	if verdict != c.Verdict {
		c.Flag("fragile-disturbed", verdict, r.N)
		return
	}
	c.Flag("disturbed", disturbed, verdict, r.N)
}

// flagFloor flags a verdict that rests on the floor of the standard deviation. Values that are equal due to a cap or a
// coarse clock give no certainty, and the other verdict would claim one.
//
// sd is the scatter of the trials, and ratio returns the ratio for the verdict.
func flagFloor(c *finding.Comparison, reg trialset.Preregistered, sd float64,
	ratio func(stat.Opts) (stat.PairedLogRatio, bool)) {
	const none = 1e-9 // not 0: equal values have no degrees of freedom
	rule := reg.Rule()
	rule.SDFloor = none
	r, ok := ratio(rule.Opts)
	if !ok {
		return
	}
	if bare := rule.Verdict(r.LogRatio); bare != c.Verdict {
		c.Flag("floor-decides", 100*sd, 100*stat.SDFloor, bare)
	}
}

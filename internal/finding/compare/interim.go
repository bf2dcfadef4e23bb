package compare

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/sequential"
	"plimsoll/internal/trialset"
)

// interimOf walks the pairs of a cell through the interim analyses of their session, by the metric that decides. The pairs of
// several sessions together had none in common, and are all taken.
func interimOf(m trialset.Matched, decider string, plans map[string]record.Plan) sequential.Cut {
	if trialset.PreregisteredFor(trialset.Sample{A: m.A, B: m.B}, plans).Sequential == 0 {
		return sequential.Cut{}
	}
	s := trialset.NewSample(m.A, m.B, decider)
	reg := trialset.PreregisteredFor(s, plans)
	if !s.Paired || reg.Sequential != 1 || reg.Boundary.Looks == nil {
		return sequential.Cut{}
	}
	seen := reg.Rule().Decide(s.Differences(decider))
	l := sequential.Cut{Session: true, Pairs: map[trialset.Slot]bool{}, Next: seen.Next}
	for _, t := range s.A[:seen.N] {
		l.Pairs[trialset.SlotOf(t)] = true
	}
	return l
}

// flagInterim flags a comparison that is not decided yet, and pairs that no common interim analyses ended.
func flagInterim(c *finding.Comparison, l sequential.Cut, reg trialset.Preregistered) {
	switch {
	case !c.Primary:
	case c.Paired && reg.Sequential > 1:
		c.Flag("looks-of-several-sessions", reg.Sequential)
	case l.None():
		c.Flag("no-look-yet", l.Next)
	case c.Verdict == trialset.Undecided && l.Next > 0:
		c.Flag("not-decided-yet", l.Next)
	}
}

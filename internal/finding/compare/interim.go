package compare

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/sequential"
	"plimsoll/internal/trialset"
)

// interimOf replays the interim analyses of a cell's session on its pairs, by the primary metric. Pairs of several
// sessions had none in common, and are all included.
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

// flagInterim flags an undecided comparison, and pairs from sessions without common interim analyses.
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

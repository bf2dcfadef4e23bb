package sequential

import (
	"plimsoll/internal/trialset"
)

// Cut holds the pairs of a comparison that a session's interim analyses have seen: all of its metrics rest on the pairs
// of the analysis that ended it, and on no later ones.
type Cut struct {
	Session bool                   // the pairs come from one session with interim analyses
	Pairs   map[trialset.Slot]bool // analysed pairs; nil for all
	Next    int                    // pairs at the next interim analysis; 0 if there is none, or the comparison is decided
}

// None reports whether there was no interim analysis yet.
func (l Cut) None() bool { return l.Session && len(l.Pairs) == 0 }

// Of returns the analysed pairs of a sample, or all of them before the first analysis.
func (l Cut) Of(s trialset.Sample) trialset.Sample {
	if !l.Session || l.None() || !s.Paired {
		return s
	}
	out := s
	out.A, out.B = nil, nil
	for i, t := range s.A {
		if l.Pairs[trialset.SlotOf(t)] {
			out.A, out.B = append(out.A, t), append(out.B, s.B[i])
		}
	}
	return out
}

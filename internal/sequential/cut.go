package sequential

import (
	"plimsoll/internal/trialset"
)

// Cut is what the looks of a session have seen of a comparison: all of its metrics rest
// on the pairs of the look that ended it, and on no later ones.
type Cut struct {
	Session bool                   // the pairs are those of one session with looks
	Pairs   map[trialset.Slot]bool // looked at; nil: all
	Next    int                    // pairs at the next look; 0: there is none, or it is decided
}

// None says that there was no look yet.
func (l Cut) None() bool { return l.Session && len(l.Pairs) == 0 }

// Of are the pairs of a sample that were looked at; all of them before the first look.
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

package stat

import "math"

// Verdict is what a session says about a ratio.
type Verdict string

// The verdicts. GoOn is for a session that may be looked at again.
const (
	Different  Verdict = "DIFFERENT"
	Equivalent Verdict = "EQUIVALENT"
	Undecided  Verdict = "UNDECIDED"
	GoOn       Verdict = "GO ON"
)

// Rule is what a session was registered to decide by, before its first pair.
type Rule struct {
	Opts
	Margin float64 // ln of the ratio up to which sides count as equivalent, such as ln 1.02
	Quick  bool    // too short for EQUIVALENT ever to be said
}

// RuleFor is the rule of a plan with that boundary and margin, a fraction such as 0.02.
func RuleFor(b Boundary, margin float64, quick bool) Rule {
	return Rule{Opts: OptsFor(b), Margin: math.Log1p(margin), Quick: quick}
}

// Look is what a session says at one of the looks of its boundary.
type Look struct {
	N       int // pairs looked at: of a longer session the first N; 0 before the first look
	Ratio   PairedLogRatio
	Verdict Verdict
	Next    int // pairs at the next look; 0 where there is none
	Needed  int // pairs that would decide, by Needed; 0 where it is decided or none was looked at
}

// Decide walks the session's pairs, whose log ratios are d in the order measured, through the
// looks of its boundary. It stops at the first look that decides, so that pairs that
// came in later change nothing, and is the last look otherwise: GoOn while another
// one is to come, Undecided after the last. A boundary without looks looks once, at all
// of d. The boundary makes the error rate hold over all looks together (METHOD section 2).
func (r Rule) Decide(d []float64) Look {
	looks := r.Boundary.Looks
	if looks == nil {
		return r.at(d, 0)
	}
	seen := Look{Verdict: GoOn, Next: looks[0], Ratio: PairedRatio(nil, r.Opts)}
	for i, n := range looks {
		if n > len(d) {
			break
		}
		next := 0
		if i+1 < len(looks) {
			next = looks[i+1]
		}
		if seen = r.at(d[:n], next); seen.Next == 0 {
			break
		}
	}
	return seen
}

// at is the look at all of d, which next follows if nothing is decided.
func (r Rule) at(d []float64, next int) Look {
	ratio := PairedRatio(d, r.Opts)
	l := Look{N: len(d), Ratio: ratio, Verdict: r.Verdict(ratio.LogRatio)}
	if l.Verdict != Undecided {
		return l
	}
	l.Needed = Needed(ratio.LogRatio, r.Margin)
	if l.Next = next; next > 0 {
		l.Verdict = GoOn
	}
	return l
}

// Verdict is what one interval says, whatever looks there are: inside the margin EQUIVALENT wins
// over DIFFERENT. It is never GoOn.
func (r Rule) Verdict(ratio LogRatio) Verdict {
	switch {
	case !r.Quick && ratio.Hull.Within(-r.Margin, r.Margin):
		return Equivalent
	case ratio.Hull.Excludes(0):
		return Different
	}
	return Undecided
}

// Needed estimates how many pairs would decide: n·(h/m)² of an interval of half-width
// h from n pairs and a margin m, a log, which bring the half-width down to the margin. Where it
// is below the margin already it has to leave out either 0 or the nearer end
// of the margin, and m is the distance to the farther one of the two. It is 0 where the
// half-width is not known.
func Needed(r LogRatio, margin float64) int {
	half, off := r.Hull.HalfWidth(), math.Abs(r.Mean)
	if math.IsInf(half, 0) || math.IsNaN(half) {
		return 0
	}
	target := margin
	if half <= target {
		target = max(off, target-off)
	}
	return max(r.N+1, int(math.Ceil(float64(r.N)*(half/target)*(half/target))))
}

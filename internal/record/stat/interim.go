package stat

import (
	"math"
	"slices"
)

// Verdict is the conclusion of a session about a ratio.
type Verdict string

// The verdicts. GoOn is for a session with interim analyses to come.
const (
	Different  Verdict = "DIFFERENT"
	Equivalent Verdict = "EQUIVALENT"
	Undecided  Verdict = "UNDECIDED"
	GoOn       Verdict = "GO ON"
)

// Rule is the decision rule that a session registered before its first pair.
type Rule struct {
	Opts
	Margin float64 // ln of the ratio up to which sides count as equivalent, such as ln 1.02
	Quick  bool    // too short to ever conclude EQUIVALENT
}

// RuleFor returns the rule of a plan with that boundary and margin, a fraction such as 0.02.
func RuleFor(b Boundary, margin float64, quick bool) Rule {
	return Rule{Opts: OptsFor(b), Margin: math.Log1p(margin), Quick: quick}
}

// Interim is the result of an interim analysis.
type Interim struct {
	N       int // pairs analysed: the first N of a longer session; 0 before the first analysis
	Ratio   PairedLogRatio
	Verdict Verdict
	Next    int // pairs at the next analysis; 0 if there is none
	Needed  int // estimated pairs for a decision, by Needed; 0 if decided or not yet analysed

	Futile *Futile // why it ended undecided before its last analysis; nil if it did not
	Ranked *Ranked // the values, if one of them has no logarithm and ranks decide: there is no ratio; else nil
}

// Futile is the reason to end a session undecided before its last interim analysis.
type Futile struct {
	Chance     float64 // that the pairs left would have decided
	Left       int     // pairs up to the last analysis
	Sufficient int     // pairs that would decide, by Rule.Sufficient; 0 if a thousand are too few
	SD         float64 // calmSpread of them, at least the floor
}

// SDFor returns the standard deviation at which as many pairs as were planned would decide; 0 if it is not known.
func (f Futile) SDFor(planned int) float64 {
	if f.Sufficient == 0 {
		return 0
	}
	return f.SD * math.Sqrt(float64(planned)/float64(f.Sufficient))
}

// Decide runs the interim analyses of the session's boundary over its pairs, by their log ratios d in the order
// measured. It stops at the first that decides, or that leaves too small a chance of a decision, so that later pairs
// change nothing; otherwise it returns the last: GoOn while another one is to come, Undecided after the last. A
// boundary without interim analyses has one, of all of d. The boundary bounds the error rate over all of them together
// (docs/method.md#when-a-comparison-stops).
func (r Rule) Decide(d []float64) Interim {
	return r.analyses(len(d), func(n, next int) Interim { return r.at(d[:n], next) })
}

// DecideValues is Decide for pairs by their values. An analysis of a value that is not positive is by ranks and
// differences, and leaves out no pair (docs/derivations.md#zeros-and-counts): no such session is futile, since nothing
// is known beforehand of what ranks will tell.
func (r Rule) DecideValues(a, b []float64) Interim {
	d := pairwise(Logs(a), Logs(b))
	return r.analyses(len(d), func(n, next int) Interim {
		if math.IsNaN(Mean(d[:n])) && n > 0 {
			return r.byRanks(a[:n], b[:n], next)
		}
		return r.at(d[:n], next)
	})
}

// byRanks analyses values by ranks; the next analysis follows unless this one decides.
func (r Rule) byRanks(a, b []float64, next int) Interim {
	x := r.Ranked(a, b, true, 1)
	l := Interim{N: len(a), Ratio: PairedRatio(nil, r.Opts), Ranked: &x, Verdict: r.RankVerdict(x)}
	if l.Verdict == Undecided && next > 0 {
		l.Verdict, l.Next = GoOn, next
	}
	return l
}

// analyses runs the interim analyses of so many pairs; at analyses the first n of them.
func (r Rule) analyses(pairs int, at func(n, next int) Interim) Interim {
	looks := r.Boundary.Looks
	if looks == nil {
		return at(pairs, 0)
	}
	seen := Interim{Verdict: GoOn, Next: looks[0], Ratio: PairedRatio(nil, r.Opts)}
	for i, n := range looks {
		if n > pairs {
			break
		}
		next := 0
		if i+1 < len(looks) {
			next = looks[i+1]
		}
		if seen = at(n, next); seen.Next == 0 {
			break
		}
	}
	return seen
}

// Lean returns what to add to the mean log ratio of a session for its median-unbiased estimate (Unbiased), which lies
// within the interval: 0 without interim analyses, and by ranks. d is what Decide has seen. A session that is not
// decided yet counts as one that ends with its last analysis so far: whoever breaks it off there would not have seen
// the later ones.
func (r Rule) Lean(seen Interim, d []float64) float64 {
	if seen.N == 0 || seen.Ranked != nil {
		return 0
	}
	looks := r.Boundary.Looks
	if seen.Verdict == GoOn {
		looks = slices.DeleteFunc(slices.Clone(looks), func(n int) bool { return n > seen.N })
	}
	mean := seen.Ratio.Mean
	return seen.Ratio.Leaning(r.Unbiased(mean, pairSpread(d[:seen.N]), looks)-mean).Mean - mean
}

// at analyses all of d; the next analysis follows unless this one decides.
func (r Rule) at(d []float64, next int) Interim {
	ratio := PairedRatio(d, r.Opts)
	l := Interim{N: len(d), Ratio: ratio, Verdict: r.Verdict(ratio.LogRatio)}
	if l.Verdict != Undecided {
		return l
	}
	l.Needed = Needed(ratio.LogRatio, r.Margin)
	if l.Next = next; next == 0 {
		return l
	}
	last, spread := r.Boundary.Looks[len(r.Boundary.Looks)-1], calmSpread(d)
	if r.Boundary.Futile > 0 && len(d) >= MinRanks {
		if chance := r.Chance(len(d), ratio.Mean, spread); chance < r.Boundary.Futile {
			l.Next, l.Futile = 0, &Futile{Chance: chance, Left: last - len(d),
				Sufficient: r.Sufficient(ratio.Mean, spread, len(d)), SD: math.Max(spread, r.SDFloor)}
			return l
		}
	}
	l.Verdict = GoOn
	return l
}

// Verdict returns the conclusion from one interval, regardless of interim analyses: inside the margin EQUIVALENT takes
// precedence over DIFFERENT. It is never GoOn.
func (r Rule) Verdict(ratio LogRatio) Verdict {
	switch {
	case !r.Quick && ratio.Hull.Within(-r.Margin, r.Margin):
		return Equivalent
	case ratio.Hull.Excludes(0):
		return Different
	}
	return Undecided
}

// Needed estimates how many pairs would decide: n·(h/m)², given an interval of half-width h from n pairs and a margin
// m, a log, brings the half-width down to the margin. If it is below the margin already, the interval has to exclude
// either 0 or the nearer end of the margin, and m is the distance to the farther of the two. It is 0 if the half-width
// is unknown.
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

// RunsFor estimates how many runs bring the half-width of a 95% interval of n runs down to a target in the same unit.
// It assumes the same standard deviation, and Student's t of the larger number. It is 0 above most, and below two runs.
func RunsFor(half float64, n int, target float64, most int) int {
	if n < 2 || math.IsNaN(half) || math.IsInf(half, 0) {
		return 0
	}
	const alpha = .05
	sd := half * math.Sqrt(float64(n)) / tCrit(alpha, float64(n-1))
	for runs := n; runs <= most; runs++ {
		if tCrit(alpha, float64(runs-1))*sd <= target*math.Sqrt(float64(runs)) {
			return runs
		}
	}
	return 0
}

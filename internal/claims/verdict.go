package claims

import (
	"fmt"
	"math"
)

// Verdict says whether the words of a claim hold.
type Verdict string

// The verdicts, from the best to the worst, and Info for a claim that states no figure.
const (
	Exact   Verdict = "exact"   // what is stated, and not only to its last digit
	Rounded Verdict = "rounded" // rounds to what is stated
	Loose   Verdict = "loose"   // does not round to it, and is less than a factor of two off
	Wrong   Verdict = "wrong"   // another unit's figure, another base's, another sign, or a factor of two off
	Info    Verdict = "info"    // nothing is stated
)

// fine is how far an exact figure may be off, of itself: facts have about as
// many digits.
const fine = 1e-4

// judge compares what is computed with what is stated, nil for nothing. Where that
// is wrong, why says in what way.
func judge(s *Stated, computed float64, unit string) (v Verdict, why string) {
	switch {
	case s == nil:
		return Info, ""
	case s.is(computed) && math.Abs(computed-s.Value) <= fine*math.Abs(s.Value):
		return Exact, ""
	case s.is(computed):
		return Rounded, ""
	}
	for _, reason := range []string{otherUnit(*s, computed, unit), otherBase(*s, computed, unit), otherSize(*s, computed)} {
		if reason != "" {
			return Wrong, reason
		}
	}
	return Loose, ""
}

// otherBase finds a change told from the wrong side: what is 20 % cheaper is what
// the other is 25 % dearer than.
func otherBase(s Stated, computed float64, unit string) string {
	if unit != "%" {
		return ""
	}
	for _, base := range []float64{100 - computed, 100 + computed} {
		if base != 0 && s.isRather(100*computed/base, computed) {
			return fmt.Sprintf("%s %% is the same change told from the other side", s.Text)
		}
	}
	return ""
}

// farOff is the factor from which a figure is wrong.
const farOff = 2

// otherSize finds figures that are far off even from the nearest number that
// rounds to what is stated. A stated 0 has no size to be off from.
func otherSize(s Stated, computed float64) string {
	stated, got := math.Abs(s.Value), math.Abs(computed)
	switch {
	case stated == 0:
		return ""
	case computed == 0:
		return "it is nothing"
	case s.Value < 0 != (computed < 0):
		return "its sign is the other one"
	case got > farOff*(stated+s.step/2):
		return fmt.Sprintf("it is %s times what is stated", factorText(got/stated))
	case farOff*got < stated-s.step/2:
		return fmt.Sprintf("what is stated is %s times it", factorText(stated/got))
	}
	return ""
}

// factorText keeps factors that people read free of exponents.
func factorText(factor float64) string {
	if factor >= 100 && factor < 1e6 {
		return fmt.Sprintf("%.0f", factor)
	}
	return fmt.Sprintf("%.3g", factor)
}

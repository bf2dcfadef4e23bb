package judge

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// decide gives the verdict on a log ratio (METHOD section 2 and its
// amendments). Inside the margin EQUIVALENT wins over DIFFERENT; a quick
// session is too short to say EQUIVALENT.
func decide(r stat.LogRatio, reg registered) Verdict {
	switch {
	case !reg.quick && equal(r, reg.margin):
		return Equivalent
	case r.Hull.Excludes(0):
		return Different
	}
	return Undecided
}

func equal(r stat.LogRatio, margin float64) bool {
	delta := math.Log1p(margin)
	return r.Hull.Within(-delta, delta)
}

// needed estimates how many pairs, or values a side, would decide: as many as
// bring the half-width down to the margin. Where it is below the margin already, it
// has to leave out either no difference or the nearer end of the margin.
func needed(r stat.LogRatio, margin float64) int {
	target := math.Log1p(margin)
	if r.Hull.HalfWidth() <= target {
		target = max(math.Abs(r.Mean), target-math.Abs(r.Mean))
	}
	shrink := r.Hull.HalfWidth() / target
	return max(r.N+1, int(math.Ceil(float64(r.N)*shrink*shrink)))
}

// winner says which side is the better one of a log ratio of b to a.
func winner(r stat.LogRatio, better record.Better) string {
	if (r.Mean > 0) == (better == record.Higher) {
		return "b"
	}
	return "a"
}

func decidable(m record.Metric) bool { return m.Better == record.Higher || m.Better == record.Lower }

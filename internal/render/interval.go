package render

import "math"

// minReplicates is the number of replicates below which there is no interval.
const minReplicates = 3

// span is an estimate with its interval, which may be absent.
type span struct {
	value  float64
	lo, hi *float64
}

// bounded reports whether there is an interval.
func (s span) bounded() bool {
	return s.lo != nil && s.hi != nil && isFinite(*s.lo) && isFinite(*s.hi)
}

// values lists what a scale or an axis must hold.
func (s span) values() []float64 {
	if s.bounded() {
		return []float64{s.value, *s.lo, *s.hi}
	}
	return []float64{s.value}
}

// interval writes "5.79 to 5.84 GB/s", or "" where there is none.
func (s span) interval(u scale) string {
	if !s.bounded() {
		return ""
	}
	sig := s.digits(u)
	text := u.numberLike(*s.lo, s.value, sig) + " to " + u.numberLike(*s.hi, s.value, sig)
	if u.Unit != "" {
		text += " " + u.Unit
	}
	return text
}

// estimate writes the value as precisely as its interval.
func (s span) estimate(u scale) string { return u.text(s.value, s.digits(u)) }

// digits gives the fourth digit where three would leave an interval that is
// less than three units of its last digit wide.
func (s span) digits(u scale) int {
	if !s.bounded() || !isFinite(s.value) {
		return digits
	}
	step := math.Pow10(-decimals(s.value/u.factor, digits))
	if (*s.hi-*s.lo)/u.factor < 3*step {
		return fineDigits
	}
	return digits
}

package figure

import (
	"math"
)

// MinReplicates is the number of replicates below which there is no interval.
const MinReplicates = 3

// Span is an estimate with its interval, which may be absent.
type Span struct {
	Value  float64
	Lo, Hi *float64
}

// Bounded reports whether there is an interval.
func (s Span) Bounded() bool {
	return s.Lo != nil && s.Hi != nil && IsFinite(*s.Lo) && IsFinite(*s.Hi)
}

// wideFrom is the ratio of an interval's ends from which on it says nothing.
const wideFrom = 2

// TooWide reports whether there is an interval whose ends are over a factor of two apart.
func (s Span) TooWide() bool {
	if !s.Bounded() || *s.Lo == 0 && *s.Hi == 0 {
		return false
	}
	small, large := math.Min(math.Abs(*s.Lo), math.Abs(*s.Hi)), math.Max(math.Abs(*s.Lo), math.Abs(*s.Hi))
	return *s.Lo**s.Hi <= 0 || large/small > wideFrom
}

// Values returns the values that a scale or an axis must cover.
func (s Span) Values() []float64 {
	if s.Bounded() {
		return []float64{s.Value, *s.Lo, *s.Hi}
	}
	return []float64{s.Value}
}

// Interval formats the interval as "5.79 to 5.84 GB/s", or returns "" if there is none.
func (s Span) Interval(u Scale) string {
	if !s.Bounded() {
		return ""
	}
	return u.Joined(s.BareInterval(u))
}

// BareInterval formats the interval without its unit.
func (s Span) BareInterval(u Scale) string {
	if !s.Bounded() {
		return ""
	}
	sig := s.digits(u)
	return u.NumberLike(*s.Lo, s.Value, sig) + " to " + u.NumberLike(*s.Hi, s.Value, sig)
}

// Estimate formats the value as precisely as its interval.
func (s Span) Estimate(u Scale) string { return u.Text(s.Value, s.digits(u)) }

// digits returns the number of significant digits: a fourth if with three the interval would be less than three units
// of the last digit wide.
func (s Span) digits(u Scale) int {
	if !s.Bounded() || !IsFinite(s.Value) {
		return Digits
	}
	step := math.Pow10(-Decimals(s.Value/u.Factor, Digits))
	if (*s.Hi-*s.Lo)/u.Factor < 3*step {
		return FineDigits
	}
	return Digits
}

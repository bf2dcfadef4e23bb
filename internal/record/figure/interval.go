package figure

import (
	"math"
)

// MinReplicates is how many independent values an interval needs.
const MinReplicates = 3

// Estimate is a value with its 95% confidence interval.
type Estimate struct {
	Value float64 `json:"value"`
	Bounds
}

// Values returns the values that a scale or an axis must cover.
func (e Estimate) Values() []float64 {
	if e.Bounded() {
		return []float64{e.Value, *e.Lo, *e.Hi}
	}
	return []float64{e.Value}
}

// Interval formats the interval as "5.79 to 5.84 GB/s", or returns "" if there is none.
func (e Estimate) Interval(u Scale) string {
	if !e.Bounded() {
		return ""
	}
	return u.Joined(e.BareInterval(u))
}

// BareInterval formats the interval without its unit.
func (e Estimate) BareInterval(u Scale) string {
	if !e.Bounded() {
		return ""
	}
	sig := e.digits(u)
	return u.NumberLike(*e.Lo, e.Value, sig) + " to " + u.NumberLike(*e.Hi, e.Value, sig)
}

// Estimate formats the value as precisely as its interval.
func (e Estimate) Estimate(u Scale) string { return u.Text(e.Value, e.digits(u)) }

// digits returns the number of significant digits: a fourth if with three the interval would be less than three units
// of the last digit wide.
func (e Estimate) digits(u Scale) int {
	if !e.Bounded() || !IsFinite(e.Value) {
		return Digits
	}
	step := math.Pow10(-Decimals(e.Value/u.Factor, Digits))
	if (*e.Hi-*e.Lo)/u.Factor < 3*step {
		return FineDigits
	}
	return Digits
}

// Scale returns the estimate times a factor over 0.
func (e Estimate) Scale(by float64) Estimate {
	f := func(v float64) float64 { return v * by }
	return Estimate{f(e.Value), e.rising(f)}
}

// Inverse returns n over the estimate.
func (e Estimate) Inverse(n float64) Estimate {
	f := func(v float64) float64 { return n / v }
	return Estimate{f(e.Value), e.falling(f)}
}

// Complement returns 1 less the estimate.
func (e Estimate) Complement() Estimate {
	f := func(v float64) float64 { return 1 - v }
	return Estimate{f(e.Value), e.falling(f)}
}

// Within returns the estimate with its interval cut to the possible values.
func (e Estimate) Within(least, most float64) Estimate {
	if e.Bounded() {
		e.Bounds = Between(max(*e.Lo, least), min(*e.Hi, most))
	}
	return e
}

package figure

import (
	"math"
)

// MinReplicates is how many independent values an interval needs.
const MinReplicates = 3

// Estimate is a value with its 95% confidence interval.
type Estimate struct {
	Value float64  `json:"value"`
	Lo    *float64 `json:"lo"` // nil if there is no interval, as below three replicates
	Hi    *float64 `json:"hi"`
}

// Bounded reports whether there is an interval.
func (e Estimate) Bounded() bool {
	return e.Lo != nil && e.Hi != nil && IsFinite(*e.Lo) && IsFinite(*e.Hi)
}

// wideFrom is the ratio of an interval's ends from which on it says nothing.
const wideFrom = 2

// TooWide reports whether there is an interval whose ends are over a factor of two apart.
func (e Estimate) TooWide() bool {
	if !e.Bounded() || *e.Lo == 0 && *e.Hi == 0 {
		return false
	}
	small, large := math.Min(math.Abs(*e.Lo), math.Abs(*e.Hi)), math.Max(math.Abs(*e.Lo), math.Abs(*e.Hi))
	return *e.Lo**e.Hi <= 0 || large/small > wideFrom
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
	return e.rising(func(v float64) float64 { return v * by })
}

// Inverse returns n over the estimate.
func (e Estimate) Inverse(n float64) Estimate {
	return e.falling(func(v float64) float64 { return n / v })
}

// Complement returns 1 less the estimate.
func (e Estimate) Complement() Estimate {
	return e.falling(func(v float64) float64 { return 1 - v })
}

// Within returns the estimate with its interval cut to the possible values.
func (e Estimate) Within(least, most float64) Estimate {
	if e.Lo != nil {
		lo, hi := max(*e.Lo, least), min(*e.Hi, most)
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}

// Above reports whether the whole interval is above v.
func (e Estimate) Above(v float64) bool { return e.Lo != nil && *e.Lo > v }

// Below reports whether the whole interval is below v.
func (e Estimate) Below(v float64) bool { return e.Hi != nil && *e.Hi < v }

// rising returns the estimate under a rising function.
func (e Estimate) rising(f func(float64) float64) Estimate {
	of := func(end *float64) *float64 {
		if end == nil {
			return nil
		}
		v := f(*end)
		return &v
	}
	return Estimate{f(e.Value), of(e.Lo), of(e.Hi)}
}

// falling returns the estimate under a falling function, which swaps the ends of the interval.
func (e Estimate) falling(f func(float64) float64) Estimate {
	out := e.rising(f)
	out.Lo, out.Hi = out.Hi, out.Lo
	return out
}

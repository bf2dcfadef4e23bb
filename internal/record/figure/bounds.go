package figure

import "math"

// Bounds are the ends of a confidence interval.
type Bounds struct {
	Lo *float64 `json:"lo"` // nil if there is no interval, as below three replicates
	Hi *float64 `json:"hi"`
}

// Between returns the bounds lo and hi, or none if one of them is not finite.
func Between(lo, hi float64) Bounds {
	if !IsFinite(lo) || !IsFinite(hi) {
		return Bounds{}
	}
	return Bounds{&lo, &hi}
}

// Around returns an estimate with these bounds.
func (b Bounds) Around(value float64) Estimate { return Estimate{value, b} }

// Bounded reports whether there is an interval.
func (b Bounds) Bounded() bool {
	return b.Lo != nil && b.Hi != nil && IsFinite(*b.Lo) && IsFinite(*b.Hi)
}

// Ends returns both bounds, NaN if there is no interval.
func (b Bounds) Ends() (lo, hi float64) {
	if !b.Bounded() {
		return math.NaN(), math.NaN()
	}
	return *b.Lo, *b.Hi
}

// Above reports whether the whole interval is above v.
func (b Bounds) Above(v float64) bool { return b.Lo != nil && *b.Lo > v }

// Below reports whether the whole interval is below v.
func (b Bounds) Below(v float64) bool { return b.Hi != nil && *b.Hi < v }

// Excludes reports whether v is outside of the interval. If there is none, nothing is excluded.
func (b Bounds) Excludes(v float64) bool { return b.Above(v) || b.Below(v) }

// wideFrom is the ratio of an interval's ends from which on it says nothing.
const wideFrom = 2

// TooWide reports whether there is an interval whose ends are over a factor of two apart.
func (b Bounds) TooWide() bool {
	if !b.Bounded() || *b.Lo == 0 && *b.Hi == 0 {
		return false
	}
	small, large := math.Min(math.Abs(*b.Lo), math.Abs(*b.Hi)), math.Max(math.Abs(*b.Lo), math.Abs(*b.Hi))
	return *b.Lo**b.Hi <= 0 || large/small > wideFrom
}

// rising returns the bounds under a rising function.
func (b Bounds) rising(f func(float64) float64) Bounds {
	of := func(end *float64) *float64 {
		if end == nil {
			return nil
		}
		v := f(*end)
		return &v
	}
	return Bounds{of(b.Lo), of(b.Hi)}
}

// falling returns the bounds under a falling function, which swaps them.
func (b Bounds) falling(f func(float64) float64) Bounds {
	out := b.rising(f)
	return Bounds{out.Hi, out.Lo}
}

package figure

import (
	"math"
	"slices"
	"strconv"
)

// logFrom is the ratio of the largest to the smallest value from which an axis is logarithmic: on a linear one small
// intervals would be indistinguishable.
const logFrom = 10

// axisTicks is the maximum number of ticks on a linear axis.
const axisTicks = 7

// leastSpan is the minimum width of a linear axis as a share of its values: a narrower one would make noise look like a
// difference.
const leastSpan = 0.1

// AxisPad is the share of the axis left free at either end.
const AxisPad = 0.05

// Axis maps values to places between 0 and 1.
type Axis struct {
	Lo, Hi float64 // in the unit of the values, padded
	Log    bool
}

// NewAxis returns an axis that covers the finite values, and false if there are none.
func NewAxis(values []float64) (Axis, bool) {
	values = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !IsFinite(v) })
	if len(values) == 0 {
		return Axis{}, false
	}
	a := Axis{Lo: slices.Min(values), Hi: slices.Max(values)}
	if a.Lo == 0 && a.Hi == 0 {
		a.Lo, a.Hi = -1, 1
	}
	if missing := leastSpan*math.Max(math.Abs(a.Lo), math.Abs(a.Hi)) - (a.Hi - a.Lo); missing > 0 {
		a.Lo, a.Hi = a.Lo-missing/2, a.Hi+missing/2
	}
	a.Log = a.Lo > 0 && a.Hi/a.Lo >= logFrom
	lo, hi := a.map1(a.Lo), a.map1(a.Hi)
	pad := (hi - lo) * AxisPad
	a.Lo, a.Hi = a.unmap(lo-pad), a.unmap(hi+pad)
	return a, true
}

// map1 converts a value to the axis' own scale, on which it is even.
func (a Axis) map1(v float64) float64 {
	if a.Log {
		return math.Log10(v)
	}
	return v
}

// unmap reverts map1.
func (a Axis) unmap(v float64) float64 {
	if a.Log {
		return math.Pow(10, v)
	}
	return v
}

// At returns the place of v; a value beyond the axis lies at its end.
func (a Axis) At(v float64) float64 {
	if a.Log && v <= 0 {
		return 0
	}
	lo, hi := a.map1(a.Lo), a.map1(a.Hi)
	return min(max((a.map1(v)-lo)/(hi-lo), 0), 1)
}

// Holds reports whether v lies within the axis.
func (a Axis) Holds(v float64) bool { return v >= a.Lo && v <= a.Hi }

// Ticks returns round values within the axis, ascending, round in the unit of u.
func (a Axis) Ticks(u Scale) []float64 {
	lo, hi := a.Lo/u.Factor, a.Hi/u.Factor
	var out []float64
	if a.Log {
		out = logTicks(lo, hi)
	}
	if len(out) < 2 {
		out = linearTicks(lo, hi)
	}
	for i := range out {
		out[i] *= u.Factor
	}
	return out
}

func linearTicks(lo, hi float64) []float64 {
	step := niceStep((hi - lo) / axisTicks)
	var out []float64
	for i := math.Ceil(lo / step); i <= math.Floor(hi/step); i++ {
		out = append(out, i*step)
	}
	return out
}

// niceStep returns the smallest of 1, 2 and 5 times a power of ten that is at least v.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*power {
			return m * power
		}
	}
	return 10 * power
}

// logTicks returns 1, 2 and 5 of every decade, or whole decades if there are many.
func logTicks(lo, hi float64) []float64 {
	steps := []float64{1, 2, 5}
	if math.Log10(hi/lo) > 2.5 {
		steps = steps[:1]
	}
	var out []float64
	for d := math.Floor(math.Log10(lo)); d <= math.Log10(hi); d++ {
		for _, m := range steps {
			if v := m * math.Pow(10, d); v >= lo && v <= hi {
				out = append(out, v)
			}
		}
	}
	return out
}

// TickText formats a tick; linear ticks have the decimals of their step, so that they align.
func TickText(v float64, values []float64, u Scale) string {
	places := 0
	for i := 1; i < len(values); i++ {
		step := (values[i] - values[i-1]) / u.Factor
		places = max(places, int(math.Ceil(-math.Log10(step)-1e-9)))
	}
	if len(values) > 2 && math.Abs(values[2]-2*values[1]+values[0]) > 1e-6*math.Abs(values[2]) {
		return strconv.FormatFloat(RoundTo(v, Digits), 'f', -1, 64)
	}
	return Fixed(v, places)
}

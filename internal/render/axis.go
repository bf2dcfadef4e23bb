package render

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// logFrom is the ratio of the largest to the smallest value from which an axis
// is logarithmic: on a linear one the small intervals could not be told apart.
const logFrom = 10

// axisTicks is the most ticks that a linear axis has.
const axisTicks = 7

// axisPad is the share of the axis left free at either end.
const axisPad = 0.05

// axis maps values to places between 0 and 1.
type axis struct {
	lo, hi float64 // in the unit of the values, padded
	log    bool
}

// newAxis covers the finite values. The second result is false without any.
func newAxis(values []float64) (axis, bool) {
	values = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !isFinite(v) })
	if len(values) == 0 {
		return axis{}, false
	}
	a := axis{lo: slices.Min(values), hi: slices.Max(values)}
	if a.lo == a.hi {
		margin := math.Abs(a.lo) * 0.01
		if margin == 0 {
			margin = 1
		}
		a.lo, a.hi = a.lo-margin, a.hi+margin
	}
	a.log = a.lo > 0 && a.hi/a.lo >= logFrom
	lo, hi := a.map1(a.lo), a.map1(a.hi)
	pad := (hi - lo) * axisPad
	a.lo, a.hi = a.unmap(lo-pad), a.unmap(hi+pad)
	return a, true
}

// map1 takes a value to the axis' own measure, in which it is even.
func (a axis) map1(v float64) float64 {
	if a.log {
		return math.Log10(v)
	}
	return v
}

func (a axis) unmap(v float64) float64 {
	if a.log {
		return math.Pow(10, v)
	}
	return v
}

// at is the place of v; a value beyond the axis lies at its end.
func (a axis) at(v float64) float64 {
	if a.log && v <= 0 {
		return 0
	}
	lo, hi := a.map1(a.lo), a.map1(a.hi)
	return min(max((a.map1(v)-lo)/(hi-lo), 0), 1)
}

func (a axis) holds(v float64) bool { return v >= a.lo && v <= a.hi }

// ticks are round values within the axis, rising, round in the unit of u.
func (a axis) ticks(u scale) []float64 {
	lo, hi := a.lo/u.factor, a.hi/u.factor
	var out []float64
	if a.log {
		out = logTicks(lo, hi)
	}
	if len(out) < 2 {
		out = linearTicks(lo, hi)
	}
	for i := range out {
		out[i] *= u.factor
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

// niceStep is the smallest of 1, 2 and 5 times a power of ten that is at least v.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*power {
			return m * power
		}
	}
	return 10 * power
}

// logTicks are 1, 2 and 5 of every decade, or whole decades where there are many.
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

// tick is one mark of an axis, placed for SVG.
type tick struct {
	X, Anchor, Text string
}

func (a axis) marks(u scale) []tick {
	values := a.ticks(u)
	var out []tick
	for _, v := range values {
		at := a.at(v)
		out = append(out, tick{X: svgPercent(at), Anchor: anchor(at), Text: tickText(v/u.factor, values, u)})
	}
	return out
}

// tickText gives linear ticks the decimals of their step, so that they align.
func tickText(v float64, values []float64, u scale) string {
	places := 0
	for i := 1; i < len(values); i++ {
		step := (values[i] - values[i-1]) / u.factor
		places = max(places, int(math.Ceil(-math.Log10(step)-1e-9)))
	}
	if len(values) > 2 && math.Abs(values[2]-2*values[1]+values[0]) > 1e-6*math.Abs(values[2]) {
		return strconv.FormatFloat(roundTo(v, digits), 'f', -1, 64)
	}
	return fixed(v, places)
}

// anchor keeps a label inside the plot.
func anchor(at float64) string {
	switch {
	case at < 0.06:
		return "start"
	case at > 0.94:
		return "end"
	}
	return "middle"
}

// svgPercent writes a place as SVG takes it.
func svgPercent(at float64) string { return fmt.Sprintf("%.2f%%", at*100) }

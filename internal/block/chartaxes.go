package block

import (
	"math"

	"plimsoll/internal/figure"
)

// MeasuredAxis returns a logarithmic horizontal axis with ticks at the measured values, which ascend.
func MeasuredAxis(name string, at []float64, label func(float64) string) Axis {
	lo, hi := at[0], at[len(at)-1]
	pad := math.Pow(hi/lo, figure.AxisPad)
	a := Axis{Name: name, Lo: Number(lo / pad), Hi: Number(hi * pad), Log: true}
	for _, v := range at {
		a.Ticks = append(a.Ticks, Tick{At: Number(v), Text: label(v)})
	}
	return a
}

// FromZero returns a vertical axis from 0 to above the highest value.
func FromZero(name, unit string, top float64) (Axis, figure.Scale) {
	u := figure.ScaleFor(unit, top)
	if top <= 0 {
		top = u.Factor
	}
	return Axis{Name: name, Unit: u.Unit, Hi: Number(top * (1 + figure.AxisPad) / u.Factor)}, u
}

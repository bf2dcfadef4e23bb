package html

import (
	"fmt"

	"plimsoll/internal/figure"
)

// Tick is one mark of an axis, placed for SVG.
type Tick struct {
	X, Anchor, Text string
}

// Marks are an axis' ticks, placed.
func Marks(a figure.Axis, u figure.Scale) []Tick {
	values := a.Ticks(u)
	var out []Tick
	for _, v := range values {
		at := a.At(v)
		out = append(out, Tick{X: svgPercent(at), Anchor: anchor(at), Text: figure.TickText(v/u.Factor, values, u)})
	}
	return out
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

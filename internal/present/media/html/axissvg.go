package html

import (
	"fmt"

	"plimsoll/internal/record/figure"
)

// Tick is one mark of an axis, placed for SVG.
type Tick struct {
	X, Anchor, Text string
}

// Marks returns an axis' ticks, placed for SVG.
func Marks(a figure.Axis, u figure.Scale) []Tick {
	values := a.Ticks(u)
	var out []Tick
	for _, v := range values {
		at := a.At(v)
		out = append(out, Tick{X: svgPercent(at), Anchor: anchor(at), Text: figure.TickText(v/u.Factor, values, u)})
	}
	return out
}

// anchor returns the text anchor that keeps a label inside the plot.
func anchor(at float64) string {
	switch {
	case at < 0.06:
		return "start"
	case at > 0.94:
		return "end"
	}
	return "middle"
}

// svgPercent formats a place for SVG.
func svgPercent(at float64) string { return fmt.Sprintf("%.2f%%", at*100) }

package html

import (
	"math"
	"slices"

	"github.com/rivo/uniseg"

	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// The dimensions of a plot, in CSS pixels. Places along the axis are percentages, so that text keeps its size on a
// phone.
const (
	rowHeight   = 48
	labelHeight = 14 // of a row's text, its baseline
	trackMiddle = 31 // of a row, from its top
	dotSpread   = 5  // dots of one row lie on three lines, so that overlaps are visible
	tickHeight  = 22
	leastWidth  = .002 // of the axis: narrower intervals and bars would be invisible
)

// plotView is a plot as the page's template draws it.
type plotView struct {
	block.Plot
	Ticks        []Tick
	Rows         []plotRowView
	BandX, BandW string // "" without a band
	OneX         string // "" without a line
}

type plotRowView struct {
	block.Row
	Top      int
	X, Right string // of the interval; "" without one
	W        string
	Estimate string // "" without one
	BarX     string // "" without a bar
	BarW     string
	Dots     []dotView
}

type dotView struct {
	block.Dot
	X  string
	Up int
}

func drawnPlot(p block.Plot) plotView {
	v := plotView{Plot: p, Ticks: Marks(p.Scale, p.Unit)}
	if p.Band != nil {
		v.BandX, v.BandW = stretch(p.Scale, p.Band[0], p.Band[1], 0)
	}
	if p.One != nil {
		v.OneX = svgPercent(p.Scale.At(*p.One))
	}
	for i, r := range p.Rows {
		row := plotRowView{Row: r, Top: i * rowHeight}
		row.place(p.Scale)
		v.Rows = append(v.Rows, row)
	}
	return v
}

// place computes the positions of a row's marks on the axis.
func (r *plotRowView) place(a figure.Axis) {
	for _, d := range r.Row.Dots {
		r.Dots = append(r.Dots, dotView{d, svgPercent(a.At(d.Value)), (d.Nth%3 - 1) * dotSpread})
	}
	if r.Span == nil {
		return
	}
	if figure.IsFinite(r.Span.Value) {
		r.Estimate = svgPercent(a.At(r.Span.Value))
	}
	if r.Span.Bounded() {
		r.Right = svgPercent(a.At(*r.Span.Hi))
		r.X, r.W = stretch(a, *r.Span.Lo, *r.Span.Hi, leastWidth)
	}
	if r.Foot != nil {
		r.BarX, r.BarW = stretch(a, *r.Foot, r.Span.Value, leastWidth)
	}
}

// stretch returns the start and the width of a range of the axis.
func stretch(a figure.Axis, lo, hi, least float64) (x, w string) {
	from, to := a.At(lo), a.At(hi)
	return svgPercent(min(from, to)), svgPercent(math.Max(math.Abs(to-from), least))
}

// LabelY returns the baseline of a row's text.
func (r plotRowView) LabelY() int { return r.Top + labelHeight }

// Middle returns the height of a row's marks.
func (r plotRowView) Middle() int { return r.Top + trackMiddle }

// roomy is the number of letters of a row that fit in half of the page's width.
const roomy = 58

// Wide reports whether the rows need all of the page's width.
func (v plotView) Wide() bool {
	return slices.ContainsFunc(v.Rows, func(r plotRowView) bool {
		return uniseg.StringWidth(r.Label)+uniseg.StringWidth(r.Figure) > roomy
	})
}

// Shift returns the height of a row's marks moved by an offset, for the template.
func (r plotRowView) Shift(by int) int { return r.Middle() + by }

// Base returns the height of the axis.
func (v plotView) Base() int { return len(v.Rows)*rowHeight + 4 }

// TickY returns the baseline of the ticks' labels.
func (v plotView) TickY() int { return v.Base() + 15 }

// Height returns the height of the whole drawing.
func (v plotView) Height() int { return v.Base() + tickHeight }

// Y returns the height of one of a row's dots.
func (r plotRowView) Y(d dotView) int { return r.Middle() + d.Up }

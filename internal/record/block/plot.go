package block

import (
	"math"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/figure"
)

// Plot is intervals on one axis, a row for each cell or comparison.
type Plot struct {
	ID, Title, Desc string
	Whiskers        bool // intervals are lines; otherwise bars, with the trials in them
	Axis            string
	Scale           figure.Axis
	Unit            figure.Scale // of the axis' ticks
	Rows            []Row
	Band            []float64 // from and to, if there is a margin
	One             *float64  // the place of no difference, or of the whole
}

// Row is one cell or comparison.
type Row struct {
	Series        int // index of the machine, for its colour
	Label, Figure string
	Span          *figure.Estimate // nil without a valid trial
	Foot          *float64         // start of a bar that ends at the estimate; nil draws none
	Guess         bool             // the bar rests on a figure that was not measured
	Tip           string           // additional text beyond Label and Figure; "" if there is none
	Dots          []Dot
}

// Dot is one trial of a row.
type Dot struct {
	Value float64
	Nth   int // among the row's trials: neighbours are drawn apart
	Void  bool
	Text  string
}

// IntervalRow is a row with an estimate and its interval.
func IntervalRow(s figure.Estimate) Row { return Row{Span: &s} }

// barPad leaves the last tick enough room to stand in the middle under its line.
const barPad = .08

// BarAxis holds 0 and the values.
func BarAxis(values []float64) figure.Axis {
	top := 0.0
	for _, v := range values {
		if figure.IsFinite(v) {
			top = math.Max(top, v)
		}
	}
	return figure.Axis{Hi: top * (1 + barPad)}
}

// DescribeRows says in words what a drawing shows.
func DescribeRows(rows []Row) string {
	return strings.Join(list.Map(rows, func(r Row) string { return r.Label + ": " + r.Figure }), "; ")
}

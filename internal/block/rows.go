package block

import (
	"math"
	"strings"

	"plimsoll/internal/figure"
)

// IntervalRow is a row with an estimate and its interval.
func IntervalRow(s figure.Span) Row { return Row{Span: &s} }

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
	var parts []string
	for _, r := range rows {
		parts = append(parts, r.Label+": "+r.Figure)
	}
	return strings.Join(parts, "; ")
}

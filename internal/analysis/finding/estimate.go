package finding

import (
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// UnknownFigure replaces an unknown figure.
const UnknownFigure = "?"

// IntervalCell returns the interval of a figure as a field of a table.
func IntervalCell(s figure.Estimate, u figure.Scale) block.Cell {
	if !s.Bounded() {
		return block.Cell{Text: "none", Tone: block.Dim}
	}
	return block.Cell{Text: s.Interval(u), Tone: block.Plain}
}

// ShareText returns a share with its interval, in %.
func ShareText(share estimate.Estimate) string {
	if !share.Bounded() {
		return "by estimate " + figure.PercentOf(share.Value, 1) + "% (no interval)"
	}
	return figure.PercentRange(share.Ends())
}

// NumberText returns a plain number with its interval.
func NumberText(s estimate.Estimate) string {
	one := figure.Scale{Factor: 1}
	if s.Bounded() {
		return s.Interval(one)
	}
	return s.Estimate(one)
}

// Percents returns the scale of shares.
func Percents() figure.Scale { return figure.Scale{Factor: .01, Unit: "%"} }

package finding

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
)

// SpanOf returns an estimate as figures are written of it.
func SpanOf(e estimate.Estimate) figure.Span {
	return figure.Span{Value: e.Value, Lo: e.Lo, Hi: e.Hi}
}

// ShareText returns a share with its interval, in %.
func ShareText(share estimate.Estimate) string {
	if !SpanOf(share).Bounded() {
		return "by estimate " + figure.PercentOf(share.Value, 1) + " % (no interval)"
	}
	return figure.PercentRange(*share.Lo, *share.Hi)
}

// NumberText returns a plain number with its interval.
func NumberText(e estimate.Estimate) string {
	s, one := SpanOf(e), figure.Scale{Factor: 1}
	if s.Bounded() {
		return s.Interval(one)
	}
	return s.Estimate(one)
}

// Percents returns the scale of shares.
func Percents() figure.Scale { return figure.Scale{Factor: .01, Unit: "%"} }

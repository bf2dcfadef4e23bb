package plan

import "plimsoll/internal/record"

// Span is the extent of a plan.
type Span struct {
	Trials  int     // each a child process; the sides of a sliced comparison share one
	Seconds float64 // of warm-up and measurement, without preparation
}

// Spans returns the minimum and the maximum extent of a plan if all goes well: a comparison that stops once it is
// decided stops at its first interim analysis at the earliest.
func Spans(p record.Plan) (least, most Span) {
	early, late := Follow(p), Follow(p)
	early.early = true
	return early.span(), late.span()
}

func (c *Course) span() Span {
	trials, seconds := c.Remaining()
	return Span{trials, seconds}
}

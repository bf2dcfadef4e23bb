package plan

import "plimsoll/internal/record"

// Span is how much a plan runs.
type Span struct {
	Trials  int     // of which each is a child process; the sides of a sliced comparison share one
	Seconds float64 // that they warm up and measure, beside what it takes to prepare
}

// Spans are the least and the most that a plan runs, if all goes well: a comparison that ends when it is decided ends with its first
// look at the earliest.
func Spans(p record.Plan) (least, most Span) {
	early, late := Follow(p), Follow(p)
	early.early = true
	return early.span(), late.span()
}

func (c *Course) span() Span {
	trials, seconds := c.Remaining()
	return Span{trials, seconds}
}

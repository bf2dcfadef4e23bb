package reader

import (
	"fmt"
	"math"

	"plimsoll/internal/record"
)

// Account is what a run states of itself beside its values: what was offered, what stands twice, and whether it came
// to its end. A zero is not stated.
type Account struct {
	Offered, Handled float64 // operations that were due, and those of them that were done
	Asked            float64 // rate that was asked for, operations/s
	Reached          float64 // rate to hold to it or to the load's; 0: the throughput
	Unit             string  // of Asked and Reached, if not operations/s
	Random           bool    // arrivals are random, so that few of them scatter
	InFlight         float64 // operations in flight by Little's law, if its values do not tell
	Rates            []Rated
	Means            []Meant
	Broken           string   // why the run is not whole, such as "4 of 8 clients aborted"
	Doubts           []string // what it says against itself
}

// Accountable is a run with an account.
type Accountable interface{ Account() Account }

// Intending is a run whose errors may be intended, as those are that a benchmark's specification demands. Of always it
// is told so by the user, who may also have named what ran.
type Intending interface{ Intending(always, tpcc bool) Run }

// Rated is a rate that stands beside the count and the time of which it is.
type Rated struct {
	Of                   string // what is counted
	Rate, Count, Seconds float64
	Slack                float64 // share by which the tool's own bookkeeping may part them
}

// Contradiction returns the error for a rate that is not that of the count and the time; nil if one of them is missing.
func (r Rated) Contradiction() error {
	if !(r.Rate > 0) || !(r.Count > 0) || !(r.Seconds > 0) {
		return nil
	}
	follows := r.Count / r.Seconds
	if math.Abs(math.Log(r.Rate/follows)) <= math.Log1p(r.Slack) {
		return nil
	}
	return fmt.Errorf("%s: %.6g/s are stated, but %.6g in %.4g s are %.6g/s\nhint: lines of another program "+
		"or of another run may be among those of this one: leave them out", r.Of, r.Rate, r.Count, r.Seconds, follows)
}

// Meant is a mean that stands beside the values of which it is.
type Meant struct {
	Of              string
	Stated, Follows float64
	Unit            string
	Slack           float64
}

// Contradiction returns the error for a mean that is not that of its values; nil if one of the two is missing.
func (m Meant) Contradiction() error {
	if !(m.Stated > 0) || !(m.Follows > 0) || math.Abs(math.Log(m.Stated/m.Follows)) <= math.Log1p(m.Slack) {
		return nil
	}
	return fmt.Errorf("the mean of %s is stated as %.4g %s, and that of its values is %.4g %s\nhint: the file "+
		"was edited, or its unit is another", m.Of, m.Stated, m.Unit, m.Follows, m.Unit)
}

// rounded returns the slack of a number that was printed with so many decimals, beside a slack that is always there.
func rounded(printed, step, always float64) float64 {
	if !(printed > 0) {
		return always
	}
	return always + step/printed
}

// Summarized is a run that states how far the values lie apart of which one of its own is the mean.
type Summarized interface {
	Moments() map[string]record.Moments // by metric
}

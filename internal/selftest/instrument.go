package selftest

import (
	"math"

	"plimsoll/internal/judge"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

const (
	alpha  = 0.05
	margin = 0.02
)

// Instrument is what is tested: the parts of Plimsoll that decide.
type Instrument struct {
	Next    func(record.Plan, []record.Trial) (record.Order, bool)
	Compare func([]record.Trial, []record.Machine, []record.PlanLine, judge.Options) (judge.Compared, error)
	Rule    stat.Rule // that ends sequential sessions

	// Tail is the interval of ln of the ratio of b's p99 to a's, from the
	// latencies of each run.
	Tail tailOf
}

// Real is Plimsoll as it is.
func Real() (Instrument, error) {
	b, err := stat.Repeated(alpha)
	if err != nil {
		return Instrument{}, err
	}
	return Instrument{
		Next:    plan.Next,
		Compare: judge.Compare,
		Rule:    stat.Rule{Opts: stat.OptsFor(b), Margin: math.Log1p(margin)},
		Tail:    tailByRun,
	}, nil
}

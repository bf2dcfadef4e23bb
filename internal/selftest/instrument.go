package selftest

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/client/load"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

const (
	alpha  = 0.05
	margin = 0.02
)

// Instrument is the object of the test: the parts of Plimsoll that decide.
type Instrument struct {
	Next    func(record.Plan, []record.Trial) (record.Order, bool)
	Compare func([]record.Trial, []record.Machine, []record.PlanLine, judge.Options) (finding.Compared, error)

	// UntilDecided carries out a session that ends once it is decided.
	UntilDecided stopping
	// Tail returns the interval of ln of the ratio of b's p99 to a's, from the latencies of each run.
	Tail tailOf
	// Regulation classifies how a disk was throttled.
	Regulation func(stat.Timeline) (stat.Regulation, bool)
	// Crossings returns the crossings of two machines' curves that a comparison tells.
	Crossings func(finding.Pair) []crossover.Crossing
	// Throughput measures a closed loop's operations, whose times are known.
	Throughput func(load.Config, [][]load.Operation) (load.Result, error)
}

// Real returns Plimsoll as it is.
func Real() Instrument {
	return Instrument{Next: plan.Next, Compare: judge.Compare, UntilDecided: atLooks, Tail: tailByRun,
		Regulation: stat.RegulationOf, Throughput: load.Replay, Crossings: toldCrossings}
}

package judge

import (
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/answers"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/capacity"
	"plimsoll/internal/analysis/finding/clocks"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/finding/energy"
	"plimsoll/internal/analysis/finding/explain"
	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/finding/instances"
	"plimsoll/internal/analysis/finding/profile"
	"plimsoll/internal/analysis/finding/steady"
	"plimsoll/internal/analysis/finding/storage"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/finding/throttling"
)

// Analyzers returns all analyzers, each after those that it reads. Documents keep their order.
func Analyzers() []finding.Analyzer {
	all, err := finding.Ordered(slices.Concat(
		sweep.Analyzers(),
		headroom.Analyzers(),
		bottleneck.Analyzers(),
		throttling.Analyzers(),
		storage.Analyzers(),
		cost.Analyzers(),
		energy.Analyzers(),
		answers.Analyzers(),
		steady.Analyzers(),
		factorial.Analyzers(),
		crossover.Analyzers(),
		clocks.Analyzers(),
		capacity.Analyzers(),
		explain.Analyzers(),
		profile.Analyzers(),
		compare.Analyzers(),
		instances.Analyzers(),
	))
	if err != nil {
		panic(err) // a mistake in the lists, covered by a test
	}
	return all
}

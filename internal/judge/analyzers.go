package judge

import (
	"slices"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/answers"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/finding/capacity"
	"plimsoll/internal/finding/clocks"
	"plimsoll/internal/finding/compare"
	"plimsoll/internal/finding/cost"
	"plimsoll/internal/finding/crossover"
	"plimsoll/internal/finding/energy"
	"plimsoll/internal/finding/explain"
	"plimsoll/internal/finding/factorial"
	"plimsoll/internal/finding/headroom"
	"plimsoll/internal/finding/instances"
	"plimsoll/internal/finding/profile"
	"plimsoll/internal/finding/steady"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/finding/throttling"
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

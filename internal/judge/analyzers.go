package judge

import (
	"slices"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/finding/capacity"
	"plimsoll/internal/finding/clocks"
	"plimsoll/internal/finding/compare"
	"plimsoll/internal/finding/cost"
	"plimsoll/internal/finding/crossover"
	"plimsoll/internal/finding/factorial"
	"plimsoll/internal/finding/headroom"
	"plimsoll/internal/finding/steady"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/finding/sweep"
)

// Analyzers returns all analyzers, each after those that it reads. Documents keep their order.
func Analyzers() []finding.Analyzer {
	all, err := finding.Ordered(slices.Concat(
		sweep.Analyzers(),
		headroom.Analyzers(),
		storage.Analyzers(),
		bottleneck.Analyzers(),
		steady.Analyzers(),
		crossover.Analyzers(),
		factorial.Analyzers(),
		clocks.Analyzers(),
		capacity.Analyzers(),
		compare.Analyzers(),
		cost.Analyzers(),
		own(),
	))
	if err != nil {
		panic(err) // a mistake in the lists, which a test finds
	}
	return all
}

// own are those of kinds that have no room of their own.
func own() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindProfiled), Doc: "what profiling costs", Body: KindProfiled.Body(), Run: profilingCosts},
		{Kind: string(KindExplain), Doc: "why two sides differ", Body: KindExplain.Body(), After: []string{string(factorial.KindByFactor)}, Run: explanations, Pair: explainSides},
		{Kind: string(KindKnownIssue), Doc: "known reasons for a machine or a setting to take more than it must", Body: KindKnownIssue.Body(), Run: knownIssues},
		{Kind: string(KindProfile), Doc: "where the time of a cell went", Body: KindProfile.Body(), Run: profileFindings},
	}
}

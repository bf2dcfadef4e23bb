package compare

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/sequential"
)

// Analyzers returns the analyzers of pairs on any axis, and of the effects of factors.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{
			Kind: string(KindRegistered), Doc: "the plans as registered before their first run; its notes are departures of " +
				"the comparison from them",
			Body: KindRegistered.Body(), Pair: registration, Brief: true, Says: changesSays,
		},
		{Kind: string(KindOverall), Doc: "the mean change over workloads", Body: KindOverall.Body(), Pair: overalls,
			Says: overallSays},
		{
			Kind: string(KindByChance), Doc: "the number of verdicts that would be DIFFERENT by chance between equal sides, " +
				"from ten verdicts on",
			Body: KindByChance.Body(), Pair: byChance, Says: byChanceSays,
		},
		{Kind: string(KindResidue), Doc: "a key besides the axis whose values differ between the sides",
			Body: KindResidue.Body(), Pair: residue, Brief: true, Says: residueSays},
		{Kind: string(KindEffect), Doc: "the effect of a factor", Body: KindEffect.Body(), Run: effects, Brief: true,
			Show: effectSays, Answer: effectAnswer},
	}
}

// The kinds of findings about pairs.
const (
	KindEffect     finding.Kind[Effect]                = "effect"
	KindOverall    finding.Kind[Overall]               = "overall"
	KindResidue    finding.Kind[Difference]            = "residue"
	KindRegistered finding.Kind[sequential.Registered] = "registered"
	KindByChance   finding.Kind[ByChance]              = "by_chance"
)

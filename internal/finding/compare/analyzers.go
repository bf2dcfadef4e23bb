package compare

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/sequential"
)

// Analyzers returns those of two sides of any axis, and of the effects of factors.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindOverall), Doc: "the geometric mean of two sides in all that both measured", Body: KindOverall.Body(), Pair: overalls},
		{Kind: string(KindByChance), Doc: "how many verdicts would be DIFFERENT by chance", Body: KindByChance.Body(), Pair: byChance},
		{Kind: string(KindRegistered), Doc: "the plan as it was registered before the first trial", Body: KindRegistered.Body(), Pair: registration},
		{Kind: string(KindResidue), Doc: "the keys in which two sides also differ", Body: KindResidue.Body(), Pair: residue},
		{Kind: string(KindEffect), Doc: "the effect of a factor", Body: KindEffect.Body(), Run: effects},
	}
}

// The kinds of this room.
const (
	KindEffect     finding.Kind[Effect]                = "effect"
	KindOverall    finding.Kind[Overall]               = "overall"
	KindResidue    finding.Kind[Difference]            = "residue"
	KindRegistered finding.Kind[sequential.Registered] = "registered"
	KindByChance   finding.Kind[ByChance]              = "by_chance"
)

package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/sequential"
)

// The kinds of findings about cells.
const KindEffect finding.Kind[Effect] = "effect"

// The kinds of findings about cells.
const (
	KindWorth      finding.Kind[Worth]       = "worth"
	KindProfiled   finding.Kind[ProfileCost] = "profiled"
	KindProfile    finding.Kind[Profile]     = "profile"
	KindExplain    finding.Kind[Explanation] = "explain"
	KindKnownIssue finding.Kind[Issue]       = "known_issue"
)

// The kinds of findings about two sides.
const (
	KindOverall    finding.Kind[Overall]               = "overall"
	KindResidue    finding.Kind[Difference]            = "residue"
	KindRegistered finding.Kind[sequential.Registered] = "registered"
	KindByChance   finding.Kind[ByChance]              = "by_chance"
)

// The kinds of findings about cost.
const (
	KindEqualCost finding.Kind[EqualCost] = "equal_cost"
	KindFleet     finding.Kind[Fleets]    = "fleet"
)

// KindFamily is the kind of findings about families of instance types.
const KindFamily finding.Kind[FamilyRatio] = "family"

package judge

import (
	"plimsoll/internal/finding"
)

// The kinds of findings about cells.
const (
	KindWorth      finding.Kind[Worth]       = "worth"
	KindProfiled   finding.Kind[ProfileCost] = "profiled"
	KindProfile    finding.Kind[Profile]     = "profile"
	KindExplain    finding.Kind[Explanation] = "explain"
	KindKnownIssue finding.Kind[Issue]       = "known_issue"
)

// The kinds of findings about cost.
const (
	KindEqualCost finding.Kind[EqualCost] = "equal_cost"
	KindFleet     finding.Kind[Fleets]    = "fleet"
)

// KindFamily is the kind of findings about families of instance types.
const KindFamily finding.Kind[FamilyRatio] = "family"

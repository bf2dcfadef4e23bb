package cost

import "plimsoll/internal/analysis/finding"

// The kinds of findings about cost.
const (
	KindWorth     finding.Kind[Worth]       = "worth"
	KindEqualCost finding.Kind[EqualCost]   = "equal_cost"
	KindFamily    finding.Kind[FamilyRatio] = "family"
	KindSizes     finding.Kind[FamilySizes] = "sizes"
	KindSameSizes finding.Kind[SameSizes]   = "same_sizes"
)

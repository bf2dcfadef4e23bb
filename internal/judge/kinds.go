package judge

import (
	"plimsoll/internal/finding"
)

// The kinds of findings about the time of cells.
const (
	KindProfiled   finding.Kind[ProfileCost] = "profiled"
	KindProfile    finding.Kind[Profile]     = "profile"
	KindExplain    finding.Kind[Explanation] = "explain"
	KindKnownIssue finding.Kind[Issue]       = "known_issue"
)

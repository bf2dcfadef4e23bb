// Package steady states how long fresh servers took to reach their steady state.
package steady

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
)

// KindWarmUp is the kind of warm-ups of fresh servers.
const KindWarmUp finding.Kind[trialset.WarmUp] = "warm_up"

package bottleneck

import "plimsoll/internal/analysis/finding"

// The kinds of findings about bottlenecks.
const (
	KindBottleneck finding.Kind[Bottleneck] = "binds"
	KindTimeline   finding.Kind[Timeline]   = "timeline"
	KindFaults     finding.Kind[SideFaults] = "faults"
)

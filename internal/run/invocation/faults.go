package invocation

import (
	"math"
	"slices"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// leastApart is how long there must be between two faults, in seconds: what each cost is told by the throughput of
// every second, and hosts learn of the window's begin one after the other.
const leastApart = 1

// Apart returns an error for a plan in which two faults are too close to each other. A pilot, or a search, sets the
// window later.
func Apart(p record.Plan, specs []workload.Spec) error {
	for _, c := range p.Cells {
		s, ok := workload.Find(specs, c.Workload)
		if !ok || s.Faults == nil || c.Search != nil || p.Pilot != nil {
			continue
		}
		shares := s.Faults(workload.NewParams(s.Workload, c.Params))
		slices.Sort(shares)
		duration := p.DurationS
		if c.Times != nil {
			duration = c.Times.DurationS
		}
		for i := 1; i < len(shares); i++ {
			share := math.Round((shares[i]-shares[i-1])*1e6) / 1e6
			if between := share * duration; between < leastApart {
				return usage.Errorf("%s: with --for %s two faults happen within %s, and what each cost could not be told\n"+
					"hint: --for %s, or faults further apart", c.Workload, record.FormatDuration(duration),
					record.FormatDuration(between),
					record.FormatDuration(math.Ceil(leastApart/share)))
			}
		}
	}
	return nil
}

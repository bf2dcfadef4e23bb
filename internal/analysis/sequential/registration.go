package sequential

import (
	"maps"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// Registered holds the decisions that the plans of a comparison made before their first run.
type Registered struct {
	Margins []float64           `json:"margins"` // as fractions; the smallest applies
	Alphas  []float64           `json:"alphas"`  // two-sided error rates; the smallest applies
	Claims  []string            `json:"claims"`
	Primary map[string][]string `json:"primary,omitempty"` // workload -> metrics registered for verdicts
	Looks   []int               `json:"looks,omitempty"`   // pairs at the interim analyses, if all plans have the same
	// the probability of a decision below which a comparison ends undecided, if all plans have the same
	Futile float64 `json:"futile,omitempty"`
	// some runs were imported, and nothing was registered for them
	Imported bool `json:"imported"`
}

// RegisteredIn collects the registrations of a pair's plans, each value once and ascending.
func RegisteredIn(plans []record.PlanLine) *Registered {
	out := &Registered{Margins: []float64{}, Alphas: []float64{}, Claims: []string{}}
	for _, line := range plans {
		p := line.Plan
		if p.Imported != nil {
			out.Imported = true
			continue
		}
		first := len(out.Claims) == 0
		out.Margins, out.Alphas, out.Claims = trialset.AppendNew(out.Margins, p.Margin), trialset.AppendNew(out.Alphas,
			p.Alpha), trialset.AppendNew(out.Claims, p.Claim)
		for _, workload := range slices.Sorted(maps.Keys(p.Primary)) {
			if out.Primary == nil {
				out.Primary = map[string][]string{}
			}
			out.Primary[workload] = trialset.AppendNew(out.Primary[workload], p.Primary[workload])
		}
		var stop record.Stop
		if p.Stop != nil {
			stop = *p.Stop
		}
		switch {
		case first:
			out.Looks, out.Futile = stop.Looks, stop.Futile
		case !slices.Equal(out.Looks, stop.Looks):
			out.Looks, out.Futile = nil, 0
		case out.Futile != stop.Futile:
			out.Futile = 0
		}
	}
	return out
}

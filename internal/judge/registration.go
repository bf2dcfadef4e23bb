package judge

import (
	"cmp"
	"maps"
	"slices"

	"plimsoll/internal/record"
)

// Registered is what the plans of a comparison fixed before their first trial.
type Registered struct {
	Margins  []float64           `json:"margins"` // as fractions; the smallest is used
	Alphas   []float64           `json:"alphas"`  // two-sided error rates; the smallest is used
	Claims   []string            `json:"claims"`
	Primary  map[string][]string `json:"primary,omitempty"` // workload -> metrics that were to get verdicts
	Looks    []int               `json:"looks,omitempty"`   // pairs at the looks, where all plans have the same
	Imported bool                `json:"imported"`          // some trials were: nothing was registered for them
}

// registeredIn gathers what the plans of a pair's trials say, each value once and ascending.
func registeredIn(plans []record.PlanLine) *Registered {
	out := &Registered{Margins: []float64{}, Alphas: []float64{}, Claims: []string{}}
	for _, line := range plans {
		p := line.Plan
		if p.Imported != nil {
			out.Imported = true
			continue
		}
		first := len(out.Claims) == 0
		out.Margins, out.Alphas, out.Claims = with(out.Margins, p.Margin), with(out.Alphas, p.Alpha), with(out.Claims, p.Claim)
		for _, workload := range slices.Sorted(maps.Keys(p.Primary)) {
			if out.Primary == nil {
				out.Primary = map[string][]string{}
			}
			out.Primary[workload] = with(out.Primary[workload], p.Primary[workload])
		}
		var looks []int
		if p.Stop != nil {
			looks = p.Stop.Looks
		}
		if first {
			out.Looks = looks
		} else if !slices.Equal(out.Looks, looks) {
			out.Looks = nil
		}
	}
	return out
}

// with adds a value to an ascending list that has it at most once.
func with[T cmp.Ordered](values []T, v T) []T {
	at, ok := slices.BinarySearch(values, v)
	if ok {
		return values
	}
	return slices.Insert(values, at, v)
}

// plansIn are the plans of the cells that were compared.
func (j judgement) plansIn(both []matched) []record.PlanLine {
	var sides [][]record.Trial
	for _, m := range both {
		sides = append(sides, m.a, m.b)
	}
	var out []record.PlanLine
	for _, hash := range plansOf(sides...) {
		if p, ok := j.plans[hash]; ok {
			out = append(out, record.PlanLine{Hash: hash, Plan: p})
		}
	}
	return out
}

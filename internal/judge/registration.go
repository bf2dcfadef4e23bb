package judge

import (
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// plansIn are the plans of the cells that were compared.
func (x comparer) plansIn(both []trialset.Matched) []record.PlanLine {
	var sides [][]record.Trial
	for _, m := range both {
		sides = append(sides, m.A, m.B)
	}
	var out []record.PlanLine
	for _, hash := range trialset.PlansOf(sides...) {
		if p, ok := x.in.Plans[hash]; ok {
			out = append(out, record.PlanLine{Hash: hash, Plan: p})
		}
	}
	return out
}

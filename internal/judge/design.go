package judge

import (
	"slices"

	"plimsoll/internal/finding/factorial"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// halved says whether the axis is a factor of a half fraction in every plan of the trials that varies it.
func (j judgement) halved(trials []record.Trial) bool {
	found := false
	for _, hash := range trialset.PlansOf(trials) {
		for _, cells := range factorial.CellsByHost(j.plans[hash]) {
			d, why := factorial.DesignOf(j.plans[hash], cells)
			if !slices.ContainsFunc(d.Factors, func(f record.Factor) bool { return f.Name == j.axis.By }) {
				continue
			}
			if !d.Half || !why.IsZero() {
				return false
			}
			found = true
		}
	}
	return found
}

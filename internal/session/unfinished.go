package session

import (
	"fmt"
	"slices"

	"plimsoll/internal/record"
)

// dropUnfinished drops imports that were cut short, with their plans: an import counts only with its end, because part
// of its input would pass for all of it.
func (l *Log) dropUnfinished() {
	open := map[string]record.Plan{}
	for _, p := range l.Plans {
		if p.Plan.Imported != nil {
			open[p.Hash] = p.Plan
		}
	}
	for _, e := range l.Ends {
		delete(open, e.Plan)
	}
	if len(open) == 0 {
		return
	}
	l.Trials = slices.DeleteFunc(l.Trials, func(t record.Trial) bool {
		_, drop := open[t.Plan]
		return drop
	})
	l.Plans = slices.DeleteFunc(l.Plans, func(p record.PlanLine) bool {
		_, drop := open[p.Hash]
		if drop {
			l.Problems = append(l.Problems, Problem{File: l.files[len(l.files)-1],
				Reason: fmt.Sprintf("the %s was cut short: left out; import it again", p.Plan.Name)})
		}
		return drop
	})
}

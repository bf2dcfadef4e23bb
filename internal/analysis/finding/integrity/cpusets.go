// Package integrity holds trials that stand together to each other: values that contradict each other, units that
// differ, replicates that are missing, sessions that were pooled.
package integrity

import (
	"plimsoll/internal/record"
)

// CPUSets returns the CPUs that server and generator had; nil if trials do not state them or are not alike in it.
func CPUSets(trials []record.Trial) *record.CPUSets {
	var found *record.CPUSets
	for i := range trials {
		s := trials[i].CPUSets
		if s == nil || found != nil && *s != *found {
			return nil
		}
		found = s
	}
	return found
}

package trialset

import (
	"slices"

	"plimsoll/internal/record"
)

// AtMost returns the trials whose load takes at most the given number of CPUs, so that machines of different sizes are
// compared on equal terms, and how many it left out. If cpus is 0 it leaves out none.
func AtMost(trials []record.Trial, cpus int) ([]record.Trial, int) {
	if cpus == 0 {
		return trials, 0
	}
	kept := slices.DeleteFunc(slices.Clone(trials), func(t record.Trial) bool { return CPUsOf(t) > cpus })
	return kept, len(trials) - len(kept)
}

// CPUsOf returns the number of CPUs that a load takes, or 0 if it counts none.
func CPUsOf(t record.Trial) int {
	if t.Load.Unit != record.ParamCPUs {
		return 0
	}
	return int(t.Load.Level)
}

package trialset

import (
	"slices"

	"plimsoll/internal/record"
)

// AtMost leaves out the trials whose load takes more than the given number of
// CPUs, so that machines of unlike size meet on equal terms; 0 leaves out none.
// The second result is how many it left out.
func AtMost(trials []record.Trial, cpus int) ([]record.Trial, int) {
	if cpus == 0 {
		return trials, 0
	}
	kept := slices.DeleteFunc(slices.Clone(trials), func(t record.Trial) bool { return CPUsOf(t) > cpus })
	return kept, len(trials) - len(kept)
}

// CPUsOf is the number of CPUs that a load takes; 0 where it counts none.
func CPUsOf(t record.Trial) int {
	if t.Load.Unit != record.ParamCPUs {
		return 0
	}
	return int(t.Load.Level)
}

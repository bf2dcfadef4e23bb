package judge

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
	kept := slices.DeleteFunc(slices.Clone(trials), func(t record.Trial) bool { return cpusOf(t) > cpus })
	return kept, len(trials) - len(kept)
}

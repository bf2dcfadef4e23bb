package finding

import (
	"fmt"
	"math"

	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// FindNoise is the step if no affordable number of runs would be enough.
const FindNoise = "find the noise: plimsoll machine --for 60s"

// usable is the half-width of an interval, as a fraction, that is narrow enough to rely on.
const usable = .1

// RunsToNarrow returns the number of runs that would narrow an interval of n runs to a usable one; 0 if they are too
// many.
func RunsToNarrow(s figure.Estimate, n int) int {
	return stat.RunsFor(math.Log(*s.Hi / *s.Lo)/2, n, math.Log1p(usable), stat.MostPairs)
}

// NarrowStep returns the step that narrows an interval to a usable one by n runs.
func NarrowStep(n int, imported bool) string {
	return fmt.Sprintf("about %d runs would narrow the interval to ±%g%%%s", n, 100*usable, RunsFlag(n, imported))
}

// IntervalStep returns the step that gives a figure an interval, by n runs or pairs; flag sets their number.
func IntervalStep(n int, runs, flag string) string {
	step, _ := note.New("too-few-pairs", n, runs).Next()
	return step + flag
}

// RunsFlag returns the end of a step, with the flag that sets the number of runs; "" for runs that were imported.
func RunsFlag(n int, imported bool) string {
	if imported {
		return ""
	}
	return fmt.Sprintf(": --replicates %d", n)
}

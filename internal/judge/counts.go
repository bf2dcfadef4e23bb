package judge

import (
	"fmt"

	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// doubtCounts says what is left out of a comparison, and what of an import's numbering is not there.
func doubtCounts(c *finding.Comparison, s trialset.Sample, m trialset.Matched) {
	if s.Alone != [2]int{} {
		c.Flag("without-partner", sidesOf(s.Alone))
	}
	if s.Paired || !trialset.Imported(m.A) && !trialset.Imported(m.B) {
		return
	}
	missing := missingOf(numbersOf(m.A), numbersOf(m.B)) + missingOf(numbersOf(m.B), numbersOf(m.A))
	switch {
	case missing > 0:
		c.Flag("runs-missing", len(s.A), len(s.B), missing)
	case len(s.A) != len(s.B):
		c.Flag("runs-unequal", len(s.A), len(s.B))
	}
}

func sidesOf(n [2]int) string {
	switch {
	case n[0] == 0:
		return fmt.Sprintf("%d of side b", n[1])
	case n[1] == 0:
		return fmt.Sprintf("%d of side a", n[0])
	}
	return fmt.Sprintf("%d of side a, %d of side b", n[0], n[1])
}

// numbersOf are the replicate numbers of a cell's imported trials, void ones too, by plan.
func numbersOf(trials []record.Trial) map[trialset.Slot]bool {
	out := map[trialset.Slot]bool{}
	for i := range trials {
		if trials[i].Keys[record.KeyImported] != "" {
			out[trialset.SweepOf(trials[i])] = true
		}
	}
	return out
}

// missingOf is how many replicates are not there: those that the other side has, where it has all of these and more, else the gaps in the
// numbering. Two imports number each for itself.
func missingOf(own, other map[trialset.Slot]bool) int {
	if len(other) > len(own) && contains(other, own) {
		return len(other) - len(own)
	}
	return gapsIn(own)
}

func contains(all, some map[trialset.Slot]bool) bool {
	for s := range some {
		if !all[s] {
			return false
		}
	}
	return len(some) > 0
}

// gapsIn is how many numbers between the lowest and the highest of each plan are not there.
func gapsIn(numbers map[trialset.Slot]bool) int {
	type span struct{ low, high, n int }
	spans := map[string]span{}
	for s := range numbers {
		at, ok := spans[s.Plan]
		if !ok {
			at = span{s.Replicate, s.Replicate, 0}
		}
		spans[s.Plan] = span{min(at.low, s.Replicate), max(at.high, s.Replicate), at.n + 1}
	}
	gaps := 0
	for _, at := range spans {
		gaps += at.high - at.low + 1 - at.n
	}
	return gaps
}

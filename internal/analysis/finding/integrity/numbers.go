package integrity

import (
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// Numbers returns the replicate numbers of a cell's imported trials, void ones too, by plan.
func Numbers(trials []record.Trial) map[trialset.Slot]bool {
	out := map[trialset.Slot]bool{}
	for i := range trials {
		if trials[i].Keys[record.KeyImported] != "" {
			out[trialset.SweepOf(trials[i])] = true
		}
	}
	return out
}

// Missing returns how many replicates are missing: those that the other side has, if it has all of these and more, else
// the gaps in the numbering. Two imports number each for itself.
func Missing(own, other map[trialset.Slot]bool) int {
	if len(other) > len(own) && contains(other, own) {
		return len(other) - len(own)
	}
	return Gaps(own)
}

func contains(all, some map[trialset.Slot]bool) bool {
	for s := range some {
		if !all[s] {
			return false
		}
	}
	return len(some) > 0
}

// Gaps returns how many numbers between the lowest and the highest of each plan are missing.
func Gaps(numbers map[trialset.Slot]bool) int {
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

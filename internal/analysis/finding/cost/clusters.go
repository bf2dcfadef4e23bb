package cost

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// ClustersOf returns the numbers of nodes of both sides, of those measured, whose costs are equal within the tolerance:
// the smallest. A number that is the only one of its side is what the user chose, whatever it costs. Zeros if there is
// no such pair, or none that differs from what is compared anyway.
func ClustersOf(p finding.Pair, ofA, ofB []record.Trial) (a, b int) {
	countsA, countsB := NodeCounts(ofA), NodeCounts(ofB)
	if len(countsA) == 1 && len(countsB) == 1 && countsA[0] != countsB[0] {
		return countsA[0], countsB[0]
	}
	best := math.MaxInt
	for _, n := range countsA {
		for _, m := range countsB {
			spendA, spendB := float64(n)*p.BasisA.EachPerHour(), float64(m)*p.BasisB.EachPerHour()
			if max(n, m) > 1 && SameSpend(spendA, spendB) && n+m < best {
				a, b, best = n, m, n+m
			}
		}
	}
	return a, b
}

// NodesOf returns the number of nodes of a trial's cluster; 0 if its workload has no clusters.
func NodesOf(t *record.Trial) int {
	n, _ := strconv.Atoi(t.Keys[NodesKey(trialset.WorkloadOf(*t))])
	return n
}

// NodesKey returns the key that a workload's trials have it in.
func NodesKey(workload string) string { return workload + "." + record.ParamNodes }

// WithNodes returns the trials of clusters of so many nodes.
func WithNodes(trials []record.Trial, nodes int) []record.Trial {
	return trialset.Filter(trials, func(t *record.Trial) bool { return NodesOf(t) == nodes })
}

// NodeCounts returns the numbers of nodes of trials, ascending.
func NodeCounts(trials []record.Trial) []int {
	seen := map[int]bool{}
	for i := range trials {
		if n := NodesOf(&trials[i]); n > 0 {
			seen[n] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), cmp.Compare[int])
}

package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// MeanRatios returns the mean over workloads of the log ratios of each replicate, from logs[workload][replicate];
// PairedRatio of them is the ratio over all workloads with equal weights. Workloads of one replicate share its
// disturbances, which is why they are not one sample. It fails if a workload lacks replicates, because the means would
// not be comparable.
func MeanRatios(logs [][]float64) ([]float64, error) {
	if len(logs) == 0 {
		return nil, nil
	}
	out := make([]float64, len(logs[0]))
	for w, replicates := range logs {
		if len(replicates) != len(out) {
			return nil, fmt.Errorf("ratio over workloads: workload %d has %d replicates, the first has %d", w, len(replicates), len(out))
		}
		for i, d := range replicates {
			out[i] += d / float64(len(logs))
		}
	}
	return out, nil
}

// PairedP returns the probability that pairs without a difference give log ratios as far from 0 as d, by Student's t,
// with the standard deviation floored; 1 below two values.
func PairedP(d []float64, floor float64) float64 {
	if len(d) < 2 {
		return 1
	}
	m, s := Mean(d), math.Max(SD(d), floor)
	if m == 0 {
		return 1
	}
	return twoSided(m/(s/math.Sqrt(float64(len(d)))), float64(len(d)-1))
}

// Holm adjusts p-values for multiple testing, so that those at most alpha are significant with error rate alpha over
// all of them together (Holm, Scandinavian Journal of Statistics 6, 1979). Use it for several primary metrics or
// categories of a profile. The same ratio per dollar, watt or core is not another test: its log is shifted by a
// constant.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	out := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, p[i]*float64(len(p)-rank)))
		out[i] = least
	}
	return out
}

package instances

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"plimsoll/internal/record/stat"
)

// split is the split of machines by their logs into a lower and an upper part that stands out most.
type split struct {
	low, high []int         // indices of machines
	mean      float64       // log of the ratio of the lower part to the upper one
	hull      stat.Interval // that holds for every split of the machines at once
	sd        float64       // of one value, within a machine
}

// lottery returns the split of machines that stands out most, each with the logs of its values; false if the values
// cannot tell: fewer than two machines, or fewer than two values more than machines.
//
// The interval is Scheffé's (Biometrika 40, 1953): of k machines with N values in all, a contrast lies within
// √((k−1)·F(1−alpha; k−1, N−k)) standard errors with the error rate alpha for all contrasts together, also those that
// are chosen for what was seen. So whatever split stands out, an equal lot has one whose interval excludes 0 with a
// probability of at most alpha.
func lottery(values [][]float64, alpha float64) (split, bool) {
	k, n := len(values), 0
	squares := 0.0
	means := make([]float64, k)
	for i, v := range values {
		means[i] = stat.Mean(v)
		n += len(v)
		for _, x := range v {
			squares += (x - means[i]) * (x - means[i])
		}
	}
	if k < 2 || n-k < 2 {
		return split{}, false
	}
	sd := math.Max(math.Sqrt(squares/float64(n-k)), stat.SDFloor)
	reach := math.Sqrt(float64(k-1) * distuv.F{D1: float64(k - 1), D2: float64(n - k)}.Quantile(1-alpha))
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[a], means[b]) })
	var out split
	most := -1.0
	// of all splits of one size, that by order stands out most if machines have equally many values
	for at := 1; at < k; at++ {
		mean, se := contrast(order[:at], order[at:], values, means)
		if se *= sd; math.Abs(mean)/se > most {
			most = math.Abs(mean) / se
			out = split{low: slices.Clone(order[:at]), high: slices.Clone(order[at:]), mean: mean, sd: sd,
				hull: stat.Interval{Lo: mean - reach*se, Hi: mean + reach*se}}
		}
	}
	slices.Sort(out.low)
	slices.Sort(out.high)
	return out, true
}

// contrast returns the difference of the means of two parts, each machine counting once, and its standard error in
// deviations of a value.
func contrast(low, high []int, values [][]float64, means []float64) (mean, se float64) {
	variance := 0.0
	part := func(of []int) (sum float64) {
		for _, i := range of {
			sum += means[i] / float64(len(of))
			variance += 1 / float64(len(values[i])) / float64(len(of)*len(of))
		}
		return sum
	}
	mean = part(low) - part(high)
	return mean, math.Sqrt(variance)
}

// Package changepoint finds where the level of a series of measurements changed, such as one figure over many nights.
//
// The test is by ranks: for each place it compares the values before with those after by Wilcoxon's rank sum, divides
// that by its standard deviation, and takes the largest. Its p-value is the share of shuffled orders of the same values
// that reach it. So it presumes no distribution, and one wild night moves no rank far. Where it finds a change, both
// parts are searched again.
//
// Ranks tell that there is a change better than where: past the place of a clear step they hardly differ. So the place
// is the one at which two levels leave the least loss by Huber (Annals of Mathematical Statistics 35, 1964), which a
// wild night moves little.
package changepoint

import (
	"math"
	"math/rand/v2"
	"slices"

	"plimsoll/internal/record/stat"
)

const (
	// Alpha is the probability of a suspected change in a series that has none, if its values are independent.
	Alpha = 0.01
	// MinValues is the shortest series in which a change can be found. There are 252 ways to put five of ten values
	// first, and two are as clear as the clearest step: 0.8%. With nine values this is 1.6%, over Alpha.
	MinValues = 10
	// maxValues bounds the search to the last values of a series.
	maxValues = 400

	edge     = 2    // values that each side has at least
	shuffles = 1999 // orders drawn for a p-value, unless it is over Alpha before: at best 0.0005
)

// Change is a suspected change of level.
type Change struct {
	At     int     `json:"at"`     // index of the first value after it
	Before float64 `json:"before"` // median from the change before it, or the start
	After  float64 `json:"after"`  // median up to the next change, or the end
	P      float64 `json:"p"`
}

// Find returns the suspected changes of a series, in order. It always returns the same for the same values.
func Find(values []float64) []Change {
	from := max(0, len(values)-maxValues)
	out := search(values[from:], from)
	for i := range out {
		// The first change was placed while others were in sight.
		start, end := neighbours(out, i, len(values))
		if start = max(start, from); end-start >= MinValues {
			out[i].At = start + placed(values[start:end])
		}
	}
	for i := range out {
		start, end := neighbours(out, i, len(values))
		out[i].Before, out[i].After = stat.Median(values[start:out[i].At]), stat.Median(values[out[i].At:end])
	}
	return out
}

// neighbours returns the places of the changes around one; the ends of the series if there is none.
func neighbours(changes []Change, i, n int) (start, end int) {
	end = n
	if i > 0 {
		start = changes[i-1].At
	}
	if i+1 < len(changes) {
		end = changes[i+1].At
	}
	return start, end
}

// search returns the changes in a part of a series that begins at an index.
func search(values []float64, from int) []Change {
	if len(values) < MinValues {
		return nil
	}
	p := test(values)
	if p > Alpha {
		return nil
	}
	k := placed(values)
	out := append(search(values[:k], from), Change{At: from + k, P: p})
	return append(out, search(values[k:], from+k)...)
}

// test returns the probability of a change as clear as the clearest of a series in one without any.
func test(values []float64) (p float64) {
	ranks := midranks(values)
	weights := weightsFor(len(ranks))
	found := clearest(ranks, weights)
	r := rand.New(rand.NewPCG(uint64(len(ranks)), 22))
	reached, drawn := 1, 0
	for reached <= Alpha*(shuffles+1) { // one more, and there is no change
		if drawn++; drawn > shuffles {
			break
		}
		r.Shuffle(len(ranks), func(i, k int) { ranks[i], ranks[k] = ranks[k], ranks[i] })
		// Sums of halves are exact, and weights are the same, so that equal statistics are equal numbers.
		if clearest(ranks, weights) >= found {
			reached++
		}
	}
	return float64(reached) / (shuffles + 1)
}

// clearest returns the largest standardized rank sum of any place.
func clearest(ranks, weights []float64) (most float64) {
	mean, sum := float64(len(ranks)+1)/2, 0.0
	for k := 1; k <= len(ranks)-edge; k++ {
		sum += ranks[k-1] - mean
		if k >= edge {
			most = max(most, math.Abs(sum)*weights[k])
		}
	}
	return most
}

// weightsFor returns one over the standard deviation, but for a constant factor, of the rank sum of the first k of n
// values.
func weightsFor(n int) []float64 {
	out := make([]float64, n)
	for k := 1; k < n; k++ {
		out[k] = 1 / math.Sqrt(float64(k)*float64(n-k))
	}
	return out
}

// midranks returns the rank of each value from 1; equal values share the middle of theirs.
func midranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(values))
	for i := 0; i < len(order); {
		k := i
		for k < len(order) && values[order[k]] == values[order[i]] {
			k++
		}
		for _, o := range order[i:k] {
			out[o] = float64(i+k+1) / 2
		}
		i = k
	}
	return out
}

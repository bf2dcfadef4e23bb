package stat

import (
	"math"
	"slices"
)

// Groups are values that fall into two groups with a gap between them.
type Groups struct {
	Low, High     int     // values in each
	LowAt, HighAt float64 // their means
}

const (
	// leastGroup is the smallest group: two values apart from the others are outliers.
	leastGroup = 3
	// gapOf over the number of values is the gap, in standard deviations within the groups, that 98 to 99.7% of
	// samples of 8 to 60 values of one group do not reach: normal, Student's t with 3 degrees of freedom, exponential,
	// uniform and lognormal ones (40,000 simulated samples each, seed 1).
	gapOf = 50
)

// TwoGroups reports whether values fall into two groups, each of at least three values and a fifth of all: at the
// widest gap in terms of the scatter within the groups on either side. Runs do so if something that lasts for a whole
// run differs between them, such as the node of a page, the CPU, or its frequency. There are none below MinRanks
// values.
func TwoGroups(x []float64) (Groups, bool) {
	n := len(x)
	if n < MinRanks {
		return Groups{}, false
	}
	x = slices.Sorted(slices.Values(x))
	least := max(leastGroup, (n+4)/5)
	// Sums about the mean of all give the squares about the mean of any part, and lose little to rounding.
	mean, all := Mean(x), squares(x)
	var found Groups
	widest, sum := 0.0, 0.0
	for k := 1; k <= n-least; k++ {
		sum += x[k-1] - mean
		if k < least {
			continue
		}
		low, high := float64(k), float64(n-k)
		// What lies between the groups takes this much of the squares; the rest is within them.
		within := math.Sqrt(max(all-sum*sum/low-sum*sum/high, 0) / float64(n-2))
		if gap := x[k] - x[k-1]; gap > widest*within && gap > 0 {
			widest = gap / max(within, 1e-300)
			found = Groups{Low: k, High: n - k, LowAt: mean + sum/low, HighAt: mean - sum/high}
		}
	}
	return found, widest > gapOf/float64(n)
}

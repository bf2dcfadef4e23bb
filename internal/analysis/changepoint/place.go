package changepoint

import (
	"math"
	"slices"

	"plimsoll/internal/record/stat"
)

// bend is where Huber's loss turns from squares to distances, in standard deviations: 95% efficient for normal values.
const bend = 1.345

// placed returns the place of a change in a series that has one: two levels, one before and one after it, leave the
// least loss.
func placed(values []float64) int {
	sd := scatter(values)
	at, least := edge, math.Inf(1)
	for k := edge; k <= len(values)-edge; k++ {
		if l := loss(values[:k], sd) + loss(values[k:], sd); l < least {
			at, least = k, l
		}
	}
	return at
}

// loss returns Huber's loss of values around their level.
func loss(values []float64, sd float64) (sum float64) {
	level := levelOf(values, sd)
	for _, v := range values {
		if d := math.Abs(v-level) / sd; d <= bend {
			sum += d * d / 2
		} else {
			sum += bend * (d - bend/2)
		}
	}
	return sum
}

// levelOf returns the median, moved by one step towards Huber's estimate, which is steadier for a few values.
func levelOf(values []float64, sd float64) float64 {
	median, sum := stat.Median(values), 0.0
	for _, v := range values {
		sum += min(max((v-median)/sd, -bend), bend)
	}
	return median + sd*sum/float64(len(values))
}

// scatter returns a standard deviation of values whatever their levels, by the median distance of neighbours.
func scatter(values []float64) float64 {
	const normal = 0.6745 // median of the distance from the mean, in standard deviations
	apart := make([]float64, len(values)-1)
	for i := range apart {
		apart[i] = math.Abs(values[i+1] - values[i])
	}
	if sd := stat.Median(apart) / (normal * math.Sqrt2); sd > 0 {
		return sd
	}
	if sd := stat.Mean(apart); sd > 0 { // most neighbours are equal
		return sd
	}
	return max(math.Abs(slices.Max(values)), 1)
}

package storage

import (
	"fmt"
	"math"

	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// IOsWithBytes is whether a disk's I/Os and bytes rise and fall together: Pearson's correlation of both over windows of
// a second, the mean over runs by Fisher's z.
type IOsWithBytes struct {
	Correlation estimate.Estimate `json:"correlation"` // -1 to 1; an interval from three runs on
	Windows     int               `json:"windows"`     // of all runs
}

// The correlations from which I/Os and bytes go together, and below which they do not.
const (
	strongly = .8
	hardly   = .5
)

// leastWindows is the least number of windows of a trial for a correlation.
const leastWindows = 10

// leastSpread is the least coefficient of variation of both for a correlation: of level load nothing rises or falls.
const leastSpread = .02

// iosWithBytes returns nil if no trial has enough windows with load that varies.
func iosWithBytes(lines []diskTimeline) *IOsWithBytes {
	var z []float64
	out := &IOsWithBytes{}
	for _, l := range lines {
		ios, _ := stat.Rates(l.io, l.lengths, 1, diskStep)
		bytes, _ := stat.Rates(l.bytes, l.lengths, 1, diskStep)
		r := correlation(ios, bytes)
		if len(ios) < leastWindows || math.IsNaN(r) {
			continue
		}
		// Fisher's z of a perfect correlation is infinite.
		const most = .9999
		z, out.Windows = append(z, math.Atanh(min(most, max(-most, r)))), out.Windows+len(ios)
	}
	if len(z) == 0 {
		return nil
	}
	out.Correlation = estimate.Estimate{Value: math.Tanh(stat.Mean(z))}
	if len(z) >= estimate.MinReplicates {
		iv := stat.TInterval(z, estimate.Alpha, 0)
		out.Correlation = figure.Between(math.Tanh(iv.Lo), math.Tanh(iv.Hi)).Around(out.Correlation.Value)
	}
	return out
}

// correlation returns Pearson's; NaN if one of them hardly varies.
func correlation(x, y []float64) float64 {
	mx, my := stat.Mean(x), stat.Mean(y)
	var xx, yy, xy float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
		xy += (x[i] - mx) * (y[i] - my)
	}
	n := float64(len(x))
	if !(math.Sqrt(xx/n) > leastSpread*mx) || !(math.Sqrt(yy/n) > leastSpread*my) {
		return math.NaN()
	}
	return xy / math.Sqrt(xx*yy)
}

// text states whether one of a volume's two limits can be raised alone.
func (c IOsWithBytes) text() string {
	r := c.Correlation
	told := figure.Fixed(r.Value, 2)
	lo, hi := r.Value, r.Value
	if r.Bounded() {
		lo, hi = *r.Lo, *r.Hi
		told += fmt.Sprintf(" (%s to %s)", figure.Fixed(lo, 2), figure.Fixed(hi, 2))
	}
	told = fmt.Sprintf("correlation %s over %s of 1 s", told, figure.Count(c.Windows, "window"))
	switch {
	case lo >= strongly:
		return "I/Os and bytes a second rise and fall together, so that the lower of a volume's two limits holds both: " +
			told
	case hi < hardly:
		return "I/Os and bytes a second do not rise and fall together, as with many small flushes among large writes: " + told
	}
	return "I/Os and bytes a second go together in part, or too few runs tell: " + told
}

package selftest

import (
	"math"

	"plimsoll/internal/record/stat"
)

// The bins of a histogram: 0.1% wide, like Plimsoll's latency histograms, which keep three digits.
const (
	binWidth = 1e-3
	lowest   = -2.0 // ln
	bins     = 6500
)

// histogram counts requests by the ln of their latency.
type histogram [bins]int

func (h *histogram) add(log float64) {
	h[min(max(int((log-lowest)/binWidth), 0), bins-1)]++
}

// quantile returns the ln of the q-quantile, to half a bin.
func (h *histogram) quantile(q float64) float64 {
	all := 0
	for _, n := range h {
		all += n
	}
	rank := int(math.Ceil(q * float64(all)))
	seen := 0
	for i, n := range h {
		if seen += n; seen >= rank {
			return lowest + (float64(i)+.5)*binWidth
		}
	}
	return math.NaN()
}

// pool merges all runs.
func pool(runs []*histogram) *histogram {
	var all histogram
	for _, h := range runs {
		for i, n := range h {
			all[i] += n
		}
	}
	return &all
}

// tailPooled treats the requests of all runs as independent ones of one pool: the order statistics about each side's
// p99, with both errors combined.
func tailPooled(_ Instrument, a, b []*histogram) (stat.Interval, error) {
	ma, ha := pooledTail(pool(a))
	mb, hb := pooledTail(pool(b))
	half := math.Hypot(ha, hb)
	return stat.Interval{Lo: mb - ma - half, Hi: mb - ma + half}, nil
}

func pooledTail(all *histogram) (middle, half float64) {
	off := 1.96 * math.Sqrt(tailQuantile*(1-tailQuantile)/(tailRuns*tailRequests))
	return all.quantile(tailQuantile), (all.quantile(tailQuantile+off) - all.quantile(tailQuantile-off)) / 2
}

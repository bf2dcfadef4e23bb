package loadline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record/stat"
)

// TestQuickSearches holds docs/derivations.md#searches to how far one search of few probes is off, and how often the
// bounds by the scatter of its own probes hold the truth, by the scatter of latencies.
func TestQuickSearches(t *testing.T) {
	const seed, truth, full = 12, 700.0, 1000
	searches := simtest.Times(full, 100)
	latency := func(load float64) float64 { return .004 / (1 - load*.55/truth) }
	limit := 2 * latency(100)
	below := func(n, of int) bool {
		least := float64(of) / full
		return float64(n) < float64(searches)*least-3*math.Sqrt(float64(searches)*least*(1-least))*(1-float64(searches)/full)
	}
	line := truth / .55 * (1 - .004/limit)
	for _, c := range []struct {
		probes            int
		scatter           float64
		near, far, within int // least number of searches within 5 and 10%, and whose own bounds hold the truth
	}{
		{5, .02, 970, 990, 950}, {5, .05, 780, 970, 950}, {5, .10, 470, 800, 950}, {10, .05, 820, 980, 950},
	} {
		rng := rand.New(rand.NewPCG(seed, 0))
		near, far, within := 0, 0, 0
		var widths []float64
		for range searches {
			s := stat.LineSearch{Capacity: 1100 * (.9 + .2*rng.Float64()), Probes: c.probes}
			var done []stat.LineProbe
			for step, more := s.Next(nil); more; step, more = s.Next(done) {
				noise := math.Exp(c.scatter * rng.NormFloat64())
				done = append(done, stat.LineProbe{Load: step.Load, Base: step.Base,
					Latency: latency(step.Load) * noise, Noise: c.scatter,
					CPU: math.NaN(), Over: step.Load > .99*truth/.55})
			}
			l, ok := s.Line(done)
			if !ok || !l.Crossed {
				continue
			}
			off := math.Abs(l.Load/line - 1)
			if off < .05 {
				near++
			}
			if off < .10 {
				far++
			}
			low, high := boundsOf(l, s, done)
			widths = append(widths, math.Sqrt(high/low))
			if low < line && line < high {
				within++
			}
		}
		t.Logf("seed %d, %d probes, scatter %.0f%%: of %d within 5%% %d, within 10%% %d; bounds of %d hold %d, "+
			"their median %.3f", seed, c.probes, 100*c.scatter, searches, near, far, len(widths), within,
			stat.Quantile(slices.Sorted(slices.Values(widths)), .5))
		if below(near, c.near) || below(far, c.far) || below(within, c.within) {
			t.Errorf("less than %d, %d, %d in %d", c.near, c.far, c.within, full)
		}
	}
}

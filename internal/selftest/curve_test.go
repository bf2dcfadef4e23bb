package selftest

import (
	"math"
	"testing"

	"plimsoll/internal/selftest/queue"
)

// TestQueuesFollowTheCurve holds docs/derivations.md#searches to the curve that a search assumes: up to the line, the
// p99 of M/M/c is within 10% of it, with k by the slope at the line.
func TestQueuesFollowTheCurve(t *testing.T) {
	worst := 0.0
	for _, servers := range []int{1, 2, 4, 8, 16} {
		s := queue.Several{Rate: 1000, Servers: servers}
		for _, a := range []float64{1.1, 1.4, 2, 3, 10} {
			limit := a * queue.Base(s, .99)
			line := queue.LineAt(s, .99, limit)
			const near = 1.02
			slope := 2 * math.Log(near) / math.Log(queue.LineAt(s, .99, limit*near)/queue.LineAt(s, .99, limit/near))
			k := slope / (a - 1)
			for _, share := range []float64{.1, .3, .5, .7, .9, .97, 1} {
				rate := a - (a-1)*math.Pow(share, k)
				off := math.Abs(math.Log(limit / queue.Quantile(s, share*line, .99) / rate))
				if worst = max(worst, off); off > .10 {
					t.Errorf("%d servers, limit %g times the base, %g of the line: off by %.3f", servers, a, share, off)
				}
			}
		}
	}
	t.Logf("at most %.1f%% off", 100*math.Expm1(worst))
}

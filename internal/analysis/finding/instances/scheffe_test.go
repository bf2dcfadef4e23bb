package instances

import (
	"math"
	"math/rand/v2"
	"testing"
)

// machines returns k machines with n values each: the first few are lower by a log, and every machine's own level
// scatters.
func machines(r *rand.Rand, k, n, few int, by, own float64) [][]float64 {
	out := make([][]float64, k)
	for i := range out {
		level := own * r.NormFloat64()
		if i < few {
			level += by
		}
		for range n {
			out[i] = append(out[i], level+.01*r.NormFloat64())
		}
	}
	return out
}

// TestLotteryOfEqualMachines holds the stated error rate: in at most 5% of the lots of equal machines one part stands
// out, whatever their number. The bound is three standard errors wide.
func TestLotteryOfEqualMachines(t *testing.T) {
	const lots, alpha = 2000, .05
	for _, c := range []struct{ k, n int }{{2, 5}, {3, 3}, {5, 5}, {5, 10}, {10, 4}, {20, 2}} {
		r, claims := rand.New(rand.NewPCG(uint64(c.k), uint64(c.n))), 0
		for range lots {
			if s, ok := lottery(machines(r, c.k, c.n, 0, 0, 0), alpha); !ok || s.hull.Excludes(0) {
				claims++
			}
		}
		rate := float64(claims) / lots
		t.Logf("%d machines, %d values each, seed %d, %d: %.4f", c.k, c.n, c.k, c.n, rate)
		if most := alpha + 3*math.Sqrt(alpha*(1-alpha)/lots); rate > most {
			t.Errorf("of %d equal machines with %d values each a part stands out in %.3f of the lots, over %.3f", c.k, c.n, rate,
				most)
		}
	}
}

// TestLotteryFindsTheSlowOnes: two of five that are 9% slower are found, they alone, and the interval holds the truth.
func TestLotteryFindsTheSlowOnes(t *testing.T) {
	const lots = 500
	r, found, held := rand.New(rand.NewPCG(2, 5)), 0, 0
	for range lots {
		s, ok := lottery(machines(r, 5, 5, 2, math.Log(.91), .003), .05)
		if ok && s.hull.Excludes(0) && len(s.low) == 2 && s.low[0] == 0 && s.low[1] == 1 {
			found++
		}
		if !s.hull.Excludes(math.Log(.91)) {
			held++
		}
	}
	if found < lots*99/100 || held < lots*95/100 {
		t.Errorf("seed 2, 5: found in %d, the interval holds the truth in %d of %d", found, held, lots)
	}
}

// TestLotteryNeedsValues: one machine, or one value of each, tell nothing; values without scatter claim no more than
// the floor allows.
func TestLotteryNeedsValues(t *testing.T) {
	for _, values := range [][][]float64{nil, {{1, 2, 3}}, {{1}, {2}}, {{1, 1}, {2}}} {
		if s, ok := lottery(values, .05); ok {
			t.Errorf("%v: %+v", values, s)
		}
	}
	if s, ok := lottery([][]float64{{0, 0, 0}, {.002, .002, .002}}, .05); !ok || s.hull.Excludes(0) {
		t.Errorf("%+v", s)
	}
}

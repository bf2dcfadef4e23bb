package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestEqualSpend(t *testing.T) {
	for _, c := range []struct {
		priceA, priceB float64
		a, b           int
	}{
		{1, 1, 1, 1}, {1, 1.05, 1, 1}, {1, 1.06, 10, 9}, {2, 1, 1, 2}, {1, 2, 2, 1}, {1.5, 1, 2, 3}, {.34, .29, 5, 6},
		{.29, .34, 6, 5}, {1, 4.9, 5, 1},
	} {
		a, b, ok := EqualSpend(c.priceA, c.priceB, .05)
		if !ok || a != c.a || b != c.b {
			t.Errorf("%v and %v: %d and %d, %v, want %d and %d", c.priceA, c.priceB, a, b, ok, c.a, c.b)
		}
	}
	for _, c := range [][2]float64{{0, 1}, {1, 0}, {-1, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {1e9, 1}} {
		if a, b, ok := EqualSpend(c[0], c[1], .05); ok {
			t.Errorf("%v: %d and %d", c, a, b)
		}
	}
}

// TestEqualSpendIsTheSmallest: against all pairs of numbers.
func TestEqualSpendIsTheSmallest(t *testing.T) {
	const seed, within = 5, .05
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		pa, pb := math.Exp(3*r.Float64()), math.Exp(3*r.Float64())
		a, b, ok := EqualSpend(pa, pb, within)
		off := func(a, b int) float64 {
			x, y := float64(a)*pa, float64(b)*pb
			return math.Abs(x-y) / max(x, y)
		}
		if !ok || off(a, b) > within {
			t.Fatalf("seed %d: %v and %v: %d and %d, %v", seed, pa, pb, a, b, ok)
		}
		for all := 2; all <= a+b; all++ {
			for x := 1; x < all; x++ {
				if o := off(x, all-x); o <= within && (all < a+b || o < off(a, b)) {
					t.Fatalf("seed %d: %v and %v: %d and %d, but %d and %d are less or nearer", seed, pa, pb, a, b, x, all-x)
				}
			}
		}
	}
}

func TestMachinesOnPar(t *testing.T) {
	for _, c := range []struct {
		of    int
		ratio float64
		want  int
	}{{1, 1, 1}, {10, 1, 10}, {10, 1 / 1.246, 13}, {1, 1 / 1.246, 2}, {10, 1.246, 9}, {1, 5, 1}, {10, .1, 100},
		{3, 1 / 1.1, 4}, {10, 1 / 1.1, 11}} {
		if got := MachinesOnPar(c.of, c.ratio); got != c.want {
			t.Errorf("of %d at %v: %d, want %d", c.of, c.ratio, got, c.want)
		}
	}
}

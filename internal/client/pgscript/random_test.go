package pgscript

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

// fits holds draws to the distribution function at every number, as Kolmogorov and Smirnov do: 1.63 is the 1 % point,
// and the seeds are fixed.
func fits(t *testing.T, name string, lo, hi int64, draw func(*rand.Rand) (int64, error),
	cumulative func(k int64) float64) {
	t.Helper()
	const draws = 50_000
	r := rand.New(rand.NewPCG(1, 2))
	counts := map[int64]int{}
	for range draws {
		k, err := draw(r)
		if err != nil || k < lo || k > hi {
			t.Fatalf("%s: %d (%v) is not within %d to %d", name, k, err, lo, hi)
		}
		counts[k]++
	}
	seen, worst := 0, 0.0
	for k := lo; k <= hi; k++ {
		seen += counts[k]
		worst = max(worst, math.Abs(float64(seen)/draws-cumulative(k)))
	}
	if worst*math.Sqrt(draws) > 1.63 {
		t.Errorf("%s: the draws are off by %.4f", name, worst)
	}
}

func TestDistributions(t *testing.T) {
	simtest.Long(t)
	const lo, hi = -20, 79
	const n = hi - lo + 1
	fits(t, "uniform", lo, hi, func(r *rand.Rand) (int64, error) { return uniform(r, lo, hi) },
		func(k int64) float64 { return float64(k-lo+1) / n })
	for _, p := range []float64{0.5, 5, 50} {
		fits(t, "exponential", lo, hi, func(r *rand.Rand) (int64, error) { return exponential(r, lo, hi, p) },
			func(k int64) float64 { return math.Expm1(-p*float64(k-lo+1)/n) / math.Expm1(-p) })
	}
	normal := func(x float64) float64 { return (1 + math.Erf(x/math.Sqrt2)) / 2 }
	for _, p := range []float64{2, 2.5, 10} {
		fits(t, "gaussian", lo, hi, func(r *rand.Rand) (int64, error) { return gaussian(r, lo, hi, p) },
			func(k int64) float64 {
				return (normal(2*p*float64(k-lo+1)/n-p) - normal(-p)) / (2*normal(p) - 1)
			})
	}
	for _, s := range []float64{1.001, 1.5, 3} {
		sum := 0.0
		for k := 1; k <= n; k++ {
			sum += math.Pow(float64(k), -s)
		}
		at := map[int64]float64{}
		for k, c := int64(1), 0.0; k <= n; k++ {
			c += math.Pow(float64(k), -s) / sum
			at[lo+k-1] = c
		}
		fits(t, "zipfian", lo, hi, func(r *rand.Rand) (int64, error) { return zipfian(r, lo, hi, s) },
			func(k int64) float64 { return at[k] })
	}
}

// TestEdges: ranges of one number and the widest ones.
func TestEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, draw := range map[string]func(lo, hi int64) (int64, error){
		"uniform":     func(lo, hi int64) (int64, error) { return uniform(r, lo, hi) },
		"exponential": func(lo, hi int64) (int64, error) { return exponential(r, lo, hi, 700) },
		"gaussian":    func(lo, hi int64) (int64, error) { return gaussian(r, lo, hi, 2) },
		"zipfian":     func(lo, hi int64) (int64, error) { return zipfian(r, lo, hi, 1.001) },
	} {
		for _, c := range [][2]int64{{7, 7}, {-1, 0}, {1, math.MaxInt64}, {math.MinInt64, -2}} {
			for range 200 {
				if k, err := draw(c[0], c[1]); err != nil || k < c[0] || k > c[1] {
					t.Fatalf("%s of %v: %d (%v)", name, c, k, err)
				}
			}
		}
	}
}

// TestPermute: every number is hit once, seeds give different permutations, and numbers beyond the size are taken
// modulo it.
func TestPermute(t *testing.T) {
	for _, size := range []int64{1, 2, 3, 7, 64, 65, 1000} {
		orders := map[int64]bool{}
		for seed := range int64(4) {
			hit := map[int64]bool{}
			order := int64(0)
			for v := range size {
				p := permute(v, size, seed)
				if p < 0 || p >= size || hit[p] {
					t.Fatalf("size %d, seed %d: %d is at %d, again or outside", size, seed, v, p)
				}
				hit[p] = true
				order = order*31 + p
				if permute(v+size, size, seed) != p || permute(v-size, size, seed) != p {
					t.Errorf("size %d: %d is not taken modulo it", size, v)
				}
			}
			orders[order] = true
		}
		if size >= 64 && len(orders) != 4 {
			t.Errorf("size %d: 4 seeds gave %d permutations", size, len(orders))
		}
	}
	if p := permute(math.MaxInt64, math.MaxInt64, math.MinInt64); p < 0 || p == math.MaxInt64 {
		t.Errorf("the widest permutation gave %d", p)
	}
}

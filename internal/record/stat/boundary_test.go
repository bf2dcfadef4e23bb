package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/base/simtest"
)

func TestSignedRankK(t *testing.T) {
	for _, c := range []struct {
		alpha float64
		k     map[int]int
	}{
		// docs/derivations.md#interim-analyses
		{.05, map[int]int{0: 0, 1: 0, 5: 0, 6: 1, 7: 3, 8: 4, 10: 9, 20: 53}},
		{.01, map[int]int{7: 0, 8: 1, 10: 4, 20: 38}}, // tables of Wilcoxon's test
		{.0625, map[int]int{4: 0, 5: 1}},              // alpha is one of the rates
	} {
		for n, want := range c.k {
			if got := signedRankK(n, c.alpha); got != want {
				t.Errorf("k(%d, %g) = %d, want %d", n, c.alpha, got, want)
			}
		}
	}
}

// TestSignedRankByCounting counts all 2^n signs instead of building the distribution up.
func TestSignedRankByCounting(t *testing.T) {
	for n := 1; n <= 12; n++ {
		count := make([]float64, n*(n+1)/2+1)
		for signs := range 1 << n {
			w := 0
			for rank := 1; rank <= n; rank++ {
				w += rank * (signs >> (rank - 1) & 1)
			}
			count[w]++
		}
		sum := 0.0
		for w, p := range signedRankCDF(n) {
			sum += count[w]
			near(t, "cdf", p, sum/float64(int(1)<<n), 1e-12)
		}
	}
}

func TestSignedRankApproximationJoins(t *testing.T) {
	for _, alpha := range []float64{.01, .05, .1} {
		step := signedRankK(exactRanks+1, alpha) - signedRankK(exactRanks, alpha)
		before := signedRankK(exactRanks, alpha) - signedRankK(exactRanks-1, alpha)
		if math.Abs(float64(step-before)) > 6 {
			t.Errorf("alpha %g: k grows by %d into the approximation, by %d before it", alpha, step, before)
		}
	}
}

// TestRepeatedConstants checks the constants of docs/derivations.md#interim-analyses.
func TestRepeatedConstants(t *testing.T) {
	b, err := Repeated(.05, UsualPairs)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30}; !slices.Equal(b.Looks, want) {
		t.Errorf("analyses after %v pairs, want %v", b.Looks, want)
	}
	for i, want := range []float64{4.631, 4.053, 3.725} {
		near(t, "c", b.Crit(b.Looks[i]), want, 1e-3)
	}
	for n, want := range map[int]int{8: 1, 10: 4, 12: 8, 15: 16, 18: 28, 22: 49, 26: 76, 30: 109} {
		if got := signedRankK(n, b.Rate); got != want {
			t.Errorf("k(%d) = %d, want %d", n, got, want)
		}
	}
	for most, want := range map[int][]int{8: {5, 6, 7, 8}, 9: {5, 6, 7, 8, 9}, 31: {22, 26, 30, 31}, 40: {26, 30, 36, 40},
		300: {185, 222, 266, 300}, 1000: {552, 662, 794, 1000}} {
		b, err := Repeated(.05, most)
		if err != nil || !slices.Equal(b.Looks[len(b.Looks)-4:], want[max(0, len(want)-4):]) {
			t.Errorf("at most %d: %v, %v", most, b.Looks, err)
		}
	}
	for _, c := range []struct {
		alpha float64
		most  int
	}{{.02, 30}, {.05, 4}, {.05, 1001}, {.05, 0}} {
		if _, err := Repeated(c.alpha, c.most); err == nil {
			t.Errorf("alpha %g, at most %d: no error", c.alpha, c.most)
		}
	}
}

// TestRepeatedLooksKeepAlpha walks A/A sessions through every look: the share that ever claims is alpha.
func TestRepeatedLooksKeepAlpha(t *testing.T) {
	simtest.Long(t)
	const seed = 11
	t.Logf("seed %d", seed)
	for _, most := range []int{UsualPairs, 108, 300, MostPairs} {
		if most > 108 && !simtest.Night() {
			break
		}
		sessions, alphas := times(20000, 1000), []float64{.01, .05, .10}
		if most > UsualPairs {
			sessions, alphas = times(1000, 100), []float64{.05}
		}
		for _, alpha := range alphas {
			for name, constants := range map[string]func(float64, int) (Boundary, error){"repeated": Repeated, "early": Early} {
				b, err := constants(alpha, most)
				if err != nil {
					t.Fatal(err)
				}
				claims := claimShare(b, rand.New(rand.NewPCG(seed, 0)), sessions)
				t.Logf("%s, alpha %g, at most %d: %.4f", name, alpha, most, claims)
				near(t, name+" claims", claims, alpha, .1*alpha+4*math.Sqrt(alpha*(1-alpha)/float64(sessions)))
			}
		}
	}
}

// claimShare is the share of A/A sessions that claim a difference at any look.
func claimShare(b Boundary, r *rand.Rand, sessions int) (claims float64) {
	for range sessions {
		d := normals(r, slices.Max(b.Looks), 0, .02)
		claims += share(slices.ContainsFunc(b.Looks, func(n int) bool {
			return PairedRatio(d[:n], Opts{Boundary: b}).Hull.Excludes(0)
		}), sessions)
	}
	return claims
}

func share(is bool, of int) float64 {
	if is {
		return 1 / float64(of)
	}
	return 0
}

package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/simtest"
)

func TestSignedRankK(t *testing.T) {
	for _, c := range []struct {
		alpha float64
		k     map[int]int
	}{
		// docs/method.md#interim-analyses-that-may-end-a-session
		{.05, map[int]int{0: 0, 1: 0, 5: 0, 6: 1, 7: 3, 8: 4, 10: 9, 20: 53}},
		{.01, map[int]int{7: 0, 8: 1, 10: 4, 20: 38}}, // tables of Wilcoxon's test
		{.0625, map[int]int{4: 0, 5: 1}},              // alpha is one of the rates
	} {
		for n, want := range c.k {
			if got := SignedRankK(n, c.alpha); got != want {
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
		step := SignedRankK(exactRanks+1, alpha) - SignedRankK(exactRanks, alpha)
		before := SignedRankK(exactRanks, alpha) - SignedRankK(exactRanks-1, alpha)
		if math.Abs(float64(step-before)) > 6 {
			t.Errorf("alpha %g: k grows by %d into the approximation, by %d before it", alpha, step, before)
		}
	}
}

// TestRepeatedConstants checks the constants of docs/method.md#interim-analyses-that-may-end-a-session.
func TestRepeatedConstants(t *testing.T) {
	b, err := Repeated(.05)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{4.677, 4.088, 3.754, 3.540, 3.284, 3.136, 3.004, 2.924, 2.856, 2.811, 2.779}
	for i, n := range b.Looks {
		near(t, "c", b.Crit(n), want[i], 1e-3)
	}
	ranks := map[int]int{5: 0, 6: 0, 7: 0, 8: 1, 10: 5, 12: 9, 15: 18, 18: 31, 22: 53, 26: 81, 30: 115}
	for _, n := range b.Looks {
		if b.K(n) != ranks[n] {
			t.Errorf("k(%d) = %d, want %d", n, b.K(n), ranks[n])
		}
	}
	early, err := Early(.05)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "c(3)", early.Crit(3), 11.452, 5e-3)
	near(t, "c(4)", early.Crit(4), 6.456, 2e-3)
	if _, err := Repeated(.02); err == nil {
		t.Error("interim analyses at alpha 0.02 have no constants, yet there is no error")
	}
}

// TestRepeatedLooksKeepAlpha walks A/A sessions through every look: the share
// that ever claims must be alpha, with either method.
func TestRepeatedLooksKeepAlpha(t *testing.T) {
	simtest.Long(t)
	const seed = 11
	sessions := times(4000, 800)
	t.Logf("seed %d", seed)
	for _, alpha := range []float64{.01, .05, .10} {
		for name, constants := range map[string]func(float64) (Boundary, error){"repeated": Repeated, "early": Early} {
			b, err := constants(alpha)
			if err != nil {
				t.Fatal(err)
			}
			byT, byRank := claimShares(b, rand.New(rand.NewPCG(seed, 0)), sessions)
			slack := 4 * math.Sqrt(alpha*(1-alpha)/float64(sessions))
			t.Logf("%s, alpha %g: t %.4f, ranks %.4f", name, alpha, byT, byRank)
			near(t, name+" t claims", byT, alpha, slack)
			near(t, name+" rank claims", byRank, alpha, slack)
		}
	}
}

// claimShares are the shares of A/A sessions in which Student's t and the signed ranks claim
// a difference at any look.
func claimShares(b Boundary, r *rand.Rand, sessions int) (byT, byRank float64) {
	crit, k := map[int]float64{}, map[int]int{}
	for _, n := range b.Looks {
		crit[n], k[n] = b.Crit(n), b.K(n)
	}
	d := make([]float64, slices.Max(b.Looks))
	for range sessions {
		for i := range d {
			d[i] = .02 * r.NormFloat64()
		}
		t := func(n int) bool {
			return math.Abs(Mean(d[:n])) > crit[n]*SD(d[:n])/math.Sqrt(float64(n))
		}
		rank := func(n int) bool {
			w := walshOf(d[:n])
			return k[n] > 0 && (w.at(k[n]-1) > 0 || w.at(w.len()-k[n]) < 0)
		}
		byT += share(slices.ContainsFunc(b.Looks, t), sessions)
		byRank += share(slices.ContainsFunc(b.Looks, rank), sessions)
	}
	return byT, byRank
}

func share(is bool, of int) float64 {
	if is {
		return 1 / float64(of)
	}
	return 0
}

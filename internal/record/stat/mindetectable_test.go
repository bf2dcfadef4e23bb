package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

// normals are n values with the given mean and standard deviation.
func normals(r *rand.Rand, n int, mean, sd float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = mean + sd*r.NormFloat64()
	}
	return x
}

// Tables of sample size (G*Power 3.1, one-sample t, two-sided 0.05, power 0.8)
// give these effect sizes.
func TestDecidableAgreesWithTables(t *testing.T) {
	for n, want := range map[int]float64{5: 1.6816, 10: 0.9960, 34: 0.4947, 199: 0.1996} {
		if got := MinDetectable(1, n, .05, .8); math.Abs(got/want-1) > .005 {
			t.Errorf("n %d: %.4f, want %.4f", n, got, want)
		}
	}
	if got := MinDetectable(1, 1, .05, .8); !math.IsInf(got, 1) {
		t.Errorf("one value decides %v", got)
	}
}

// TestDecidableIsCalibrated simulates sessions of pairs that differ by the minimum detectable effect, decided by the
// interval that compare uses.
func TestDecidableIsCalibrated(t *testing.T) {
	simtest.Long(t)
	const seed, sessions, sd, alpha, power = 11, 2000, 0.03, 0.05, 0.8
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{3, 4, 5, 8, 13, 40, 200} {
		shift := MinDetectable(sd, n, alpha, power)
		found, none := 0, 0
		for range sessions {
			if TInterval(normals(r, n, shift, sd), alpha, SDFloor).Excludes(0) {
				found++
			}
			if TInterval(normals(r, n, 0, sd), alpha, SDFloor).Excludes(0) {
				none++
			}
		}
		if p := float64(found) / sessions; math.Abs(p-power) > .03 {
			t.Errorf("n %d: a difference of %.4f was decided in %.1f%% of sessions, want 80 ± 3", n, shift, 100*p)
		}
		if p := float64(none) / sessions; p > alpha+.02 {
			t.Errorf("n %d: no difference was taken for one in %.1f%% of sessions, want 5", n, 100*p)
		}
	}
}

func TestSDIntervalCovers(t *testing.T) {
	const seed, samples = 12, 4000
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{2, 3, 6, 20} {
		held := 0
		for range samples {
			if iv := SDInterval(SD(normals(r, n, 1, 2)), n, .05); !iv.Excludes(2) {
				held++
			}
		}
		if p := float64(held) / samples; math.Abs(p-.95) > .015 {
			t.Errorf("n %d: the interval held the standard deviation in %.1f%% of samples, want 95", n, 100*p)
		}
	}
	if iv := SDInterval(1, 1, .05); !math.IsInf(iv.Hi, 1) {
		t.Errorf("of one value: %v", iv)
	}
}

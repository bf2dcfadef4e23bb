package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// drawn are n logs of independent replicates with the standard deviation sd.
func drawn(r *rand.Rand, n int, sd float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = sd * r.NormFloat64()
	}
	return x
}

func moving(x []float64, by func(i int) float64) []float64 {
	for i := range x {
		x[i] += by(i)
	}
	return x
}

func chained(r *rand.Rand, n int, phi, sd float64) []float64 {
	x := drawn(r, n, sd)
	for i := 1; i < n; i++ {
		x[i] = phi*x[i-1] + math.Sqrt(1-phi*phi)*x[i]
	}
	return x
}

// TestOrderIsNamed: the kind of disorder of a sample, which of two it is in, and by how much.
func TestOrderIsNamed(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	still := func() []float64 { return drawn(r, 12, .005) }
	for name, c := range map[string]struct {
		samples [][]float64
		why     Disorder
		sample  int
		change  float64
	}{
		"a ramp": {[][]float64{moving(still(), func(i int) float64 { return .01 * float64(i) }), still()}, Ramp,
			0, .01},
		"a ramp of both": {[][]float64{moving(still(), func(i int) float64 { return -.01 * float64(i) }),
			moving(still(), func(i int) float64 { return -.02 * float64(i) })}, Ramp, 1, -.02},
		"a step": {[][]float64{still(),
			moving(still(), func(i int) float64 { return map[bool]float64{true: -.1}[i >= 5] })}, Step, 1, -.1},
		"a warm-up": {[][]float64{moving(still(), func(i int) float64 { return -.3 * math.Exp(-float64(i)/2) }),
			still()}, Settles, 0, .3},
		"seconds of one run": {[][]float64{chained(r, 3600, .9, .02), chained(r, 3600, .9, .02)}, Repeats, -1, 0},
		"none":               {[][]float64{still(), still()}, "", -1, 0},
		"a ramp too small": {[][]float64{moving(drawn(r, 12, 1e-5), func(i int) float64 { return .0005 * float64(i) }),
			still()}, "", -1, 0},
		"one sample":       {[][]float64{moving(still(), func(i int) float64 { return .01 * float64(i) })}, Ramp, 0, .01},
		"four are too few": {[][]float64{{0, .1, .2, .3}, {0, .1, .2, .3}}, "", -1, 0},
		"one is no sample": {[][]float64{{0}, {0}}, "", -1, 0},
		"equal, to rounding": {[][]float64{Logs([]float64{1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000}), still()}, "", -1,
			0},
		"nobody measured any": {nil, "", -1, 0},
	} {
		o := OrderOf(c.samples...)
		if o.Why != c.why || o.Why != "" && o.Why != Repeats &&
			(o.Sample != c.sample || math.Abs(o.Change/c.change-1) > .25) {
			t.Errorf("%s, seed %d: %+v", name, seed, o)
		}
		if !(o.Widen >= 1 && o.Widen < 4.4) {
			t.Errorf("%s: widened by %v", name, o.Widen)
		}
	}
	if o := OrderOf(moving(still(), func(i int) float64 { return map[bool]float64{true: -.1}[i >= 5] })); o.At != 5 {
		t.Errorf("the step is at 5: %+v", o)
	}
}

// TestOrderOfIndependentValues: of independent normal values at most 2% are taken for something else, whatever their
// number.
func TestOrderOfIndependentValues(t *testing.T) {
	const seed, pairs = 9, 2000
	for _, n := range []int{3, 5, 6, 8, 10, 15, 30, 100} {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		refused, widened := 0, 0.0
		for range pairs {
			o := OrderOf(drawn(r, n, .02), drawn(r, n, .02))
			widened += o.Widen / pairs
			if o.Why != "" {
				refused++
			}
		}
		if refused > pairs*26/1000 || widened > 1.3 { // 2%, and two standard errors
			t.Errorf("seed %d, n=%d: %d of %d refused, widened by %.2f", seed, n, refused, pairs, widened)
		}
	}
}

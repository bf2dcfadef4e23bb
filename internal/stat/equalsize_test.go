package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/simtest"
)

func rates(r *rand.Rand, n int, sd float64, sizes []float64, rate func(float64) float64) []SizedRate {
	var out []SizedRate
	for _, s := range sizes {
		at := SizedRate{Size: s}
		for range n {
			at.Logs = append(at.Logs, math.Log(rate(s))+sd*r.NormFloat64())
		}
		out = append(out, at)
	}
	return out
}

// TestEqualSizes: b at 32 has the rate of a at 48, and likewise at every size.
func TestEqualSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	a := rates(r, 1, 0, []float64{12, 24, 48, 96}, func(s float64) float64 { return s * 100 / 1.5 })
	b := rates(r, 1, 0, []float64{2, 8, 16, 32}, func(s float64) float64 { return s * 100 })
	got := EqualSizes(a, b)
	if len(got) != 4 || got[3].Size != 0 {
		t.Fatalf("%+v: sizes 8, 16, 32 and all together; 2 carries less than all of a", got)
	}
	for _, e := range got {
		if math.Abs(e.Multiple-1.5) > 1e-9 || !math.IsNaN(e.Lo) {
			t.Errorf("%+v", e)
		}
	}
	flat := rates(r, 3, 0, []float64{4, 8, 16}, func(float64) float64 { return 100 })
	if got := EqualSizes(flat, rates(r, 3, 0, []float64{4}, func(float64) float64 { return 100 })); len(got) != 0 {
		t.Errorf("a plateau has a size: %+v", got)
	}
}

// TestEqualSizesCoverage: five trials a machine with noise of 2 %; the interval over all sizes holds the truth.
func TestEqualSizesCoverage(t *testing.T) {
	simtest.Long(t)
	const sessions, seed = 2000, 5
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	held := 0
	for range sessions {
		got := EqualSizes(
			rates(r, 5, .02, []float64{8, 16, 32, 64, 128}, func(s float64) float64 { return 70 * math.Pow(s, .9) }),
			rates(r, 5, .02, []float64{8, 16, 32}, func(s float64) float64 { return 70 * math.Pow(1.4*s, .9) }))
		all := got[len(got)-1]
		if all.Lo <= 1.4 && 1.4 <= all.Hi {
			held++
		}
	}
	t.Logf("held in %d of %d", held, sessions)
	if held < sessions*94/100 {
		t.Errorf("the interval holds the truth in %d of %d", held, sessions)
	}
}

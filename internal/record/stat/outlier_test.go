package stat

import (
	"math/rand/v2"
	"testing"
)

func TestOutlier(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	found, falsely := 0, 0
	const runs = 4000
	for range runs {
		x := make([]float64, 10)
		for i := range x {
			x[i] = .02 * r.NormFloat64()
		}
		if _, _, ok := Outlier(x, SDFloor); ok {
			falsely++
		}
		x[3] += .25
		if at, away, ok := Outlier(x, SDFloor); ok && at == 3 && away > .1 {
			found++
		}
	}
	t.Logf("found %d of %d, and %d where there are none", found, runs, falsely)
	if found < runs*95/100 || falsely > runs*3/1000 {
		t.Errorf("found %d of %d, and %d where there are none", found, runs, falsely)
	}
	for _, x := range [][]float64{nil, {1, 1, 1, 9}, {1, 1, 1, 1, 1.01}} {
		if _, _, ok := Outlier(x, SDFloor); ok {
			t.Errorf("%v", x)
		}
	}
}

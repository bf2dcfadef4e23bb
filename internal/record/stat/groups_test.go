package stat

import (
	"math/rand/v2"
	"testing"
)

func TestTwoGroups(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		low  int
		want bool
	}{
		{"a page on another node", []float64{1.00, 0.71, 1.01, 0.70, 0.99, 1.02, 0.72, 1.00, 0.71, 1.01}, 4, true},
		{"equal but for one gap", []float64{1, 1, 1, 1, 2, 2, 2, 2}, 4, true},
		{"two outliers are no group", []float64{1.00, 0.5, 1.01, 0.51, 0.99, 1.02, 1.01, 1.00, 0.99, 1.01}, 0, false},
		{"one level", []float64{1.00, 0.98, 1.01, 0.99, 0.97, 1.02, 1.03, 1.00}, 0, false},
		{"equal", []float64{1, 1, 1, 1, 1, 1, 1, 1}, 0, false},
		{"too few", []float64{1, 1, 1, 2, 2, 2}, 0, false},
		{"none", nil, 0, false},
	} {
		if got, ok := TwoGroups(c.x); ok != c.want || ok && got.Low != c.low {
			t.Errorf("%s: %v, %+v", c.name, ok, got)
		}
	}
}

// TestTwoGroupsOfOne: values of one group are seldom taken for two, and of two that lie ten standard deviations apart
// most are found.
func TestTwoGroupsOfOne(t *testing.T) {
	r, samples := seeded(t, 41), times(20000, 2000)
	for name, draw := range map[string]func(*rand.Rand) float64{"normal": (*rand.Rand).NormFloat64, "t3": student3,
		"exponential": (*rand.Rand).ExpFloat64, "uniform": (*rand.Rand).Float64} {
		for _, n := range []int{8, 15, 30} {
			wrong := 0.0
			for range samples {
				_, ok := TwoGroups(independent(n, func() float64 { return draw(r) }))
				wrong += share(ok, samples)
			}
			t.Logf("%s, %d values: %.4f", name, n, wrong)
			if wrong > .03 {
				t.Errorf("%s, %d values: %.1f%% of one group are taken for two", name, n, 100*wrong)
			}
		}
	}
	for _, n := range []int{15, 30} {
		found := 0.0
		for range samples {
			_, ok := TwoGroups(independent(n, func() float64 { return r.NormFloat64() + 10*float64(r.IntN(2)) }))
			found += share(ok, samples)
		}
		t.Logf("two groups, %d values: %.3f found", n, found)
		if found < .85 {
			t.Errorf("%d values: %.1f%% of two groups are found", n, 100*found)
		}
	}
}

package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDifferences: those that are not materialised are those that are.
func TestDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	for range 50 {
		a, b := make([]float64, 1+r.IntN(20)), make([]float64, 1+r.IntN(20))
		var all []float64
		for i := range a {
			a[i] = float64(r.IntN(9)) - 4.5*r.Float64()
		}
		for i := range b {
			b[i] = float64(r.IntN(9))
			for _, v := range a {
				all = append(all, b[i]-v)
			}
		}
		slices.Sort(all)
		d := differencesOf(a, b)
		for k, want := range all {
			if got := d.at(k); got != want {
				t.Fatalf("at %d: %v, want %v", k, got, want)
			}
		}
	}
}

// TestShiftByRanks: the interval holds the truth as often as it says, and two wild values of 26 hardly move it.
func TestShiftByRanks(t *testing.T) {
	r, held := rand.New(rand.NewPCG(11, 3)), 0
	const times = 2000
	for range times {
		a, b := make([]float64, 12), make([]float64, 15)
		for i := range a {
			a[i] = r.NormFloat64()
		}
		for i := range b {
			b[i] = .3 + r.NormFloat64()
		}
		if _, iv := ShiftByRanks(a, b, Opts{Boundary: Fixed(.05)}); !iv.Excludes(.3) {
			held++
		}
	}
	if share := float64(held) / times; share < .935 || share > .97 {
		t.Errorf("%v of the intervals hold the truth", share)
	}
	a, b := make([]float64, 26), make([]float64, 26)
	for i := range a {
		a[i], b[i] = .02*r.NormFloat64(), .1+.02*r.NormFloat64()
	}
	_, calm := ShiftByRanks(a, b, Opts{Boundary: Fixed(.05)})
	b[3], b[17] = -2, -3
	shift, iv := ShiftByRanks(a, b, Opts{Boundary: Fixed(.05)})
	if iv.HalfWidth() > 1.5*calm.HalfWidth() || !iv.Excludes(0) || math.Abs(shift-.1) > .02 {
		t.Errorf("%v %+v, without outliers %+v", shift, iv, calm)
	}
	if at, _ := Outliers(b, SDFloor); !slices.Equal(at, []int{3, 17}) {
		t.Errorf("outliers %v", at)
	}
	if at, _ := Outliers(a, SDFloor); len(at) != 0 {
		t.Errorf("outliers of none: %v", at)
	}
}

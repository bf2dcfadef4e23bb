package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// allAverages makes every Walsh average and sorts them.
func allAverages(d []float64) []float64 {
	var w []float64
	for i := range d {
		for j := i; j < len(d); j++ {
			w = append(w, (d[i]+d[j])/2)
		}
	}
	slices.Sort(w)
	return w
}

func TestWalshAverages(t *testing.T) {
	const seed = 9
	r := rand.New(rand.NewPCG(seed, 0))
	for n := 1; n <= 40; n++ {
		d := make([]float64, n)
		for i := range d {
			d[i] = .02 * r.NormFloat64()
			if n%3 == 0 {
				d[i] = math.Round(100*d[i]) / 100 // many are equal, and some are 0
			}
		}
		want, w := allAverages(d), walshOf(d)
		if w.len() != len(want) {
			t.Fatalf("%d values: %d averages, want %d", n, w.len(), len(want))
		}
		for k, v := range want {
			if got := w.at(k); got != v {
				t.Fatalf("seed %d, %d values, place %d: %v, want %v", seed, n, k, got, v)
			}
		}
		if got, want := w.median(), Quantile(want, .5); math.Abs(got-want) > 1e-15 {
			t.Errorf("seed %d, %d values: median %v, want %v", seed, n, got, want)
		}
	}
}

// TestRatioOfManyPairs: 50,000 pairs need no memory for their 1.25 billion averages.
func TestRatioOfManyPairs(t *testing.T) {
	const seed, n, truth = 4, 50_000, .01
	r := rand.New(rand.NewPCG(seed, 0))
	d := make([]float64, n)
	for i := range d {
		d[i] = truth + .02*r.NormFloat64()
	}
	got := PairedRatio(d, OptsFor(Fixed(.05)))
	byT := TInterval(d, .05, SDFloor)
	half := got.Hull.HalfWidth() / byT.HalfWidth()
	if math.Abs(got.Mean-truth) > .0005 || got.Hull.Excludes(got.Mean) || half < 1 || half > 1.1 {
		t.Errorf("seed %d: %+v, Student %+v", seed, got, byT)
	}
}

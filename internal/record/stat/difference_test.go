package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

func TestDifferenceOfPairs(t *testing.T) {
	a, b := []float64{10, 20, 30, 40}, []float64{11, 23, 31, 43}
	d := DifferenceOf(a, b, true, 0)
	// The differences 1, 3, 1, 3 have mean 2 and standard deviation 1.1547; t(3) at 95% is 3.1824.
	iv := d.Interval(.05)
	if d.Mean != 2 || math.Abs(d.SE-.57735) > 1e-5 || math.Abs(iv.Lo-(2-3.1824*.57735)) > 1e-3 ||
		math.Abs(d.P()-.0405) > 5e-4 {
		t.Errorf("got %+v, %+v, p %g", d, iv, d.P())
	}
	if d = DifferenceOf(a, b, true, 10); d.SE != 5 {
		t.Errorf("a floor of 10 gives the error %g", d.SE)
	}
	if d = DifferenceOf(a[:1], b[:1], true, 0); d.P() != 1 || !math.IsInf(d.Interval(.05).Lo, -1) {
		t.Errorf("one pair: %+v", d)
	}
}

func TestDifferenceOfTwoSamples(t *testing.T) {
	d := DifferenceOf([]float64{1, 2, 3, 4}, []float64{5, 7, 9}, false, 0)
	// Welch: variances 5/3 and 4, squared errors .41667 and 1.33333, degrees of freedom 3.2347.
	if d.Mean != 4.5 || math.Abs(d.SE-1.32288) > 1e-5 || math.Abs(d.DF-3.2347) > 1e-3 {
		t.Errorf("got %+v", d)
	}
}

// TestPartOfCovers: the interval of a share holds the true one in 95% of samples, paired or not.
func TestPartOfCovers(t *testing.T) {
	simtest.Long(t)
	const times, n, seed = 4000, 6, 11
	r := rand.New(rand.NewPCG(seed, 1))
	for _, paired := range []bool{true, false} {
		in := 0
		for range times {
			var partA, wholeA, partB, wholeB []float64
			for range n {
				shared := 0.0
				if paired {
					shared = 2 * r.NormFloat64()
				}
				pa, ra := 10+shared+.5*r.NormFloat64(), 5+.5*r.NormFloat64()
				pb, rb := 16+shared+.5*r.NormFloat64(), 9+.5*r.NormFloat64()
				partA, wholeA, partB, wholeB = append(partA, pa), append(wholeA, pa+ra), append(partB, pb), append(wholeB, pb+rb)
			}
			p := PartOf(partA, wholeA, partB, wholeB, paired, .05)
			if !p.Interval.Excludes(.6) {
				in++
			}
		}
		if share := float64(in) / times; share < .935 || share > .97 {
			t.Errorf("seed %d, paired %t: %.1f%% of the intervals hold the share", seed, paired, 100*share)
		}
	}
	if p := PartOf([]float64{1, 2, 3}, []float64{2, 3, 4}, []float64{2, 1, 3}, []float64{3, 2, 4.1}, true,
		.05); !math.IsInf(p.Interval.Hi, 1) {
		t.Errorf("a whole that may be 0 has a share of %+v", p.Interval)
	}
}

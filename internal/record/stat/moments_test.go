package stat

import (
	"math"
	"testing"
)

// TestMomentsGiveWelchsRatio: summarized replicates give the ratio and the interval of the replicates.
func TestMomentsGiveWelchsRatio(t *testing.T) {
	a, b := []float64{100, 104, 99, 101, 97}, []float64{120, 131, 118, 125}
	o := Opts{Boundary: Fixed(.05)}
	want := WelchRatio(Logs(a), Logs(b), o)
	got := MomentsRatio(LogMoments(a), LogMoments(b), o)
	near(t, "mean", got.Mean, want.Mean, 1e-12)
	near(t, "lo", got.Hull.Lo, want.Hull.Lo, 1e-12)
	near(t, "hi", got.Hull.Hi, want.Hull.Hi, 1e-12)
	near(t, "behind", SDBehind(2.776445/2.2360680, .05, 5), 1, 1e-6)
}

// TestKnownMomentsAreNormal: the error of a reading is known, so that one value has an interval, and two have a ratio.
// Normal's quantile of 97.5% is 1.959964.
func TestKnownMomentsAreNormal(t *testing.T) {
	a, b := Moments{Mean: 200, SD: 2, N: 1, Known: true}, Moments{Mean: 100, SD: 1, N: 1, Known: true}
	i := a.Interval(.05, 0)
	near(t, "lo", i.Lo, 200-2*1.959964, 1e-5)
	near(t, "hi", i.Hi, 200+2*1.959964, 1e-5)
	r := MomentsRatio(a, b, Opts{Boundary: Fixed(.05)})
	near(t, "mean", r.Mean, math.Log(.5), 1e-12)
	near(t, "half", r.Hull.HalfWidth(), 1.959964*math.Sqrt(2)*.01, 1e-7)
	// Beside replicates of the other side, the degrees of freedom are those of Welch and Satterthwaite.
	mixed := MomentsRatio(a, Moments{Mean: 100, SD: 1, N: 4}, Opts{Boundary: Fixed(.05)})
	va, vb := .01*.01, .01*.01/4
	near(t, "mixed", mixed.Hull.HalfWidth(), tCrit(.05, 3*(va+vb)*(va+vb)/(vb*vb))*math.Sqrt(va+vb), 1e-7)
	if single := (Moments{Mean: 1, SD: 1, N: 1}).Interval(.05, 0); !math.IsInf(single.Hi, 1) && !math.IsNaN(single.Hi) {
		t.Errorf("one value of an unknown deviation has the interval %+v", single)
	}
}

package stat

import "testing"

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

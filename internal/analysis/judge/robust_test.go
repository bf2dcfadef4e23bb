package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/analysis/trialset"
)

// TestTwoOutliersOf52: they widen the mean's interval until it decides nothing, the ranks still decide, and the reader
// is told so, and which runs they are.
func TestTwoOutliersOf52(t *testing.T) {
	r := rand.New(rand.NewPCG(52, 2))
	trials := session(26, .2, .005, fromCSV())
	for i := range trials {
		trials[i].Values[0].Value = 1e9 * math.Exp(.2*r.NormFloat64())
		if trials[i].Keys["machine"] == "m2" {
			trials[i].Values[0].Value *= 1.35
			if n := trials[i].Replicate; n == 4 || n == 17 {
				trials[i].Values[0].Value /= 25
			}
		}
	}
	got, err := Compare(trials, nil, plans(nil), Options{})
	v := only(t, got, err)
	if v.Verdict != trialset.Undecided || v.Robust == nil || v.Robust.Method != "rank-sum" ||
		v.Robust.Verdict != trialset.Different || len(v.Robust.Outliers) != 2 {
		t.Fatalf("%s, %+v", v.Verdict, v.Robust)
	}
	for _, want := range []string{"a rank test, which outliers hardly affect, gives DIFFERENT: +",
		"2 outliers (modified z-score over 3.5) are included in the result: run 5 of the candidate",
		"candidate: results are noisy"} {
		if !flagged(v.Flags, want) {
			t.Errorf("no %q in %q", want, v.Flags)
		}
	}
}

package render

import (
	"testing"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
)

// TestEndingByRanks: what ended without a ratio names the test instead of an interval that there is not.
func TestEndingByRanks(t *testing.T) {
	e := sequential.Ending{What: "exec", A: "old", B: "new", Verdict: trialset.Different, Pairs: 10,
		P: new(.00195), SpentS: 20}
	const want = "exec, new over old: by ranks, p 0.0019, DIFFERENT after 10 pairs in 20s"
	if got := ending(e); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

package finding

import (
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// TestLeaningWithinAReading: values read off a chart lean to no side if their difference is within the error of the
// readings.
func TestLeaningWithinAReading(t *testing.T) {
	of := func(ratio, lo, hi float64) Comparison {
		c := Comparison{Primary: true, N: 1, Direction: record.Higher, Ratio: ratio}
		if lo > 0 {
			c.Lo, c.Hi = &lo, &hi
		}
		return c
	}
	for _, tc := range []struct {
		c       Comparison
		verdict string
		better  string
	}{
		{of(1.10, 0, 0), string(trialset.Different), "b"}, {of(.9, 0, 0), string(trialset.Different), "a"},
		{of(1.01, 0, 0), string(trialset.Undecided), ""},
		{of(1.10, 1.07, 1.13), string(trialset.Different), "b"}, {of(.9, .87, .93), string(trialset.Different), "a"},
		{of(1.025, .99, 1.05), string(trialset.Undecided), ""}, {of(.97, .93, 1.001), string(trialset.Undecided), ""},
	} {
		if !tc.c.ByEstimate() {
			t.Errorf("%v is not by estimate", tc.c.Ratio)
		}
		if got := tc.c.Leaning(); string(got.Verdict) != tc.verdict || got.Better != tc.better {
			t.Errorf("%v in %v: %s %s, want %s %s", tc.c.Ratio, tc.c.Lo, got.Verdict, got.Better, tc.verdict, tc.better)
		}
	}
}

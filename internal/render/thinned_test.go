package render

import (
	"math"
	"slices"
	"testing"
)

// TestThinned: 800 ms of nothing in each second, and one spike, are there however few points are left.
func TestThinned(t *testing.T) {
	values := make([]float64, 30_000)
	for i := range values {
		if i%1000 < 200 {
			values[i] = 1e9
		}
	}
	values[12_345] = 7e9
	full := Track{Label: "l", Unit: "B/s", StepS: .001, Values: values}
	for _, most := range []int{2000, 6000, 29_999} {
		got := full.Thinned(most)
		if len(got.Values) > most || slices.Max(got.Values) != 7e9 || math.Abs(got.StepS*float64(len(got.Values))-30) > 2*got.StepS || got.Unit != full.Unit || got.Label != full.Label {
			t.Errorf("at most %d: %d values of %g s, the largest %g", most, len(got.Values), got.StepS, slices.Max(got.Values))
		}
		// In the middle of each second's silence there is nothing, in the middle of its burst there is.
		for s := range 30 {
			at := func(second float64) float64 { return got.Values[int((float64(s)+second)/got.StepS)] }
			if s != 12 && at(.6) != 0 || at(.1) != 1e9 {
				t.Errorf("at most %d: second %d has %g in its burst and %g in its silence", most, s, at(.1), at(.6))
			}
		}
	}
	if got := full.Thinned(30_000); !slices.Equal(got.Values, values) {
		t.Error("thinned without need")
	}
	gap := Track{StepS: 1, Values: []float64{math.NaN(), math.NaN(), math.NaN(), 5, 3, math.NaN()}}
	if got := gap.Thinned(4).Values; len(got) > 4 || !math.IsNaN(got[0]) || !slices.Contains(got, 5) || !slices.Contains(got, 3) {
		t.Errorf("gaps: %v", got)
	}
}

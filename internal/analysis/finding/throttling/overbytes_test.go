package throttling

import (
	"math"
	"plimsoll/internal/present/media/html"
	"slices"
	"strings"
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
	full := track{label: "l", stepS: .001, values: values}
	for _, most := range []int{2000, 6000, 29_999} {
		got := full.thinned(most)
		if len(got.values) > most || slices.Max(got.values) != 7e9 ||
			math.Abs(got.stepS*float64(len(got.values))-30) > 2*got.stepS || got.label != full.label {
			t.Errorf("at most %d: %d values of %g s, the largest %g", most, len(got.values), got.stepS, slices.Max(got.values))
		}
		// In the middle of each second's silence there is nothing, in the middle of its burst there is.
		for s := range 30 {
			at := func(second float64) float64 { return got.values[int((float64(s)+second)/got.stepS)] }
			if s != 12 && at(.6) != 0 || at(.1) != 1e9 {
				t.Errorf("at most %d: second %d has %g in its burst and %g in its silence", most, s, at(.1), at(.6))
			}
		}
	}
	if got := full.thinned(30_000); !slices.Equal(got.values, values) {
		t.Error("thinned without need")
	}
	gap := track{stepS: 1, values: []float64{math.NaN(), math.NaN(), math.NaN(), 5, 3, math.NaN()}}
	if got := gap.thinned(4).values; len(got) > 4 || !math.IsNaN(got[0]) || !slices.Contains(got, 5) ||
		!slices.Contains(got, 3) {
		t.Errorf("gaps: %v", got)
	}
}

func TestBytesChart(t *testing.T) {
	nan := math.NaN()
	c, ok := track{label: "l", stepS: 1, values: []float64{0, 2e9, nan, 1e9}}.chart("id")
	if !ok || c.Y.Unit != "GB/s" || c.Desc != "over 4.00 s, at most 2.00 GB/s" {
		t.Errorf("got %+v", c)
	}
	var lines []string
	for _, s := range html.Drawn(c).Strokes {
		lines = append(lines, s.Points)
	}
	if want := []string{"0.0,240.0 250.0,11.4", "750.0,125.7"}; !slices.Equal(lines, want) {
		t.Errorf("drawn as %q, want %q", lines, want)
	}
	if _, ok := (track{stepS: 1, values: []float64{nan}}).chart("id"); ok {
		t.Error("a timeline without a value")
	}
	spiky := make([]float64, 60000)
	spiky[31234] = 1
	long, _ := track{values: spiky, stepS: 0.001}.chart("id")
	points := html.Drawn(long).Strokes[0].Points
	if n := len(strings.Fields(points)); n > 2*(html.StrokePoints+1) {
		t.Errorf("%d points of 60000 values", n)
	}
	if !strings.Contains(points, ",11.4 ") {
		t.Error("a single spike is lost")
	}
}

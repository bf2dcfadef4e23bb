package figure

import (
	"math"
	"slices"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		values []float64
		unit   string
		want   []string
	}{
		{[]float64{5.79e9, 5.84e9}, "B/s", []string{"5.5", "5.6", "5.7", "5.8", "5.9", "6.0", "6.1"}},
		{[]float64{0, 10}, "", []string{"0", "2", "4", "6", "8", "10"}},
		{[]float64{0.98, 1.3}, "", []string{"1.0", "1.1", "1.2", "1.3"}},
		{[]float64{1.1e6, 90e6}, "B/s", []string{"1", "2", "5", "10", "20", "50", "100"}},
		{[]float64{1e-6, 1}, "s", []string{"0.000001", "0.00001", "0.0001", "0.001", "0.01", "0.1", "1"}},
		{[]float64{-4, 4}, "", []string{"-4", "-2", "0", "2", "4"}},
		{[]float64{7, 7}, "", []string{"6.8", "7.0", "7.2"}},
	} {
		a, ok := NewAxis(c.values)
		if !ok {
			t.Fatalf("%v: no axis", c.values)
		}
		var got []string
		u := ScaleFor(c.unit, c.values...)
		ticks := a.Ticks(u)
		for _, v := range ticks {
			got = append(got, TickText(v/u.Factor, ticks, u))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: ticks %q, want %q", c.values, got, c.want)
		}
	}
}

func TestAxisHoldsItsValues(t *testing.T) {
	for _, values := range [][]float64{{1, 2}, {0.1, 500}, {-3, 8}, {0, 0}, {5}, {1e-9, 2e-9, math.NaN()}, {0, 1e6}} {
		a, ok := NewAxis(values)
		if !ok {
			t.Fatalf("%v: no axis", values)
		}
		for _, v := range values {
			if at := a.At(v); IsFinite(v) && (at <= 0 || at >= 1 || !a.Holds(v)) {
				t.Errorf("%v: %v lies at %v", values, v, at)
			}
		}
		if ticks := a.Ticks(Scale{Factor: 1}); len(ticks) < 2 || !slices.IsSorted(ticks) {
			t.Errorf("%v: ticks %v", values, ticks)
		}
	}
	if _, ok := NewAxis([]float64{math.NaN(), math.Inf(1)}); ok {
		t.Error("an axis of no finite value")
	}
}

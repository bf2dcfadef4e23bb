package stat

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	same := math.IsNaN(got) && math.IsNaN(want) || got == want
	if !same && !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestSummaries(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name               string
		x                  []float64
		mean, sd, geo, cvr float64
	}{
		{"none", nil, nan, nan, nan, nan},
		{"one", []float64{4}, 4, nan, 4, nan},
		{"powers", []float64{1, 10, 100}, 37, math.Sqrt(2997), 10, math.Sqrt(2997) / 37},
		{"zero among them", []float64{0, 2}, 1, math.Sqrt2, nan, math.Sqrt2},
		{"mean zero", []float64{-1, 1}, 0, math.Sqrt2, nan, nan},
		{"negative mean", []float64{-1, -3}, -2, math.Sqrt2, nan, math.Sqrt2 / 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			near(t, "mean", Mean(c.x), c.mean, 1e-12)
			near(t, "sd", SD(c.x), c.sd, 1e-12)
			near(t, "geomean", GeoMean(c.x), c.geo, 1e-12)
			near(t, "cv", CV(c.x), c.cvr, 1e-12)
		})
	}
}

func TestQuantile(t *testing.T) {
	five := []float64{1, 2, 4, 8, 16}
	for _, c := range []struct {
		x       []float64
		q, want float64
	}{
		{nil, .5, math.NaN()},
		{[]float64{7}, 0, 7}, {[]float64{7}, 1, 7},
		{five, 0, 1}, {five, .25, 2}, {five, .5, 4}, {five, .9, 12.8}, {five, 1, 16},
		{[]float64{1, 2}, .5, 1.5},
	} {
		near(t, "quantile", Quantile(c.x, c.q), c.want, 1e-12)
	}
}

func TestTIntervalFloor(t *testing.T) {
	const c = 4.302652729911275 // t(0.975, 2)
	for _, k := range []struct {
		name        string
		x           []float64
		floor, half float64
	}{
		{"noise above the floor", []float64{0, .01, .02}, .005, c * .01 / math.Sqrt(3)},
		{"noise below it", []float64{.01, .01, .01}, .005, c * .005 / math.Sqrt(3)},
		{"no floor", []float64{.01, .01, .01}, 0, 0},
		{"one value", []float64{.01}, .005, math.Inf(1)},
	} {
		near(t, k.name, TInterval(k.x, .05, k.floor).HalfWidth(), k.half, 1e-9)
	}
}

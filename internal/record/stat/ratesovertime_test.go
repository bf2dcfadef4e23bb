package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRates(t *testing.T) {
	rates, seconds := Rates([]float64{10, 20, 30, 40, 5, 100, 7}, []float64{.1, .1, .1, .1, .04, .3, .04}, .2, .1)
	if want := []float64{150, 350, 105 / .34}; !sameRates(rates, want) || !sameRates(seconds, []float64{.2, .2, .34}) {
		t.Errorf("%v of %v s, want %v", rates, seconds, want)
	}
	if rates, _ := Rates([]float64{1, 2}, []float64{.1, .1}, 60, .1); rates != nil {
		t.Errorf("%v of too short a time", rates)
	}
}

func sameRates(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9*math.Max(1, math.Abs(y)) })
}

func TestQuantileOfTime(t *testing.T) {
	rates, seconds := []float64{50, 10, 40, 20}, []float64{1, 1, 1, 7}
	for q, want := range map[float64]float64{.1: 10, .5: 20, .8: 20, .81: 40, .9: 40, .95: 50, 1: 50} {
		if got := QuantileOfTime(rates, seconds, q); got != want {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
	}
	if got := QuantileOfTime(nil, nil, .5); !math.IsNaN(got) {
		t.Errorf("of nothing: %v", got)
	}
	for q, want := range map[float64]int{.5: 2, .9: 10, .95: 20, .99: 100, .999: 1000, 1: 1} {
		if got := WindowsFor(q); got != want {
			t.Errorf("%v needs %d windows, want %d", q, got, want)
		}
	}
}

// TestPlateauOf: throttled rates have a plateau, merely varying ones have none.
func TestPlateauOf(t *testing.T) {
	const n = 60
	r := rand.New(rand.NewPCG(7, 11))
	t.Log("seed 7, 11")
	series := func(of func(i int) float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = of(i)
		}
		return out
	}
	noise := func(sd float64) float64 { return 1 + sd*r.NormFloat64() }
	for _, c := range []struct {
		name  string
		rates []float64
		level float64 // 0: none
	}{
		{"held at 594 with noise of 0.5%", series(func(int) float64 { return 594 * noise(.005) }), 594},
		{"held half of the time", series(func(i int) float64 {
			if i%2 == 0 {
				return 200 * noise(.3)
			}
			return 600 * noise(.004)
		}), 600},
		{"noise of 10%", series(func(int) float64 { return 500 * noise(.1) }), 0},
		{"a sawtooth", series(func(i int) float64 { return 100 + 20*float64(i%20) }), 0},
		{"a burst, then a cap", series(func(i int) float64 {
			if i < 20 {
				return 590
			}
			return 80
		}), 590},
		{"nothing", series(func(int) float64 { return 0 }), 0},
		{"too short", []float64{5, 5, 5, 5, 5}, 0},
	} {
		p, ok := PlateauOf(c.rates)
		if ok != (c.level > 0) || ok && math.Abs(p.Level/c.level-1) > .01 {
			t.Errorf("%s: %+v, %v; want %v", c.name, p, ok, c.level)
		}
		if ok && (len(p.At) < 10 || math.Abs(p.Share-float64(len(p.At))/n) > 1e-9) {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

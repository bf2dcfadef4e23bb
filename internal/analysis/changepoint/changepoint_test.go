package changepoint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/base/simtest"
)

// nights returns a series of n values that vary by 1%, with a step of some per cent before index at.
func nights(r *rand.Rand, n, at int, step float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1000 * (1 + .01*r.NormFloat64())
		if i >= at {
			out[i] *= 1 + step
		}
	}
	return out
}

// TestFalseAlarms holds the stated error rate, for noise of several kinds: a suspected change in about 1% of the
// series without one, of any length. The bounds are three standard errors wide.
func TestFalseAlarms(t *testing.T) {
	series := float64(simtest.Times(600, 200))
	kinds := map[string]func(*rand.Rand) float64{
		"normal":       func(r *rand.Rand) float64 { return r.NormFloat64() },
		"heavy tails":  func(r *rand.Rand) float64 { return r.NormFloat64() / (.1 + math.Abs(r.NormFloat64())) },
		"two levels":   func(r *rand.Rand) float64 { return float64(r.IntN(2)) },
		"rare outlier": func(r *rand.Rand) float64 { return r.NormFloat64() + 100*float64(r.IntN(20)/19) },
	}
	for name, draw := range kinds {
		for _, n := range []int{10, 60} {
			r, alarms := rand.New(rand.NewPCG(7, uint64(n))), 0
			for range int(series) {
				values := make([]float64, n)
				for i := range values {
					values[i] = draw(r)
				}
				if len(Find(values)) > 0 {
					alarms++
				}
			}
			rate := float64(alarms) / series
			if most := Alpha + 3*math.Sqrt(Alpha*(1-Alpha)/series); rate > most {
				t.Errorf("%s, %d nights: %.3f of the steady series have a suspected change, over %.3f", name, n, rate, most)
			}
		}
	}
}

// TestStepsAreFound: a step of three standard deviations, also one of the last nights, at its place.
func TestStepsAreFound(t *testing.T) {
	simtest.Long(t)
	series := simtest.Times(300, 150)
	for _, c := range []struct {
		n, at int
		least float64 // share found within one night
	}{{30, 15, .94}, {60, 40, .95}, {30, 26, .5}, {12, 6, .7}} {
		r, found := rand.New(rand.NewPCG(uint64(c.n), uint64(c.at))), 0
		for range series {
			got := Find(nights(r, c.n, c.at, -.03))
			if slices.ContainsFunc(got, func(g Change) bool { return math.Abs(float64(g.At-c.at)) <= 1 && g.After < g.Before }) {
				found++
			}
		}
		if share := float64(found) / float64(series); share < c.least {
			t.Errorf("a step at night %d of %d is found in %.2f of the series, under %.2f", c.at, c.n, share, c.least)
		}
	}
}

// TestPlaceOfStep: a step of six standard deviations is placed exactly, in 1,999 of 2,000 histories; by the largest
// rank sum it was in 1,594.
func TestPlaceOfStep(t *testing.T) {
	simtest.Long(t)
	const n, step = 60, -.06
	series := simtest.Times(2000, 400)
	r, exact := rand.New(rand.NewPCG(6, 2000)), 0
	for range series {
		at := 5 + r.IntN(n-10)
		if placed(nights(r, n, at, step)) == at {
			exact++
		}
	}
	t.Logf("seed 6, 2000: exact in %d of %d", exact, series)
	if exact < series*995/1000 {
		t.Errorf("a step of 6%% is placed exactly in %d of %d series", exact, series)
	}
}

// TestPlaceAmongWildNights: nights that are far off do not draw the place of a step.
func TestPlaceAmongWildNights(t *testing.T) {
	const n, at = 60, 30
	series := simtest.Times(200, 100)
	r, exact := rand.New(rand.NewPCG(7, 2001)), 0
	for range series {
		values := nights(r, n, at, -.06)
		for range 4 {
			values[r.IntN(n)] *= .5 + r.Float64()
		}
		if got := Find(values); len(got) == 1 && got[0].At == at {
			exact++
		}
	}
	if exact < series*85/100 {
		t.Errorf("seed 7, 2001: exact in %d of %d", exact, series)
	}
}

// TestCorrelatedNights: values that depend on their predecessors raise the error rate, as docs/report.md says.
func TestCorrelatedNights(t *testing.T) {
	const n = 60
	series := simtest.Times(300, 100)
	r, alarms := rand.New(rand.NewPCG(3, 5)), 0
	for range series {
		values, last := make([]float64, n), 0.0
		for i := range values {
			last = .5*last + r.NormFloat64()
			values[i] = last
		}
		if len(Find(values)) > 0 {
			alarms++
		}
	}
	if rate := float64(alarms) / float64(series); rate < .1 || rate > .5 {
		t.Errorf("with a correlation of 0.5 the rate is %.2f: docs/report.md says about a quarter", rate)
	}
}

// TestTwoSteps: both are found, with the levels between them.
func TestTwoSteps(t *testing.T) {
	values := nights(rand.New(rand.NewPCG(1, 2)), 60, 40, -.2)
	for i := range values[:20] {
		values[i] *= .8
	}
	got := Find(values)
	if len(got) != 2 || got[0].At != 20 || got[1].At != 40 {
		t.Fatalf("%+v", got)
	}
	if math.Abs(got[0].After-1000) > 10 || math.Abs(got[1].Before-1000) > 10 || math.Abs(got[0].Before-800) > 10 ||
		math.Abs(got[1].After-800) > 10 {
		t.Errorf("%+v", got)
	}
}

// TestTooShort: nothing is said of few values, none, or equal ones, and only the last of many are searched.
func TestTooShort(t *testing.T) {
	for _, values := range [][]float64{nil, {1}, {1, 1, 1, 1, 2, 2, 2}, slices.Repeat([]float64{5}, 50)} {
		if got := Find(values); len(got) > 0 {
			t.Errorf("%v: %+v", values, got)
		}
	}
	values := append(slices.Repeat([]float64{1, 2}, 100), nights(rand.New(rand.NewPCG(9, 9)), maxValues, maxValues, 0)...)
	if got := Find(values); len(got) > 0 {
		t.Errorf("a change before the last %d values: %+v", maxValues, got)
	}
}

package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

// noisy is a run of n windows around 1000: normal noise, heavy-tailed (Student's t of 3 degrees of freedom), or a
// first-order autoregression.
func noisy(r *rand.Rand, n int, sd, ar float64, heavy bool) []float64 {
	out := make([]float64, n)
	state := r.NormFloat64()
	for i := range out {
		e := r.NormFloat64()
		if heavy {
			// Its standard deviation is the root of 3.
			e = r.NormFloat64() / math.Sqrt((square(r)+square(r)+square(r))/3) / math.Sqrt(3)
		}
		state = ar*state + math.Sqrt(1-ar*ar)*e
		out[i] = 1000 * max(0, 1+sd*state)
	}
	return out
}

func square(r *rand.Rand) float64 { v := r.NormFloat64(); return v * v }

// TestDipsWithoutOne: how often a run without any dip is said to have one. docs/derivations.md#dips has it.
func TestDipsWithoutOne(t *testing.T) {
	simtest.Long(t)
	runs := times(2000, 400)
	for _, c := range []struct {
		name   string
		n      int
		sd, ar float64
		heavy  bool
		most   float64 // %
	}{
		{"normal 2%, 60 s", 60, .02, 0, false, .1}, {"normal 5%, 600 s", 600, .05, 0, false, .1},
		{"AR 0.6 of 5%, 600 s", 600, .05, .6, false, 2}, {"AR 0.85 of 5%, 600 s", 600, .05, .85, false, 12},
		// Nearly all of these are single seconds with less than half: with such tails they are there.
		{"t3 of 5%, 60 s", 60, .05, 0, true, 2.5},
		{"t3 of 5%, 600 s", 600, .05, 0, true, 22},
	} {
		r := rand.New(rand.NewPCG(1, uint64(c.n)))
		said := 0
		for range runs {
			if d, _, ok := Dips(noisy(r, c.n, c.sd, c.ar, c.heavy)); !ok || len(d) > 0 {
				said++
			}
		}
		share := 100 * float64(said) / float64(runs)
		t.Logf("%s: %.2f%%", c.name, share)
		if share > c.most {
			t.Errorf("%s: %.2f%% of runs without a dip are said to have one, want at most %g", c.name, share, c.most)
		}
	}
}

// TestDipsFound: how often a real dip is found, at its position.
func TestDipsFound(t *testing.T) {
	const runs = 1000
	for _, c := range []struct {
		depth, sd float64
		length    int
		least     float64 // %
	}{
		{.14, .02, 2, 99}, {.14, .02, 10, 99.5}, {.14, .04, 10, 55}, {.30, .04, 5, 99}, {.10, .02, 5, 97}, {.60, .05, 1, 95},
	} {
		r := rand.New(rand.NewPCG(2, uint64(c.length)))
		found := 0
		for range runs {
			x := noisy(r, 120, c.sd, 0, false)
			for i := 50; i < 50+c.length; i++ {
				x[i] *= 1 - c.depth
			}
			d, _, _ := Dips(x)
			if len(d) > 0 && d[0].From < 50+c.length && d[len(d)-1].To > 50 {
				found++
			}
		}
		share := 100 * float64(found) / runs
		t.Logf("%.0f%% for %d s at noise %.0f%%: %.1f%%", 100*c.depth, c.length, 100*c.sd, share)
		if share < c.least {
			t.Errorf("a dip of %g%% for %d s at noise %g%% is found in %.1f%%, want %g", 100*c.depth, c.length, 100*c.sd,
				share, c.least)
		}
	}
}

func TestDipsAreMeasured(t *testing.T) {
	x := make([]float64, 60)
	for i := range x {
		x[i] = 1000 + float64(i%3)
	}
	set := func(from int, values ...float64) {
		copy(x[from:], values)
	}
	set(10, 800, 700, 1001, 800, 800) // one, over a window that is not low
	set(30, 400)                      // a stall
	set(40, 900)                      // too short
	set(57, 500, 500, 500)            // to the end
	dips, level, ok := Dips(x)
	if !ok || math.Abs(level-1001) > 1 || len(dips) != 3 {
		t.Fatalf("%+v, %g, %t", dips, level, ok)
	}
	for i, want := range []Dip{{From: 10, To: 15, Depth: .18, Lost: .9}, {From: 30, To: 31, Depth: .6, Lost: .6},
		{From: 57, To: 60, Depth: .5, Lost: 1.5}} {
		got := dips[i]
		if got.From != want.From || got.To != want.To || math.Abs(got.Depth-want.Depth) > .002 ||
			math.Abs(got.Lost-want.Lost) > .01 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	for _, none := range [][]float64{nil, x[:19], make([]float64, 40)} {
		if d, _, ok := Dips(none); ok || d != nil {
			t.Errorf("%d windows: %+v", len(none), d)
		}
	}
}

package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

// sweptBend simulates a sweep of doubling x whose ln y rises with a slope until the bend.
func sweptBend(r *rand.Rand, levels, reps int, slope, bend, sd float64) []Rung {
	var out []Rung
	for i := range levels {
		x := math.Ldexp(1, i)
		l := Rung{X: x}
		for range reps {
			l.Logs = append(l.Logs, 5+slope*math.Min(math.Log(x/bend), 0)+sd*r.NormFloat64())
		}
		out = append(out, l)
	}
	return out
}

// TestBendIsFound: random positions, noise of 1 and 3%; the interval's coverage is nominal, within the resolution of
// 400 sweeps.
func TestBendIsFound(t *testing.T) {
	simtest.Long(t)
	const sweeps, seed = 400, 11
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, sd := range []float64{.01, .03} {
		found, held, top := 0, 0, 0
		for range sweeps {
			bend := math.Exp(math.Log(3) + r.Float64()*math.Log(10)) // of 1 to 128
			b, ok := FitBend(sweptBend(r, 8, 3, .5+.5*r.Float64(), bend, sd))
			if !ok {
				t.Fatal("no fit")
			}
			if b.Shape == LevelsOff {
				found++
			}
			if b.AtLo <= bend && bend <= b.AtHi {
				held++
			}
			if truth := math.Exp(5); b.TopLo <= truth && truth <= b.TopHi {
				top++
			}
		}
		t.Logf("noise %.0f%%: levels off in %d of %d, interval of the bend holds in %d, of the level in %d", 100*sd, found,
			sweeps, held, top)
		if found < sweeps*99/100 || held < sweeps*92/100 || top < sweeps*91/100 {
			t.Errorf("noise %.0f%%: levels off in %d, interval of the bend holds in %d, of the level in %d", 100*sd, found,
				held, top)
		}
	}
}

// TestNoBend: flat or rising data are rarely given a bend.
func TestNoBend(t *testing.T) {
	simtest.Long(t)
	const sweeps, seed = 400, 12
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	flat, straight := 0, 0
	for range sweeps {
		if b, _ := FitBend(sweptBend(r, 6, 3, 0, 1, .03)); b.Shape == Flat {
			flat++
		}
		if b, _ := FitBend(sweptBend(r, 6, 3, .8, 1e9, .03)); b.Shape == Straight && math.Abs(b.Slope-.8) < .05 {
			straight++
		}
	}
	t.Logf("of %d each: %d flat, %d straight", sweeps, flat, straight)
	if flat < sweeps*97/100 || straight < sweeps*97/100 {
		t.Errorf("of %d each: %d flat, %d straight", sweeps, flat, straight)
	}
}

// TestBendExact: without noise the position of the bend and the level are exact to six digits.
func TestBendExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	b, ok := FitBend(sweptBend(r, 8, 3, 1, 16, 0))
	if !ok || b.Shape != LevelsOff || math.Abs(b.At/16-1) > .02 || math.Abs(b.Top/math.Exp(5)-1) > 1e-6 ||
		math.Abs(b.Slope-1) > .01 {
		t.Errorf("bend %+v", b)
	}
	if _, ok := FitBend(sweptBend(r, 3, 9, 1, 2, 0)); ok {
		t.Error("three levels were judged")
	}
	if _, ok := FitBend(sweptBend(r, 4, 1, 1, 4, 0)); ok {
		t.Error("four trials of four levels were judged: nothing is known of their scatter")
	}
}

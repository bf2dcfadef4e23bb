package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

// Simulation of 8 CPUs, 3 replicates each, 2% noise (docs/derivations.md#scaling-over-cpus).
const (
	simulated = 200
	simNoise  = .02
)

// yieldAlone is SMT without contention.
func yieldAlone() form { return forms()[3] }

// TestModelChoice: a straight line is kept about 84 times of 100, second
// threads are always seen, and their yield is found.
func TestModelChoice(t *testing.T) {
	simtest.Long(t)
	const seed = 19
	t.Logf("seed %d, %d runs each", seed, simulated)
	r := rand.New(rand.NewPCG(seed, 0))
	kept, seen := 0, 0
	yields := make([]float64, simulated)
	for i := range simulated {
		if fitted(t, sweepOf(Curve{Gamma: 1000, Yield: 1}, 4, upTo(8), 3, simNoise, r)).Best.Model == Linear {
			kept++
		}
		knee := sweepOf(Curve{Gamma: 1000, Yield: .26, Cores: 4}, 4, upTo(8), 3, simNoise, r)
		if fitted(t, knee).Best.Model == SMT {
			seen++
		}
		yields[i] = knee.fit(yieldAlone()).Yield
	}
	share := float64(kept) / simulated
	// Three standard errors of 200 runs around 84%.
	if math.Abs(share-.84) > 3*math.Sqrt(.84*.16/simulated) {
		t.Errorf("linear kept in %.1f%%, want about 84%%", 100*share)
	}
	if seen != simulated {
		t.Errorf("the knee was seen in %d of %d runs", seen, simulated)
	}
	m, sd := Mean(yields), SD(yields)
	if math.Abs(m-.26) > .006 || sd < .010 || sd > .022 {
		t.Errorf("yield %.3f ± %.3f, want .26 ± .014", m, sd)
	}
	t.Logf("linear kept %.1f%%, yield %.4f ± %.4f", 100*share, m, sd)
}

// TestBootstrapCovers: the interval of the yield holds the true one about 94
// times of 100.
func TestBootstrapCovers(t *testing.T) {
	simtest.Long(t)
	const seed, runs, times = 23, 120, 40
	t.Logf("seed %d, %d runs of %d fits", seed, runs, times)
	r := rand.New(rand.NewPCG(seed, 0))
	covered := 0
	for range runs {
		s := sweepOf(Curve{Gamma: 1000, Yield: .26, Cores: 4}, 4, upTo(8), 3, simNoise, r)
		f := s.fit(yieldAlone())
		if iv := s.Bootstrap(f, times, 1).Yield; !iv.Excludes(.26) {
			covered++
		}
	}
	t.Logf("covered %d of %d", covered, runs)
	if share := float64(covered) / runs; share < .87 || share > .995 {
		t.Errorf("covered %.1f%%, want about 94%%", 100*share)
	}
}

func TestBootstrapRepeats(t *testing.T) {
	s := sweepOf(Curve{Gamma: 1000, Alpha: .03, Yield: 1}, 0, upTo(8), 3, simNoise, rand.New(rand.NewPCG(5, 5)))
	f := fitted(t, s).ByModel[USL]
	a, b := s.Bootstrap(f, 50, 7), s.Bootstrap(f, 50, 7)
	if a != b {
		t.Errorf("one seed, two results: %+v and %+v", a, b)
	}
	if a == s.Bootstrap(f, 50, 8) {
		t.Errorf("another seed draws the same: %+v", a)
	}
	if !math.IsInf(a.Yield.Hi, 1) || a.Alpha.Lo < 0 || a.Alpha.Excludes(f.Alpha) || a.Gamma.Excludes(f.Gamma) {
		t.Errorf("%+v of %+v", a, f.Curve)
	}
}

// TestSpreadFindsItsTerms: each interval belongs to the term of its name.
func TestSpreadFindsItsTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	usl := sweepOf(Curve{Gamma: 10, Alpha: .05, Beta: .01, Yield: 1}, 0, upTo(10), 5, .005, r)
	smt := sweepOf(Curve{Gamma: 10, Alpha: .03, Yield: .5, Cores: 5}, 5, upTo(10), 5, .005, r)
	a, b := usl.Bootstrap(fitted(t, usl).ByModel[USL], 100, 1), smt.Bootstrap(fitted(t, smt).ByModel[SMT], 100, 1)
	for name, c := range map[string]struct {
		iv   Interval
		true float64
		wide float64
	}{
		"alpha": {a.Alpha, .05, .02}, "beta": {a.Beta, .01, .003}, "alpha of SMT": {b.Alpha, .03, .01},
		"yield": {b.Yield, .5, .1},
	} {
		if c.iv.Excludes(c.true) || c.iv.HalfWidth() > c.wide {
			t.Errorf("%s: %+v, want %v and at most ± %v", name, c.iv, c.true, c.wide)
		}
	}
}

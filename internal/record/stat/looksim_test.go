package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/base/simtest"
)

// longest is the last look.
const longest = 30

// oracleSessions is how many method-sim/s2b.py walked through for each row.
const oracleSessions = 4000

// slow is now and then a run that loses 5 to 20%.
func slow(r *rand.Rand) float64 {
	if r.Float64() < .10 {
		return math.Log1p(-.05 - .15*r.Float64())
	}
	return 0
}

// independent are n draws.
func independent(n int, draw func() float64) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = draw()
	}
	return d
}

func student3(r *rand.Rand) float64 {
	chi := 0.0
	for range 3 {
		z := r.NormFloat64()
		chi += z * z
	}
	return r.NormFloat64() / math.Sqrt(chi/3) / math.Sqrt(3)
}

func coin(r *rand.Rand) float64 { return float64(1 - 2*r.IntN(2)) }

// tally counts the outcomes of sessions, as shares.
type tally struct {
	claim      float64 // the interval excludes 0
	different  float64 // the verdict is so: a claim that is not within the margin
	equivalent float64 // within the margin, 0 not excluded
	wrong      float64 // DIFFERENT, with the sign of no effect or the wrong one
	covered    float64 // the truth is in the interval at the stop
	n          []float64
}

// walked lets sessions of the noise, with a true log ratio of effect, run to their end.
func walked(rule Rule, sessions int, effect float64, noise func() []float64) tally {
	var c tally
	for range sessions {
		d := noise()
		for i := range d {
			d[i] += effect
		}
		l := rule.Decide(d)
		iv := l.Ratio.Hull
		c.claim += share(iv.Excludes(0), sessions)
		c.different += share(l.Verdict == Different, sessions)
		c.equivalent += share(l.Verdict == Equivalent && !iv.Excludes(0), sessions)
		c.wrong += share(l.Verdict == Different && l.Ratio.Mean*effect <= 0, sessions)
		c.covered += share(!iv.Excludes(effect), sessions)
		c.n = append(c.n, float64(l.N))
	}
	slices.Sort(c.n)
	return c
}

// TestSessionsAsInOracle holds the rates at which sessions end as they do to those of method-sim/s2b.py (rows hull and
// hull+AR), within four standard errors: of normal noise the signed ranks decide as its hull with Student's t does.
// Slow runs on both sides are from 6,000 sessions of these ranks (seed 7); the hull ended 21% of them EQUIVALENT.
func TestSessionsAsInOracle(t *testing.T) {
	r, sessions := seeded(t, 101), times(1500, 250)
	normal := func(sd float64) func() []float64 {
		return func() []float64 { return normals(r, longest, 0, sd) }
	}
	repeating := func(phi float64) func() []float64 {
		return func() []float64 { return autoregressive(r, longest, phi, .02) }
	}
	both := func() []float64 {
		return independent(longest, func() float64 { return .014*r.NormFloat64() + slow(r) - slow(r) })
	}
	two, five := math.Log1p(.02), math.Log1p(.05)
	for _, c := range []struct {
		name                          string
		effect                        float64
		noise                         func() []float64
		inflate                       bool
		claim, equivalent, covered, n float64
	}{
		{"A/A 2%", 0, normal(.02), false, .040, .953, .961, 15.4},
		{"A/A 2%, inflated", 0, normal(.02), true, .032, .944, .969, 17.3},
		{"+2%, 2%", two, normal(.02), false, .983, .014, .980, 11.7},
		{"+2%, 2%, inflated", two, normal(.02), true, .977, .011, .983, 13.2},
		{"+5%, 2%, inflated", five, normal(.02), true, 1, 0, .993, 5.9},
		{"A/A 4%", 0, normal(.04), false, .047, .095, .954, 28.8},
		{"A/A 4%, inflated", 0, normal(.04), true, .034, .064, .967, 29.2},
		{"A/A, slow runs on both", 0, both, false, .032, .611, .968, 22.7},
		{"A/A, AR .3", 0, repeating(.3), false, .126, .862, .875, 14.8},
		{"A/A, AR .3, inflated", 0, repeating(.3), true, .088, .712, .912, 19.7},
		{"A/A, AR .6", 0, repeating(.6), false, .354, .637, .647, 12.2},
		{"A/A, AR .6, inflated", 0, repeating(.6), true, .218, .386, .782, 20.1},
	} {
		rule := ruleOf(t, Repeated, .05)
		rule.Inflate = c.inflate
		got := walked(rule, sessions, c.effect, c.noise)
		t.Logf("%s: claim %.3f equivalent %.3f covered %.3f n %.1f", c.name, got.claim, got.equivalent, got.covered,
			Mean(got.n))
		for what, p := range map[string][2]float64{"claim": {got.claim, c.claim},
			"equivalent": {got.equivalent, c.equivalent}, "covered": {got.covered, c.covered}} {
			near(t, c.name+": "+what, p[0], p[1], slack(p[1], sessions, oracleSessions)+.002)
		}
		near(t, c.name+": pairs", Mean(got.n), c.n, 4*SD(got.n)/math.Sqrt(float64(sessions))+.1)
	}
}

// TestCalibration checks the method's gates for sequential sessions, each with its sampling error (three standard
// errors).
func TestCalibration(t *testing.T) {
	simtest.Long(t)
	r, sessions := seeded(t, 103), times(2000, 300)
	rule := ruleOf(t, Repeated, .05)
	above := func(p float64) float64 { return p + 3*math.Sqrt(p*(1-p)/float64(sessions)) }
	for _, c := range []struct {
		name string
		draw func() float64
	}{
		{"normal", func() float64 { return .02 * r.NormFloat64() }},
		{"t3", func() float64 { return .03 * student3(r) }},
		{"exponential, both", func() float64 { return .02 * (r.ExpFloat64() - r.ExpFloat64()) }},
		{"contaminated, both", func() float64 { return .014*r.NormFloat64() + slow(r) - slow(r) }},
		{"bimodal, both", func() float64 { return .02*(coin(r)-coin(r)) + .005*r.NormFloat64() }},
	} {
		name := c.name
		got := walked(rule, sessions, 0, func() []float64 { return independent(longest, c.draw) })
		t.Logf("A/A, %s: claims %.4f, DIFFERENT %.4f, covered %.4f", name, got.claim, got.different, got.covered)
		if got.claim > above(.06) {
			t.Errorf("A/A, %s: %.1f%% claim a difference", name, 100*got.claim)
		}
		if got.covered < 1-above(.055) {
			t.Errorf("A/A, %s: covered %.1f%%", name, 100*got.covered)
		}
	}
	for _, c := range []struct{ effect, sd, found, n float64 }{
		{.05, .02, .99, 6}, {.05, .04, .99, 12}, {.02, .02, .95, 30}} {
		got := walked(rule, sessions, math.Log1p(c.effect), func() []float64 { return normals(r, longest, 0, c.sd) })
		t.Logf("+%.0f%%, sd %.0f%%: claims %.4f, wrong %.4f, median n %v, covered %.4f", 100*c.effect, 100*c.sd, got.claim,
			got.wrong, got.n[sessions/2], got.covered)
		if got.claim < 1-above(1-c.found) || got.n[sessions/2] > c.n || got.wrong > above(.002) ||
			got.covered < 1-above(.055) {
			t.Errorf("+%v with sd %v: %+v", c.effect, c.sd, got)
		}
	}
}

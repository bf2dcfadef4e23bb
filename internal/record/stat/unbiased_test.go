package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/base/simtest"
)

// withFutility is the rule of a session as plans have it.
func withFutility(t *testing.T, quick bool) Rule {
	t.Helper()
	table := Repeated
	if quick {
		table = Early
	}
	b, err := table(.05, UsualPairs)
	if err != nil {
		t.Fatal(err)
	}
	b.Futile = FutileBelow
	return RuleFor(b, .02, quick)
}

func TestUnbiased(t *testing.T) {
	rule := withFutility(t, false)
	looks := rule.Boundary.Looks
	up := rule.Unbiased(.03, .04, looks)
	near(t, "mirrored", rule.Unbiased(-.03, .04, looks), -up, 1e-9)
	if !(up < .03 && up > .02) {
		t.Errorf("3%% of noise 4%% is estimated as %v, want somewhat less", up)
	}
	for what, c := range map[string]struct {
		mean, sd float64
		looks    []int
	}{
		"one analysis":              {.03, .04, looks[:1]},
		"no analysis":               {.03, .04, nil},
		"certain to end at first":   {.20, .01, looks},
		"no scatter":                {.03, 0, looks},
		"nothing known of scatter":  {.03, math.NaN(), looks},
		"no mean":                   {math.NaN(), .04, looks},
		"scatter far below a floor": {.0101, 1e-6, looks},
	} {
		near(t, what, rule.Unbiased(c.mean, c.sd, c.looks), c.mean, 1e-7)
	}
	near(t, "equal", rule.Unbiased(0, .02, looks), 0, 1e-9)
}

// TestUnbiasedByWalking walks sessions of a known scatter: of those whose log ratio is the estimate, half end with a
// mean that is at least as large.
func TestUnbiasedByWalking(t *testing.T) {
	const sd, mean = .04, .03
	rule, r, sessions := withFutility(t, false), seeded(t, 211), times(20000, 4000)
	rule.Inflate = false
	drift, above := rule.Unbiased(mean, sd, rule.Boundary.Looks), 0.0
	for range sessions {
		above += share(rule.Decide(normals(r, longest, drift, sd)).Ratio.Mean >= mean, sessions)
	}
	t.Logf("estimate %.5f: %.4f of the sessions end above %v", drift, above, mean)
	near(t, "share above", above, .5, .03+2/math.Sqrt(float64(sessions)))
	if uncorrected := mean - drift; uncorrected < .001 {
		t.Errorf("the correction is %v, which proves nothing", uncorrected)
	}
}

// leaning are what sessions of one truth estimate, in half-widths of their intervals from it.
type leaning struct{ corrected, mean []float64 }

func leaningOf(rule Rule, sessions int, effect float64, noise func() []float64) (out leaning, pairs,
	different float64) {
	for range sessions {
		d := noise()
		for i := range d {
			d[i] += effect
		}
		l := rule.Decide(d)
		half := l.Ratio.Hull.HalfWidth()
		out.corrected = append(out.corrected, (l.Ratio.Mean+rule.Lean(l, d)-effect)/half)
		out.mean = append(out.mean, (l.Ratio.Mean-effect)/half)
		pairs += float64(l.N) / float64(sessions)
		different += share(l.Verdict == Different, sessions)
	}
	return out, pairs, different
}

func middle(x []float64) float64 { return Quantile(slices.Sorted(slices.Values(x)), .5) }

// TestEstimateIsMedianUnbiased: over effects and scatters, half of the estimates are above the truth, within a tenth of
// the half-width.
func TestEstimateIsMedianUnbiased(t *testing.T) {
	simtest.Long(t)
	r, sessions := seeded(t, 223), times(1000, 200)
	limit := .1 + 1.25*.4*3/math.Sqrt(float64(sessions)) // the estimates scatter by 0.4 half-widths
	for _, quick := range []bool{false, true} {
		rule := withFutility(t, quick)
		for _, sd := range []float64{.01, .02, .04, .06} {
			for _, effect := range []float64{0, .01, .02, .03, .05, .10} {
				if !simtest.Night() && (sd != .04 || effect != .02 && effect != .03) {
					continue
				}
				got, n, different := leaningOf(rule, sessions, math.Log1p(effect),
					func() []float64 { return normals(r, longest, 0, sd) })
				t.Logf("quick %t, sd %.0f%%, +%.0f%%: median %+.3f of the half-width (mean of the pairs %+.3f), mean %+.3f "+
					"(%+.3f); pairs %.1f, DIFFERENT %.3f", quick, 100*sd, 100*effect, middle(got.corrected), middle(got.mean),
					Mean(got.corrected), Mean(got.mean), n, different)
				if math.Abs(middle(got.corrected)) > limit {
					t.Errorf("quick %t, sd %v, +%v: the median is %v half-widths off", quick, sd, effect,
						middle(got.corrected))
				}
			}
		}
	}
}

// TestChance draws what is left of sessions, from the same knowledge, and counts those that decide last.
func TestChance(t *testing.T) {
	r, sessions := seeded(t, 227), times(20000, 800)
	for _, c := range []struct {
		quick    bool
		n        int
		mean, sd float64
	}{{false, 15, .008, .04}, {false, 15, .015, .04}, {false, 10, 0, .03}, {false, 26, .002, .035}, {true, 12, .01, .02},
		{false, 5, .02, .06}} {
		rule := withFutility(t, c.quick)
		rule.Inflate = false
		decided, got := 0.0, 0.0
		for range sessions {
			sigma := c.sd * math.Sqrt(float64(c.n-1)/chiSquaredDrawn(r, c.n-1))
			truth := c.mean + sigma/math.Sqrt(float64(c.n))*r.NormFloat64()
			d := withMoments(r, c.n, c.mean, c.sd)
			if len(d) >= MinRanks {
				got += rule.Chance(c.n, PairedRatio(d, rule.Opts).Mean, pairSpread(d)) / float64(sessions)
			} else {
				got += rule.Chance(c.n, c.mean, c.sd) / float64(sessions)
			}
			last := PairedRatio(append(d, normals(r, longest-c.n, truth, sigma)...), rule.Opts)
			decided += share(rule.Verdict(last.LogRatio) != Undecided, sessions)
		}
		t.Logf("%+v: %.4f, drawn %.4f", c, got, decided)
		// The spread of few pairs is uncertain, which draws the mean chance to a half. Near FutileBelow it matters least.
		near(t, "chance", got, decided, .012+.35*decided*(1-decided)+4*math.Sqrt(decided*(1-decided)/float64(sessions)))
	}
}

func chiSquaredDrawn(r *rand.Rand, k int) float64 {
	sum := 0.0
	for range k {
		z := r.NormFloat64()
		sum += z * z
	}
	return sum
}

// withMoments returns n values with exactly that mean and standard deviation.
func withMoments(r *rand.Rand, n int, mean, sd float64) []float64 {
	x := normals(r, n, 0, 1)
	m, s := Mean(x), SD(x)
	for i := range x {
		x[i] = mean + sd*(x[i]-m)/s
	}
	return x
}

func TestFutility(t *testing.T) {
	full, quick := withFutility(t, false), withFutility(t, true)
	noisy := normals(seeded(t, 233), longest, 0, .06)
	unregistered := full
	unregistered.Boundary.Futile = 0
	for _, c := range []struct {
		name    string
		rule    Rule
		d       []float64
		verdict Verdict
		n       int
		futile  bool
	}{
		{"alike under much noise", full, noisy, Undecided, 22, true},
		{"the same, of a plan without futility", unregistered, noisy, Undecided, 30, false},
		{"alike under little", full, alternating(30, 0, .004), Equivalent, 5, false},
		{"alike, quick, which never concludes so", quick, alternating(30, 0, .004), Undecided, 12, true},
		{"clear", full, alternating(30, .05, .01), Different, 5, false},
	} {
		got := c.rule.Decide(c.d)
		if got.Verdict != c.verdict || c.futile != (got.Futile != nil) || got.N != c.n || got.Next != 0 {
			t.Errorf("%s: %s after %d, futile %+v, want %s after %d", c.name, got.Verdict, got.N, got.Futile, c.verdict, c.n)
		}
		if f := got.Futile; f != nil && (f.Left != longest-got.N || f.Chance >= FutileBelow || f.Sufficient > 0 &&
			(f.Sufficient <= longest || f.SDFor(longest) >= f.SD)) {
			t.Errorf("%s: %+v", c.name, *f)
		}
	}
}

// TestFutilityKeepsPower: it saves a quarter of the pairs of equal sides that stay undecided, and costs at most two in
// a hundred sessions their decision.
func TestFutilityKeepsPower(t *testing.T) {
	simtest.Long(t)
	r, sessions := seeded(t, 229), times(3000, 400)
	for _, quick := range []bool{false, true} {
		rule := withFutility(t, quick)
		lasting := rule
		lasting.Boundary.Futile = 0
		for _, sd := range []float64{.02, .03, .04, .06} {
			for _, effect := range []float64{0, .01, .02, .03, .04} {
				if !simtest.Night() && sd != .04 {
					continue
				}
				lost, pairs, before := 0.0, 0.0, 0.0
				above := make([]float64, sessions) // the pairs taken above three quarters of those without the rule
				for i := range sessions {
					d := normals(r, longest, math.Log1p(effect), sd)
					a, b := lasting.Decide(d), rule.Decide(d)
					lost += share(a.Verdict != b.Verdict, sessions)
					before, pairs = before+float64(a.N)/float64(sessions), pairs+float64(b.N)/float64(sessions)
					above[i] = float64(b.N) - .75*float64(a.N)
				}
				t.Logf("quick %t, sd %.0f%%, +%.0f%%: pairs %.1f to %.1f, decisions lost %.4f", quick, 100*sd, 100*effect,
					before, pairs, lost)
				if lost > .02+3*math.Sqrt(.02/float64(sessions)) {
					t.Errorf("quick %t, sd %v, +%v: %.1f%% lose their decision", quick, sd, effect, 100*lost)
				}
				if effect == 0 && sd >= .04 && Mean(above) > 3*SD(above)/math.Sqrt(float64(sessions)) {
					t.Errorf("quick %t, sd %v: equal sides take %.1f pairs of %.1f", quick, sd, pairs, before)
				}
			}
		}
	}
}

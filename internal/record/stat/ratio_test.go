package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/base/simtest"
)

// TestGolden holds method-sim/golden.json of the method's simulation, to 6 digits.
func TestGolden(t *testing.T) {
	d := []float64{.051, .043, .060, .038, .055, .047, .049, .058}
	repeated, err := Repeated(.05, UsualPairs)
	if err != nil {
		t.Fatal(err)
	}
	r := PairedRatio(d, Opts{Boundary: repeated})
	f := PairedRatio(d, Opts{Boundary: Fixed(.05), SDFloor: SDFloor})
	byT := TInterval(d, .05, SDFloor)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"mean", Mean(d), .050125}, {"sd", SD(d), .0074916620},
		{"fixed t lo", byT.Lo, .0438618138}, {"fixed t hi", byT.Hi, .0563881862},
		{"HL", r.Mean, .05025}, {"sr rci lo", r.Hull.Lo, .038}, {"sr rci hi", r.Hull.Hi, .060},
		{"sr95 lo", f.Hull.Lo, .043}, {"sr95 hi", f.Hull.Hi, .0575},
	} {
		near(t, c.what, c.got, c.want, 1e-6)
	}
}

func TestPairedRatio(t *testing.T) {
	fixed := Opts{Boundary: Fixed(.05), SDFloor: SDFloor}
	for _, c := range []struct {
		name              string
		d                 []float64
		byRanks, excludes bool
	}{
		{"one stalled pair hides nothing",
			[]float64{.02, .021, .022, .019, .02, .023, .018, .021, -.3, .02, .022, .019, .02}, true, true},
		{"a clear shift", []float64{.05, .06, .04, .05, .06, .05, .04, .05}, true, true},
		{"nothing there", []float64{.01, -.01, .02, -.02, .01, -.01, .015, -.015}, true, false},
		{"a capped machine is not certain of 0.05%", []float64{.0005, .0006, .0005, .0004, .0005, .0006, .0004, .0005},
			true, false},
		{"below 8 pairs t alone", []float64{.02, .021, .022, .019, .02, .023}, false, true},
		{"below 8 pairs a stalled one decides", []float64{.02, .021, .022, .019, -.3, .02}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := PairedRatio(c.d, fixed)
			if r.ByRanks != c.byRanks || r.Hull.Excludes(0) != c.excludes {
				t.Errorf("by ranks %v, excludes 0 %v: %+v", r.ByRanks, r.Hull.Excludes(0), r)
			}
			if want := TInterval(c.d, .05, SDFloor); !c.byRanks && r.Hull != want {
				t.Errorf("%v is not the t-interval %v", r.Hull, want)
			}
		})
	}
	// At this rate eight pairs have no signed-rank interval.
	d := []float64{.05, .06, .04, .05, .06, .05, .04, .05}
	if r := PairedRatio(d, Opts{Boundary: Fixed(.001), SDFloor: SDFloor}); r.ByRanks ||
		r.Hull != TInterval(d, .001, SDFloor) {
		t.Errorf("at 0.1%%: %+v", r)
	}
}

// TestPairSpread: of normal pairs it is their standard deviation, within 5%, and a stalled one in 30 hardly moves it.
func TestPairSpread(t *testing.T) {
	r, sessions := seeded(t, 31), times(4000, 400)
	for _, n := range []int{5, 8, 15, 30, 200} {
		var plain, stalled float64
		for range sessions {
			d := normals(r, n, .03, .02)
			plain += pairSpread(d) / float64(sessions)
			d[0] -= 2
			stalled += pairSpread(d) / float64(sessions)
		}
		t.Logf("%d pairs: %.4f, one stalled %.4f", n, plain, stalled)
		near(t, "spread", plain, .02, .002)
		if n >= MinRanks {
			calm := 0.0
			for range sessions {
				calm += calmSpread(normals(r, n, .03, .02)) / float64(sessions)
			}
			t.Logf("%d pairs: %.4f for futility", n, calm)
			near(t, "spread for futility", calm, .02, .0025)
		}
		if n >= 15 && stalled > 1.3*plain {
			t.Errorf("%d pairs, one stalled: %v instead of %v", n, stalled, plain)
		}
	}
}

func TestWelchRatio(t *testing.T) {
	o := Opts{Boundary: Fixed(.05)}
	a := []float64{.10, .12, .11, .13}
	b := []float64{.20, .26, .17}
	r := WelchRatio(a, b, o)
	se := math.Sqrt(SD(a)*SD(a)/4 + SD(b)*SD(b)/3)
	near(t, "mean", r.Mean, .21-.115, 1e-12)
	df := math.Pow(se, 4) / (math.Pow(SD(a), 4)/16/3 + math.Pow(SD(b), 4)/9/2)
	near(t, "half width", r.Hull.HalfWidth(), tCrit(.05, df)*se, 1e-12)
	if r.N != 3 {
		t.Errorf("n = %d, want the smaller side, 3", r.N)
	}
	if one := WelchRatio(a, b[:1], o); !math.IsInf(one.Hull.Hi, 1) {
		t.Errorf("one value on a side gives %v, want an infinite interval", one.Hull)
	}
	same := []float64{1, 1, 1, 1, 1}
	floored := WelchRatio(same, same, Opts{Boundary: Fixed(.05), SDFloor: SDFloor})
	near(t, "floored half width", floored.Hull.HalfWidth(), tCrit(.05, 8)*SDFloor*math.Sqrt(.4), 1e-12)
}

// TestCoverage counts how often the interval holds the true ratio.
func TestCoverage(t *testing.T) {
	simtest.Long(t)
	const seed, sessions, truth = 7, 4000, .03
	t.Logf("seed %d", seed)
	for _, n := range []int{5, 10, 20} {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		var paired, welch float64
		for range sessions {
			a, b, d := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range d {
				a[i], b[i] = .02*r.NormFloat64(), truth+.02*r.NormFloat64()
				d[i] = b[i] - a[i]
			}
			o := Opts{Boundary: Fixed(.05), SDFloor: SDFloor}
			paired += holds(PairedRatio(d, o).Hull, truth) / sessions
			welch += holds(WelchRatio(a, b, o).Hull, truth) / sessions
		}
		t.Logf("n %d: pairs %.3f, Welch %.3f", n, paired, welch)
		near(t, "coverage of pairs", paired, .95, .014)
		near(t, "Welch coverage", welch, .95, .014)
	}
}

func holds(iv Interval, v float64) float64 {
	if iv.Excludes(v) {
		return 0
	}
	return 1
}

// TestSharedDriftCancels: identical machines under a drift that both share.
// Pairs in random order must not claim a difference; a then b unpaired does.
func TestSharedDriftCancels(t *testing.T) {
	simtest.Long(t)
	const seed, n = 23, 10
	sessions := float64(times(2000, 500))
	t.Logf("seed %d", seed)
	o := Opts{Boundary: Fixed(.05), SDFloor: SDFloor}
	for name, drift := range map[string]func(*rand.Rand) []float64{
		"none": func(*rand.Rand) []float64 { return make([]float64, 2*n) },
		"ramp": ramp, "step": step, "ar": ar,
	} {
		r := rand.New(rand.NewPCG(seed, uint64(len(name))))
		var paired, blocked float64
		for range int(sessions) {
			run := drift(r)
			for i := range run {
				run[i] += .01 * r.NormFloat64()
			}
			paired += 1 - holds(PairedRatio(pairUp(run, r), o).Hull, 0)
			blocked += 1 - holds(WelchRatio(run[:n], run[n:], o).Hull, 0)
		}
		t.Logf("%s: A/A claims: pairs %.3f, blocks %.3f", name, paired/sessions, blocked/sessions)
		if paired/sessions > .06 {
			t.Errorf("%s: %.1f%% of A/A sessions claim a difference", name, 100*paired/sessions)
		}
		if name != "none" && blocked/sessions < .3 {
			t.Errorf("%s: the drift does not show in blocks (%.3f), so this proves nothing", name, blocked/sessions)
		}
	}
}

// pairUp takes consecutive runs as pairs, each in a random order.
func pairUp(run []float64, r *rand.Rand) []float64 {
	d := make([]float64, 0, len(run)/2)
	for pair := range slices.Chunk(run, 2) {
		sign := float64(1 - 2*r.IntN(2))
		d = append(d, sign*(pair[1]-pair[0]))
	}
	return d
}

func ramp(*rand.Rand) []float64 {
	x := make([]float64, 20)
	for i := range x {
		x[i] = -.03 * float64(i) / 19
	}
	return x
}

func step(r *rand.Rand) []float64 {
	x := make([]float64, 20)
	for i := 1 + r.IntN(19); i < len(x); i++ {
		x[i] = -.03
	}
	return x
}

func ar(r *rand.Rand) []float64 {
	x := make([]float64, 20)
	x[0] = .02 * r.NormFloat64()
	for i := 1; i < len(x); i++ {
		x[i] = .9*x[i-1] + .02*math.Sqrt(1-.81)*r.NormFloat64()
	}
	return x
}

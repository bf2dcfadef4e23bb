package stat

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// sweepOf is a curve measured with log-normal noise.
func sweepOf(c Curve, cores int, ns []float64, replicates int, sd float64, r *rand.Rand) Sweep {
	s := Sweep{Cores: cores}
	for _, n := range ns {
		for range replicates {
			s.N = append(s.N, n)
			s.X = append(s.X, c.At(n)*math.Exp(sd*r.NormFloat64()))
		}
	}
	return s
}

func upTo(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i + 1)
	}
	return out
}

func fitted(t *testing.T, s Sweep) Scaled {
	t.Helper()
	f, err := FitScaling(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFitWithoutNoise: the true terms are recovered to 1e-6.
func TestFitWithoutNoise(t *testing.T) {
	for _, c := range []struct {
		name  string
		true  Curve
		cores int
		ns    []float64
		model Model
	}{
		{"linear", Curve{Gamma: 1000, Yield: 1}, 0, upTo(8), Linear},
		{"linear, one rate of many zeros", Curve{Gamma: 3e-7, Yield: 1}, 0, upTo(8), Linear},
		{"Amdahl", Curve{Gamma: 1000, Alpha: .02, Yield: 1}, 0, upTo(8), USL},
		{"USL", Curve{Gamma: 1000, Alpha: .05, Beta: .0005, Yield: 1}, 0, []float64{1, 2, 3, 4, 6, 8, 12, 16}, USL},
		{"USL past its peak", Curve{Gamma: 5.8e9, Alpha: .005, Beta: .002, Yield: 1}, 0, []float64{1, 8, 16, 24, 32, 48, 64},
			USL},
		{"SMT", Curve{Gamma: 1000, Yield: .26, Cores: 4}, 4, upTo(8), SMT},
		{"SMT at four points", Curve{Gamma: 1000, Yield: .26, Cores: 4}, 4, []float64{1, 2, 4, 8}, SMT},
		{"SMT with contention", Curve{Gamma: 1000, Yield: .5, Alpha: .01, Cores: 4}, 4, upTo(8), SMT},
		{"second threads that harm", Curve{Gamma: 1000, Yield: -.1, Cores: 4}, 4, upTo(8), SMT},
	} {
		got := fitted(t, sweepOf(c.true, c.cores, c.ns, 3, 0, rand.New(rand.NewPCG(1, 1)))).Best
		if got.Model != c.model {
			t.Errorf("%s: chose %s, want %s", c.name, got.Model, c.model)
		}
		for name, pair := range map[string][2]float64{
			"gamma": {got.Gamma / c.true.Gamma, 1}, "alpha": {got.Alpha, c.true.Alpha}, "beta": {got.Beta, c.true.Beta},
			"yield": {got.Yield, c.true.Yield},
		} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-6) {
				t.Errorf("%s: %s %v, want %v", c.name, name, pair[0], pair[1])
			}
		}
	}
}

func TestWeights(t *testing.T) {
	got := fitted(t, sweepOf(Curve{Gamma: 1, Alpha: .03, Yield: 1}, 0, upTo(8), 3, .01, rand.New(rand.NewPCG(3, 3))))
	if sum := got.Weights[Linear] + got.Weights[USL]; math.Abs(sum-1) > 1e-12 || len(got.Weights) != 2 {
		t.Errorf("weights %v add up to %v", got.Weights, sum)
	}
	if len(got.ByModel) != 2 || got.ByModel[USL].AICc != got.Best.AICc {
		t.Errorf("models %v, best %+v", got.ByModel, got.Best)
	}
}

// TestSMTNeedsBothSides: without CPUs on both sides of the cores there is
// nothing to tell second threads from.
func TestSMTNeedsBothSides(t *testing.T) {
	for cores, want := range map[int]bool{0: false, 1: false, 2: true, 7: true, 8: false, 9: false} {
		s := sweepOf(Curve{Gamma: 1, Yield: 1}, cores, upTo(8), 3, .01, rand.New(rand.NewPCG(4, 4)))
		if _, got := fitted(t, s).ByModel[SMT]; got != want {
			t.Errorf("%d cores of 8 CPUs: SMT fitted %v, want %v", cores, got, want)
		}
	}
}

func TestFitRefuses(t *testing.T) {
	good := sweepOf(Curve{Gamma: 1, Yield: 1}, 0, upTo(4), 3, 0, rand.New(rand.NewPCG(1, 1)))
	for why, change := range map[string]func(*Sweep){
		"3 distinct numbers of CPUs, need 4": func(s *Sweep) { s.N, s.X = s.N[:9], s.X[:9] },
		"trial 2 of 12: need at least 1 CPU": func(s *Sweep) { s.X[2] = 0 },
		"trial 3 of 12: need at least 1 CPU": func(s *Sweep) { s.X[3] = math.NaN() },
		"trial 0 of 12":                      func(s *Sweep) { s.X = s.X[1:] },
		"trial 4 of 12":                      func(s *Sweep) { s.N[4] = 0 },
		"4 trials are too few to fit":        func(s *Sweep) { s.N, s.X = upTo(4), upTo(4) },
		"0 distinct numbers of CPUs":         func(s *Sweep) { *s = Sweep{} },
	} {
		s := Sweep{N: append([]float64(nil), good.N...), X: append([]float64(nil), good.X...)}
		change(&s)
		if _, err := FitScaling(s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
	}
}

func TestCPUsFor(t *testing.T) {
	peaked := Curve{Gamma: 1000, Alpha: .005, Beta: .002, Yield: 1}
	for _, c := range []struct {
		name     string
		curve    Curve
		x        float64
		from, to float64
		want     float64
		ok       bool
	}{
		{"linear", Curve{Gamma: 10, Yield: 1}, 55, 1, 8, 5.5, true},
		{"second threads", Curve{Gamma: 10, Yield: .25, Cores: 4}, 45, 1, 8, 6, true},
		{"never so much", peaked, 1e6, 1, 64, 0, false},
		{"at the start", Curve{Gamma: 10, Yield: 1}, 20, 2, 8, 2, true},
		{"below the start", Curve{Gamma: 10, Yield: 1}, 5, 2, 8, 2, false},
		{"beyond the end", Curve{Gamma: 10, Yield: 1}, 90, 1, 8, 0, false},
	} {
		got, ok := c.curve.CPUsFor(c.x, c.from, c.to)
		if ok != c.ok || ok && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// TestOracles checks the figures of the article on compute headroom.
func TestOracles(t *testing.T) {
	if got := ExtraCPUs(8, 736860.0/591411); math.Abs(got-1.96748) > 1e-5 {
		t.Errorf("extra vCPUs %v, want 1.97", got)
	}
	s := YieldAtFull(.63)
	if math.Abs(s-.26) > 1e-12 {
		t.Errorf("yield %v of 63%% a thread, want .26", s)
	}
	full := Curve{Gamma: 1, Yield: s, Cores: 4}.At(8) / 8
	if math.Abs(full-.63) > 1e-12 {
		t.Errorf("a curve of that yield carries %v a thread, want .63", full)
	}
}

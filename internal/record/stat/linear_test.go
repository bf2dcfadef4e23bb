package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

func pointsOf(c Curve, ns []int, replicates int, sd float64, r *rand.Rand) []Point {
	var out []Point
	for _, n := range ns {
		p := Point{N: n}
		for range replicates {
			p.Logs = append(p.Logs, math.Log(c.At(float64(n)))+sd*r.NormFloat64())
		}
		out = append(out, p)
	}
	return out
}

// TestLinearToWithoutNoise: the last N before efficiency falls below 90%.
func TestLinearToWithoutNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	all, some := []int{1, 2, 3, 4, 5, 6, 7, 8}, []int{1, 2, 4, 8}
	for _, c := range []struct {
		name  string
		curve Curve
		ns    []int
		want  int
	}{
		{"linear", Curve{Gamma: 9, Yield: 1}, all, 8},
		{"second threads", Curve{Gamma: 9, Yield: .26, Cores: 4}, all, 4},
		{"Amdahl .02: .909 at 6, .893 at 7", Curve{Gamma: 9, Alpha: .02, Yield: 1}, all, 6},
		{"only what was measured", Curve{Gamma: 9, Alpha: .02, Yield: 1}, some, 4},
		{"at once", Curve{Gamma: 9, Alpha: .5, Yield: 1}, all, 1},
		{"more than linear", Curve{Gamma: 9, Yield: 1.1, Cores: 1}, all, 8},
		{"without 1 CPU", Curve{Gamma: 9, Yield: 1}, all[1:], 0},
		{"nothing", Curve{}, nil, 0},
	} {
		if got := LinearTo(pointsOf(c.curve, c.ns, 3, 0, r), 1e-9); got != c.want {
			t.Errorf("%s: linear to %d, want %d", c.name, got, c.want)
		}
	}
	if got := LinearTo(pointsOf(Curve{Gamma: 9, Yield: 1}, all, 1, .01, r), SDFloor); got != 0 {
		t.Errorf("linear to %d of single trials, whose scatter is not known", got)
	}
}

// TestLinearToEndsAtTheFirstFailure: a number that recovers later does not count.
func TestLinearToEndsAtTheFirstFailure(t *testing.T) {
	points := pointsOf(Curve{Gamma: 1, Yield: 1}, []int{1, 2, 3, 4}, 3, 0, rand.New(rand.NewPCG(1, 1)))
	for i := range points[1].Logs {
		points[1].Logs[i] -= .2
	}
	if got := LinearTo(points, SDFloor); got != 1 {
		t.Errorf("linear to %d past a dip at 2, want 1", got)
	}
}

// TestLinearToFloor: machines that repeat themselves exactly are not certain.
func TestLinearToFloor(t *testing.T) {
	points := pointsOf(Curve{Gamma: 1, Alpha: .11, Yield: 1}, []int{1, 2}, 3, 0, rand.New(rand.NewPCG(1, 1)))
	if a, b := LinearTo(points, 1e-9), LinearTo(points, .05); a != 2 || b != 1 {
		t.Errorf("90.1%%: linear to %d without a floor, %d with one of 5%%, want 2 and 1", a, b)
	}
}

// TestLinearToOverstates: at 5 replicates and 2% it overstates in at most about 0.7% of sessions
// (docs/derivations.md#scaling-over-cpus).
func TestLinearToOverstates(t *testing.T) {
	simtest.Long(t)
	const seed, runs = 29, 2000
	t.Logf("seed %d, %d runs each", seed, runs)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, c := range []struct {
		name  string
		curve Curve
		true  int
	}{
		{"linear", Curve{Gamma: 9, Yield: 1}, 8},
		{"second threads", Curve{Gamma: 9, Yield: .26, Cores: 4}, 4},
		{"Amdahl", Curve{Gamma: 9, Alpha: .02, Yield: 1}, 6},
	} {
		over, sum := 0, 0
		for range runs {
			got := LinearTo(pointsOf(c.curve, []int{1, 2, 3, 4, 5, 6, 7, 8}, 5, .02, r), SDFloor)
			sum += got
			if got > c.true {
				over++
			}
		}
		mean := float64(sum) / runs
		t.Logf("%s: overstated %d of %d, mean %.2f of %d", c.name, over, runs, mean, c.true)
		if over > 30 || mean < float64(c.true)-2 {
			t.Errorf("%s: overstated %d of %d, mean %.2f of %d", c.name, over, runs, mean, c.true)
		}
	}
}

func TestPointRatio(t *testing.T) {
	a, b := Point{1, []float64{0, .02}}, Point{8, []float64{1, 1.02}}
	sd, df := PooledSD([]Point{a, b})
	if df != 2 || math.Abs(sd-.02/math.Sqrt2) > 1e-12 {
		t.Fatalf("pooled sd %v of %v degrees of freedom", sd, df)
	}
	got := PointRatio(a, b, sd, df)
	if half := 4.302652729911275 * sd; math.Abs(got.Mean-1) > 1e-12 || math.Abs(got.Hull.HalfWidth()-half) > 1e-9 {
		t.Errorf("%+v, want 1 ± %v", got, half)
	}
}

// TestLackOfFit: it tells a jagged machine from a noisy one, and rarely mistakes noise for jags.
func TestLackOfFit(t *testing.T) {
	simtest.Long(t)
	const seed, runs = 31, 300
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	curve := Curve{Gamma: 9, Yield: 1}
	found, falsely := 0, 0
	for range runs {
		s := sweepOf(curve, 0, upTo(8), 3, .02, r)
		smooth := LackOfFit(fitted(t, s).Best, group(s), SDFloor)
		for i, n := range s.N {
			s.X[i] *= math.Exp(.05 * float64(int(n)%2))
		}
		if smooth < .01 {
			falsely++
		}
		if LackOfFit(fitted(t, s).Best, group(s), SDFloor) < .01 {
			found++
		}
	}
	t.Logf("jags found %d, falsely %d of %d", found, falsely, runs)
	if falsely > 12 || found < runs*3/4 {
		t.Errorf("jags found %d, falsely %d of %d", found, falsely, runs)
	}
	if p := LackOfFit(Fit{Curve: curve, Params: 2}, nil, SDFloor); !math.IsNaN(p) {
		t.Errorf("%v of nothing", p)
	}
}

func group(s Sweep) []Point {
	var out []Point
	for i, n := range s.N {
		if len(out) == 0 || out[len(out)-1].N != int(n) {
			out = append(out, Point{N: int(n)})
		}
		last := &out[len(out)-1]
		last.Logs = append(last.Logs, math.Log(s.X[i]))
	}
	return out
}

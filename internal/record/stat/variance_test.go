package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

// nestedGolden are three instances of two boots of three trials each.
func nestedGolden() Nested {
	return Nested{
		{{.10, .12, .11}, {.15, .14, .16}},
		{{.20, .21, .19}, {.18, .22, .20}},
		{{.05, .08, .08}, {.09, .07, .08}},
	}
}

// TestComponents checks values of numpy, and a manual calculation for groups of unequal size.
func TestComponents(t *testing.T) {
	got := nestedGolden().Components()
	want := [3]Component{
		{0.00018333333333333333, 0.00018333333333333333, 3},
		{0.0002833333333333336, 0.0002222222222222225, 2},
		{0.003925, 0.0037833333333333333, 3},
	}
	for l, w := range want {
		near(t, "total", got[l].Total, w.Total, 1e-12)
		near(t, "variance", got[l].Variance, w.Variance, 1e-12)
		near(t, "repeated", got[l].Repeated, w.Repeated, 1e-12)
	}
	uneven := Nested{{{1, 3}, {5, 5, 5, 8}}}.Components()
	near(t, "trials within", uneven[Trial].Total, (2+6.75)/(1+3), 1e-12)
	near(t, "harmonic mean", uneven[Trial].Repeated, 2/(1./2+1./4), 1e-12)
	near(t, "boots", uneven[Boot].Variance, 3.75*3.75/2-(8.75/4)*(1./2+1./4)/2, 1e-12)
	near(t, "one instance", uneven[Instance].Variance, math.NaN(), 0)
	once := Nested{{{1, 3}}, {{5, 9}}}.Components()
	near(t, "boots that were not repeated", once[Boot].Variance, math.NaN(), 0)
	near(t, "count into the instances", once[Instance].Variance, 12.5-5./2, 1e-12)
}

// nested simulates runs: a standard deviation for each level.
func nested(r *rand.Rand, counts [3]int, sd [3]float64) Nested {
	out := make(Nested, counts[Instance])
	for i := range out {
		instance := sd[Instance] * r.NormFloat64()
		out[i] = make([][]float64, counts[Boot])
		for j := range out[i] {
			boot := sd[Boot] * r.NormFloat64()
			out[i][j] = normals(r, counts[Trial], instance+boot, sd[Trial])
		}
	}
	return out
}

// TestComponentsAreUnbiased: their means over many sessions are the true
// variances, within four standard errors.
func TestComponentsAreUnbiased(t *testing.T) {
	r, sessions := seeded(t, 107), times(8000, 1500)
	sd := [3]float64{.02, .01, .015}
	var seen [3][]float64
	for range sessions {
		c := nested(r, [3]int{3, 2, 4}, sd).Components()
		for l := range seen {
			seen[l] = append(seen[l], c[l].Variance)
		}
	}
	for l, x := range seen {
		near(t, "variance", Mean(x), sd[l]*sd[l], 4*SD(x)/math.Sqrt(float64(sessions)))
		t.Logf("level %d: %.3e, true %.3e", l, Mean(x), sd[l]*sd[l])
	}
}

// TestRepetitions: the counts are optimal, found by trying all of them at the same cost.
func TestRepetitions(t *testing.T) {
	for _, c := range []struct {
		cost, above, variance, varianceAbove float64
		want                                 int
	}{
		{30, 60, 0.00018333333, 0.00022222222, 2}, // numpy: 1.28
		{60, 300, 0.00022222222, 0.00378333333, 1},
		{10, 90, 4, 1, 6}, {1, 1, -1, 1, 1}, {1, 1, 1, 0, 0}, {1, 1, 1, -2, 0},
	} {
		if got := Repetitions(c.cost, c.above, c.variance, c.varianceAbove); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	// A member above costs `above` and its r repetitions r·cost; in a fixed time T there are T/(above + r·cost) of them.
	variance := func(r float64) float64 { return (1 + 4/r) * (90 + 10*r) }
	for r := 1.0; r < 40; r++ {
		if variance(r) < variance(6)-1e-9 {
			t.Errorf("%v repetitions give a smaller variance than 6: %v, %v", r, variance(r), variance(6))
		}
	}
}

func TestTopAndMeans(t *testing.T) {
	three := nestedGolden()
	for _, c := range []struct {
		x    Nested
		top  Level
		want []float64
	}{
		{three, Instance, []float64{.13, .20, .075}},
		{three[:1], Boot, []float64{.11, .15}},
		{Nested{three[0][:1]}, Trial, []float64{.10, .12, .11}},
		{Nested{{{1, 2, 3, 6}, {5}}, {{7}}}, Instance, []float64{4, 7}},
	} {
		if c.x.Top() != c.top {
			t.Errorf("top %d of %v, want %d", c.x.Top(), c.x, c.top)
		}
		got := c.x.Means(c.x.Top())
		if len(got) != len(c.want) {
			t.Fatalf("means %v, want %v", got, c.want)
		}
		for i := range got {
			near(t, "mean", got[i], c.want[i], 1e-12)
		}
	}
}

// TestPseudoReplication: two equal types of instances (sd 2%, and runs 1%), found different by their runs and by the
// means of their instances (docs/derivations.md#machine-types).
func TestPseudoReplication(t *testing.T) {
	simtest.Long(t)
	const oracle = 20000
	r, sessions := seeded(t, 109), times(6000, 1200)
	o := Opts{Boundary: Fixed(.05)}
	for _, c := range []struct {
		instances, runs    int
		byRuns, byInstance float64
	}{{1, 10, .745, math.NaN()}, {2, 5, .453, .052}, {5, 5, .376, .049}} {
		var byRuns, byInstance float64
		for range sessions {
			counts, sd := [3]int{c.runs, 1, c.instances}, [3]float64{.01, 0, .02}
			a, b := nested(r, counts, sd), nested(r, counts, sd)
			byRuns += share(WelchRatio(a.Means(Trial), b.Means(Trial), o).Hull.Excludes(0), sessions)
			byInstance += share(WelchRatio(a.Means(a.Top()), b.Means(b.Top()), o).Hull.Excludes(0), sessions)
		}
		t.Logf("%d instances of %d runs: by runs %.3f, by the top level %.3f", c.instances, c.runs, byRuns, byInstance)
		near(t, "by runs", byRuns, c.byRuns, slack(c.byRuns, sessions, oracle)+.005)
		// of two instances Welch's test has few degrees of freedom, and Student's pooled one is the oracle's
		if c.instances > 2 {
			near(t, "by instances", byInstance, c.byInstance, slack(c.byInstance, sessions, oracle)+.005)
		}
		if c.instances == 2 && byInstance > .06 {
			t.Errorf("by instances: %v", byInstance)
		}
	}
}

func TestTrialSeconds(t *testing.T) {
	for _, c := range []struct{ warmup, sdWindow, tau, sdTrials, want float64 }{
		{60, .05, 3, .01, 67.08203932499369}, // docs/derivations.md#machine-types
		{60, .01, 1, .05, 30}, {60, .2, 3, .005, 300}, {60, .05, 3, 0, 300}, {60, 0, 1, 0, 30},
	} {
		near(t, "seconds", TrialSeconds(c.warmup, c.sdWindow, c.tau, c.sdTrials), c.want, 1e-9)
	}
}

package stat

import (
	"math"
	"strings"
	"testing"
)

func TestMeanRatios(t *testing.T) {
	got, err := MeanRatios([][]float64{{.1, .2, .3}, {.3, .0, .1}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{.2, .1, .2} {
		near(t, "mean", got[i], want, 1e-12)
	}
	if _, err := MeanRatios([][]float64{{1, 2}, {1}}); err == nil || !strings.Contains(err.Error(), "workload 1 has 1 replicates, the first has 2") {
		t.Errorf("a replicate is missing: %v", err)
	}
	if none, err := MeanRatios(nil); err != nil || len(none) != 0 {
		t.Errorf("no workloads: %v, %v", none, err)
	}
}

// TestSharedDisturbances: replicates that disturb all workloads alike are covered
// by the means over workloads, and not by all ratios taken as one sample.
func TestSharedDisturbances(t *testing.T) {
	r, sessions := seeded(t, 131), times(4000, 1000)
	var byMeans, asOne float64
	for range sessions {
		logs, all := make([][]float64, 4), []float64(nil)
		shared := normals(r, 6, .03, .02)
		for w := range logs {
			logs[w] = normals(r, 6, 0, .01)
			for i := range shared {
				logs[w][i] += shared[i]
			}
			all = append(all, logs[w]...)
		}
		means, err := MeanRatios(logs)
		if err != nil {
			t.Fatal(err)
		}
		byMeans += holds(PairedRatio(means, Opts{Boundary: Fixed(.05)}).Hull, .03) / float64(sessions)
		asOne += holds(TInterval(all, .05, 0), .03) / float64(sessions)
	}
	t.Logf("coverage by means %.3f, as one sample %.3f", byMeans, asOne)
	near(t, "coverage by means", byMeans, .95, slack(.95, sessions, math.MaxInt))
	if asOne > .85 {
		t.Errorf("as one sample they cover %.3f, so this proves nothing", asOne)
	}
}

// TestPairedP checks values of scipy, and that P is below alpha if the interval excludes 0.
func TestPairedP(t *testing.T) {
	d := []float64{.006, -.002, .015, -.007, .010, .002, .004, .013}
	near(t, "p", PairedP(d, 0), 0.09423870542496593, 1e-9)
	near(t, "below the floor", PairedP([]float64{.001, .001, .001, .001, .001}, SDFloor), 0.6778688286992491, 1e-9)
	near(t, "no difference", PairedP([]float64{.01, -.01}, 0), 1, 0)
	near(t, "one pair", PairedP([]float64{.01}, 0), 1, 0)
	for _, alpha := range []float64{.09, .094, .095, .1} {
		if TInterval(d, alpha, 0).Excludes(0) != (PairedP(d, 0) < alpha) {
			t.Errorf("alpha %v: interval and probability disagree", alpha)
		}
	}
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{.01, .04, .03, .005, .5})
	for i, want := range []float64{.04, .09, .09, .025, .5} {
		near(t, "adjusted", got[i], want, 1e-12)
	}
	if got := Holm([]float64{.9, .8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("above 1: %v", got)
	}
}

// TestHolmKeepsAlpha: of eight metrics that differ in nothing, some one is found
// different in about 5 % of sessions; without the adjustment in 34 %.
func TestHolmKeepsAlpha(t *testing.T) {
	const metrics, alpha = 8, .05
	r, sessions := seeded(t, 137), times(4000, 800)
	var adjusted, plain float64
	for range sessions {
		p := make([]float64, metrics)
		for i := range p {
			p[i] = PairedP(normals(r, 8, 0, .02), SDFloor)
		}
		anyBelow := func(p []float64) bool {
			for _, v := range p {
				if v <= alpha {
					return true
				}
			}
			return false
		}
		adjusted += share(anyBelow(Holm(p)), sessions)
		plain += share(anyBelow(p), sessions)
	}
	t.Logf("adjusted %.3f, plain %.3f", adjusted, plain)
	near(t, "plain", plain, 1-math.Pow(1-alpha, metrics), slack(.34, sessions, math.MaxInt))
	// Holm's first step is Bonferroni's.
	near(t, "adjusted", adjusted, 1-math.Pow(1-alpha/metrics, metrics), slack(alpha, sessions, math.MaxInt))
}

package stat

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestMeanRatios(t *testing.T) {
	got, err := meanRatios([][]float64{{.1, .2, .3}, {.3, .0, .1}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{.2, .1, .2} {
		near(t, "mean", got[i], want, 1e-12)
	}
	if _, err := meanRatios([][]float64{{1, 2}, {1}}); err == nil ||
		!strings.Contains(err.Error(), "workload 1 has 1 replicates, the first has 2") {
		t.Errorf("a replicate is missing: %v", err)
	}
	if none, err := meanRatios(nil); err != nil || len(none) != 0 {
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
		means, err := meanRatios(logs)
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
	near(t, "p", pairedP(d, 0), 0.09423870542496593, 1e-9)
	near(t, "below the floor", pairedP([]float64{.001, .001, .001, .001, .001}, SDFloor), 0.6778688286992491, 1e-9)
	near(t, "no difference", pairedP([]float64{.01, -.01}, 0), 1, 0)
	near(t, "one pair", pairedP([]float64{.01}, 0), 1, 0)
	for _, alpha := range []float64{.09, .094, .095, .1} {
		if TInterval(d, alpha, 0).Excludes(0) != (pairedP(d, 0) < alpha) {
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
// different in about 5% of sessions; without the adjustment in 34%.
func TestHolmKeepsAlpha(t *testing.T) {
	const metrics, alpha = 8, .05
	r, sessions := seeded(t, 137), times(4000, 800)
	var adjusted, plain float64
	for range sessions {
		p := make([]float64, metrics)
		for i := range p {
			p[i] = pairedP(normals(r, 8, 0, .02), SDFloor)
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

// meanRatios returns the mean over workloads of the log ratios of each replicate, from logs[workload][replicate];
// PairedRatio of them is the ratio over all workloads with equal weights. Workloads of one replicate share its
// disturbances, which is why they are not one sample. It fails if a workload lacks replicates, because the means would
// not be comparable.
func meanRatios(logs [][]float64) ([]float64, error) {
	if len(logs) == 0 {
		return nil, nil
	}
	out := make([]float64, len(logs[0]))
	for w, replicates := range logs {
		if len(replicates) != len(out) {
			return nil, fmt.Errorf("ratio over workloads: workload %d has %d replicates, the first has %d", w, len(replicates),
				len(out))
		}
		for i, d := range replicates {
			out[i] += d / float64(len(logs))
		}
	}
	return out, nil
}

// pairedP returns the probability that pairs without a difference give log ratios as far from 0 as d, by Student's t,
// with the standard deviation floored; 1 below two values.
func pairedP(d []float64, floor float64) float64 {
	if len(d) < 2 {
		return 1
	}
	m, s := Mean(d), math.Max(SD(d), floor)
	if m == 0 {
		return 1
	}
	return twoSided(m/(s/math.Sqrt(float64(len(d)))), float64(len(d)-1))
}

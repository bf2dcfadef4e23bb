package judge

import (
	"math"
	"testing"

	"plimsoll/internal/analysis/finding/steady"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

func heat(settled, kept, gain float64) change { return heatKnown(settled, kept, gain, .02) }

func heatKnown(settled, kept, gain, half float64) change {
	return func(t *record.Trial) {
		t.WarmUp = &record.WarmUp{Seconds: 10, SettledS: settled, Kept: kept, Gain: gain, Half: half}
	}
}

func rise(by, p float64) change {
	return func(t *record.Trial) { t.Rise = &record.Rise{Windows: 10, Change: by, P: p} }
}

// TestWarmUp: what the heats of a cell's trials show together, and what is said against each trial.
func TestWarmUp(t *testing.T) {
	trials := []record.Trial{
		trial("m1", 0, 1e9, heat(2, .8, 2), rise(.002, .4)),
		trial("m1", 1, 1e9, heat(4, .6, 2), rise(.031, .001)),
		trial("m1", 2, 1e9, heat(8.5, .15, 1.5), rise(.012, .2)),
		trial("m1", 3, 1e9, heat(1, .9, 9), rise(1, 0), void("steal")),
		trial("m1", 4, 1e9, rise(.05, .0001), func(t *record.Trial) {
			t.Steady = &record.SteadyState{Windows: 60, Kept: 1, DriftP: 1}
		}),
	}
	shown := Show(trials, nil, nil)
	c := shown.Workloads[0]
	w := steady.KindWarmUp.Of(c)
	if w == nil || w.N != 3 || w.Settled != 2 || w.From != 2 || w.To != 4 || w.HeatS != 10 || w.RiseTrials != 4 {
		t.Fatalf("%+v", w)
	}
	close(t, "gain", w.Gain, 2)
	close(t, "rise", w.Rise.Value, (.002+.031+.012+.05)/4)
	if w.Rise.Lo == nil || *w.Rise.Lo >= w.Rise.Value || *w.Rise.Hi <= w.Rise.Value {
		t.Errorf("rise %+v", w.Rise)
	}
	for i, want := range []string{"", "the server was still warming up: the rate changed by +3.1%",
		"the JIT warm-up of 10 s was too short", "the server was still warming up: the rate changed by +100.0%", ""} {
		got := ""
		if d := c.Trials[i].Doubts; len(d) > 0 {
			got = d[0].Text()
		}
		if got != want {
			t.Errorf("trial %d: %q, want %q", i, got, want)
		}
	}
	if got := steady.KindWarmUp.Of(Show([]record.Trial{trial("m1", 0, 1, rise(.5, 0))}, nil, nil).
		Workloads[0]); got != nil {
		t.Errorf("without a heat: %+v", got)
	}
	if got := trialset.WarmUpOf([]record.Trial{trial("m1", 0, 1, heat(9, .1, 1.2))}); got.Settled != 0 || got.From != 0 ||
		got.Gain != 0 || got.Rise != nil {
		t.Errorf("none settled: %+v", got)
	}
}

// TestNoisyHeat: where throughput scatters too much, nothing is said of when it was steady, nor against the trial.
func TestNoisyHeat(t *testing.T) {
	trials := []record.Trial{trial("m1", 0, 1e9, heatKnown(9, .1, 3, .4)), trial("m1", 1, 1e9, heat(2, .8, 2))}
	w := trialset.WarmUpOf(trials)
	if w.N != 2 || w.Noisy != 1 || w.Settled != 1 || w.From != 2 {
		t.Errorf("%+v", w)
	}
	if got := trialset.Warming(trials[0]); len(got) != 0 {
		t.Errorf("against a noisy heat: %q", got)
	}
}

func close(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

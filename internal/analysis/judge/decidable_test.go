package judge

import (
	"math"
	"testing"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// likePlan is an A/A of one cell, sliced, and of another in trials of their own.
func likePlan() record.Plan {
	cell := func(cpus float64, group int, sliced bool) record.Cell {
		return record.Cell{Workload: "aes", Load: record.LoadPoint{Kind: record.Closed, Level: cpus, Unit: "cpus"},
			Group: group, Sliced: sliced}
	}
	return record.Plan{Alpha: .05, DurationS: .1, WarmupS: .03,
		Cells: []record.Cell{cell(1, 0, true), cell(1, 0, true), cell(4, 1, false), cell(4, 1, false)}}
}

// clocked is what trials cost that took half a second each.
func clocked(trials []record.Trial) map[string]float64 {
	took := map[string]float64{}
	for _, t := range trials {
		took[t.ID] = .5
	}
	return took
}

func TestDecidable(t *testing.T) {
	trials := session(6, 0, .02)
	found := sequential.DecidableBy(likePlan(), trials, clocked(trials))
	if len(found) != 2 {
		t.Fatalf("%d rows of two groups", len(found))
	}
	d := found[0]
	if d.What != "aes" || d.CPUs != 1 || !d.Sliced || d.TrialS != .1 || d.Pairs != 6 || d.PairS != 1 || len(d.Doubts) > 0 {
		t.Errorf("%+v", d)
	}
	if *d.SD < .01 || *d.SD > .06 || *d.SDLo >= *d.SD || *d.SDHi <= *d.SD {
		t.Errorf("standard deviation %g, %g to %g, of pairs made with %g", *d.SD, *d.SDLo, *d.SDHi, .02*math.Sqrt2)
	}
	for i, pairs := range []int{60, 300, 900} {
		p := d.In[i]
		want := math.Expm1(stat.MinDetectable(*d.SD, pairs, .05, .8))
		if p.Pairs != pairs || *p.Difference != want || *p.Lo >= want || *p.Hi <= want {
			t.Errorf("in %d minutes: %d pairs, %g, %g to %g, want %d pairs and %g", p.Minutes, p.Pairs, *p.Difference, *p.Lo,
				*p.Hi, pairs, want)
		}
	}
	if other := found[1]; other.Pairs != 0 || other.SD != nil || !flagged(other.Doubts, "before one pair") {
		t.Errorf("of the group without trials: %+v", other)
	}
}

// A machine that is capped repeats itself to a precision that means nothing.
func TestDecidableHasTheFloorOfVerdicts(t *testing.T) {
	trials := session(6, 0, 1e-6)
	d := sequential.DecidableBy(likePlan(), trials, clocked(trials))[0]
	if want := math.Expm1(stat.MinDetectable(stat.SDFloor, 60, .05, .8)); *d.In[0].Difference != want || *d.SD > 1e-5 {
		t.Errorf("a standard deviation of %g decides %g, want %g", *d.SD, *d.In[0].Difference, want)
	}
}

func TestDecidableOfDearPairs(t *testing.T) {
	trials := session(4, 0, .02)
	took := clocked(trials)
	for id := range took {
		took[id] = 15
	}
	d := sequential.DecidableBy(likePlan(), trials, took)[0]
	if d.In[0].Pairs != 2 || d.In[0].Difference != nil || d.In[1].Pairs != 10 || d.In[1].Difference == nil {
		t.Errorf("pairs of 30 s give %+v", d.In)
	}
}

func TestDecidableDoubts(t *testing.T) {
	two := session(2, 0, .02)
	broken := alter(session(6, 0, .02), func(r record.Trial) bool { return r.Replicate > 2 && r.Cell == 0 },
		void("no memory left"))
	idle := alter(session(6, 0, .02), func(r record.Trial) bool { return r.Replicate == 3 && r.Cell == 1 },
		func(t *record.Trial) { t.Values[0].Value = 0 })
	for name, c := range map[string]struct {
		trials []record.Trial
		doubt  string
		some   bool
	}{
		"a zero":       {idle, "which is not positive", false},
		"too few":      {two, "only 2 pairs were measured", false},
		"void":         {broken, "3 of 12 runs failed, the last one because no memory left", true},
		"unlike sides": {session(6, .5, .02), "the A/A test found a difference of +", true},
		"none at all":  {nil, "the time ended before one pair was measured", false},
	} {
		d := sequential.DecidableBy(likePlan(), c.trials, clocked(c.trials))[0]
		if !flagged(d.Doubts, c.doubt) || (d.SD != nil) != c.some {
			t.Errorf("%s: doubts %q, standard deviation %v", name, d.Doubts, d.SD)
		}
	}
}

package judge

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// settling is what a trial's windows say of it.
func settling(w record.SteadyState) change { return func(t *record.Trial) { t.Steady = &w } }

func TestUnsteadyTrials(t *testing.T) {
	for _, c := range []struct {
		name  string
		w     record.SteadyState
		trial string // of its doubts in show
		flag  string // of a comparison's
	}{
		{"sound", record.SteadyState{Windows: 60, Kept: 1, Drift: .02, DriftP: .3}, "", ""},
		{"not steady", record.SteadyState{Windows: 60, Kept: .2, SteadyS: 48, DriftP: 1},
			"only 20% of the run was in a steady state",
			"1 of 16 runs did not reach a steady state"},
		{"not steady and drifting", record.SteadyState{Windows: 60, Kept: .25 - 1e-9, SteadyS: 45, Drift: .04, DriftP: 0},
			"the rate drifted by +4.0% from start to end", "1 of 16 runs drift by up to 4.0% from start to end"},
		{"steady for just enough", record.SteadyState{Windows: 60, Kept: .25, SteadyS: 45, DriftP: 1},
			"steady only after 45 s", "1 of 16 runs became steady after up to 45 s"},
		{"late", record.SteadyState{Windows: 60, Kept: .5, SteadyS: 30, DriftP: 1},
			"the run became steady only after 30 s: use a longer warm-up", "1 of 16 runs became steady after up to 30 s"},
		{"drifting", record.SteadyState{Windows: 60, Kept: 1, Drift: -.03, DriftP: .001},
			"the rate drifted by -3.0% from start to end",
			"1 of 16 runs drift by up to 3.0% from start to end"},
		{"drifting by chance", record.SteadyState{Windows: 60, Kept: 1, Drift: -.03, DriftP: .01}, "", ""},
		{"a slope of nothing", record.SteadyState{Windows: 60, Kept: 1, Drift: -.009, DriftP: 1e-6}, "", ""},
	} {
		trials := session(8, .05, .002)
		settling(c.w)(&trials[5])
		shown := Show(trials, nil, plans(nil))
		var doubts []string
		for _, cell := range shown.Workloads {
			for _, tv := range cell.Trials {
				doubts = append(doubts, note.Texts(tv.Doubts)...)
			}
		}
		if got := strings.Join(doubts, "; "); c.trial == "" && got != "" || !strings.Contains(got, c.trial) {
			t.Errorf("%s: doubts %q", c.name, got)
		}
		compared, err := Compare(trials, nil, plans(nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		v := compared.Pairs[0].Verdicts[0]
		said := slices.ContainsFunc(note.Texts(v.Flags), func(f string) bool {
			return c.flag != "" && strings.HasPrefix(f, c.flag)
		})
		if said != (c.flag != "") || v.N != 8 || v.Verdict != trialset.Different {
			t.Errorf("%s: flags %q, n=%d, %s: none may be left out", c.name, v.Flags, v.N, v.Verdict)
		}
	}
}

// Flags do not wait for an interval, and count what each side has.
func TestUnsteadyTrialsOfFew(t *testing.T) {
	trials := session(2, .05, .002)
	for i := range trials {
		settling(record.SteadyState{Windows: 40, Kept: .5, SteadyS: 20 + float64(i), DriftP: 1})(&trials[i])
	}
	compared, err := Compare(trials, nil, plans(nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := compared.Pairs[0].Verdicts[0]
	if want := "4 of 4 runs became steady after up to 23 s: use a longer warm-up"; !slices.Contains(note.Texts(v.Flags),
		want) || v.Verdict != "" || v.N != 2 {
		t.Errorf("flags %q, n=%d, verdict %q, want %q", v.Flags, v.N, v.Verdict, want)
	}
}

// A comparison of types flags the trials of all instances, its n counting these.
func TestUnsteadyTrialsOfTypes(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	trials, lines := fleetRuns(rand.New(rand.NewPCG(seed, 0)), 3, 4, .2, .01, .005, false)
	settling(record.SteadyState{Windows: 40, Kept: .1, SteadyS: 36, DriftP: 1})(&trials[9])
	c, _ := compareByType(t, trials, lines)
	if want := "1 of 24 runs did not reach a steady state"; !slices.Contains(note.Texts(c.Flags), want) || c.N != 3 ||
		c.Verdict != trialset.Different {
		t.Errorf("flags %q, n=%d, %s, want %q", c.Flags, c.N, c.Verdict, want)
	}
}

package judge

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// settling is what a trial's windows say of it.
func settling(w record.Within) change { return func(t *record.Trial) { t.Within = &w } }

func TestUnsteadyTrials(t *testing.T) {
	for _, c := range []struct {
		name  string
		w     record.Within
		trial string // of its doubts in show
		flag  string // of a comparison's
	}{
		{"sound", record.Within{Windows: 60, Kept: 1, SteadyS: 1, Drift: .02, DriftP: .3}, "", ""},
		{"not steady", record.Within{Windows: 60, Kept: .2, SteadyS: 48, DriftP: 1}, "NOT STEADY: only 20 % of the trial", "NOT STEADY: 1 of 16 trials"},
		{"late", record.Within{Windows: 60, Kept: .5, SteadyS: 30, DriftP: 1}, "steady only from 30 s on: warm up longer", "steady only from up to 30 s on: 1 of 16 trials"},
		{"drifting", record.Within{Windows: 60, Kept: 1, Drift: -.03, DriftP: .001}, "drifts by -3.0 % from end to end", "drifts by up to 3.0 % from end to end: 1 of 16 trials"},
		{"a slope of nothing", record.Within{Windows: 60, Kept: 1, Drift: -.009, DriftP: 1e-6}, "", ""},
	} {
		trials := session(8, .05, .002)
		settling(c.w)(&trials[5])
		shown := Show(trials, nil, plans(nil))
		var doubts []string
		for _, cell := range shown.Workloads {
			for _, tv := range cell.Trials {
				doubts = append(doubts, tv.Doubts...)
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
		said := slices.ContainsFunc(v.Flags, func(f string) bool { return c.flag != "" && strings.HasPrefix(f, c.flag) })
		if said != (c.flag != "") || v.N != 8 || v.Verdict != Different {
			t.Errorf("%s: flags %q, n %d, %s: none may be left out", c.name, v.Flags, v.N, v.Verdict)
		}
	}
}

package judge

import (
	"math"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding/profile"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

func profiled(t *record.Trial) { t.Profiled = true }

func perOp(s float64) change { return measured("cpu_per_op", "s", record.Lower, s) }

// TestWhatProfilingCosts: in pairs of one replicate, whatever the replicates' own scatter.
func TestWhatProfilingCosts(t *testing.T) {
	var trials []record.Trial
	for i := range 4 {
		level := 1e9 * math.Pow(2, float64(i))
		trials = append(trials, trial("m", i, level, perOp(1e-6)), trial("m", i, level*.9, perOp(1.2e-6), profiled))
	}
	trials[1].Doubts = []string{"profile: no names\nhint: set them", "late"}
	trials = append(trials, trial("m", 4, 1e9, perOp(1e-6)), trial("m", 4, 1, perOp(1), profiled, void("late")))
	shown := Show(trials, nil, nil)
	if len(shown.Workloads) != 2 || shown.Workloads[0].N != 5 {
		t.Fatalf("%+v", shown.Workloads)
	}
	for i, want := range []float64{.9, 1.2} {
		p := profile.KindOverhead.Of(shown.Workloads[i])
		if p == nil || p.N != 4 || math.Abs(p.Ratio-want) > 1e-9 || p.Lo == nil || !(*p.Lo < want && want < *p.Hi) {
			t.Errorf("%s: %+v", shown.Workloads[i].Metric, p)
		}
	}
	if got := note.Texts(shown.Workloads[0].Doubts); !slices.Contains(got, "profile: run 5 is left out: late") ||
		!slices.Contains(got, "profile: no names\nhint: set them") || len(shown.Workloads[1].Doubts) > 0 {
		t.Errorf("%q, %q", got, shown.Workloads[1].Doubts)
	}
	few := profile.KindOverhead.Of(Show(trials[:4], nil, nil).Workloads[0])
	if few == nil || few.N != 2 || few.Lo != nil || few.Hi != nil {
		t.Errorf("of two: %+v", few)
	}
	if none := profile.KindOverhead.Of(Show([]record.Trial{trial("m", 0, 1)}, nil, nil).Workloads[0]); none != nil {
		t.Errorf("of none: %+v", none)
	}
}

// TestProfiledTrialsAreInNoVerdict: were they, the sides would differ.
func TestProfiledTrialsAreInNoVerdict(t *testing.T) {
	trials := session(8, 0, .001)
	before := Show(trials, nil, nil)
	for i := range 8 {
		trials = append(trials, trial("m2", i, 1, cellNo(1), profiled))
	}
	after := Show(trials, nil, nil)
	if len(after.Workloads) != len(before.Workloads) || after.Workloads[1].Value != before.Workloads[1].Value ||
		after.Workloads[1].N != 8 {
		t.Errorf("%+v\n%+v", before.Workloads[1], after.Workloads[1])
	}
	with, err := Compare(trials, nil, nil, Options{})
	without, err2 := Compare(trials[:16], nil, nil, Options{})
	if err != nil || err2 != nil || len(with.Pairs) != 1 ||
		*with.Pairs[0].Verdicts[0].Lo != *without.Pairs[0].Verdicts[0].Lo {
		t.Errorf("%v %v: %+v", err, err2, with.Pairs)
	}
}

package judge

import (
	"testing"

	"plimsoll/internal/record"
)

func sets(work, generator string, cores int) change {
	return func(t *record.Trial) {
		t.CPUSets = &record.CPUSets{Work: work, Generator: generator, GeneratorCores: cores}
	}
}

func TestGeneratorsOfBothSides(t *testing.T) {
	const shared, sibling = "server and generator may have shared CPUs",
		"server and generator may have shared a physical core"
	four, two, none := sets("0-11,16-27", "12-15,28-31", 4), sets("0-29", "30-31", 2), sets("0", "1", 0)
	same := sets("0-1", "0-1", 0)
	for name, c := range map[string]struct {
		a, b change
		want string
	}{
		"alike":              {four, four, ""},
		"unequal":            {four, two, "the load generator had 4 whole cores for the baseline and 2 for the candidate"},
		"one side could not": {none, two, sibling + " in the baseline"},
		"the other":          {two, none, sibling + " in the candidate"},
		"neither":            {none, none, sibling + " on both sides"},
		"one CPU for all":    {same, two, shared + " in the baseline"},
		"on both sides":      {same, same, shared + " on both sides"},
		"one of them":        {same, none, shared + " on both sides"},
		"not said":           {func(*record.Trial) {}, none, ""},
	} {
		trials := session(3, .1, .01)
		alter(trials, func(t record.Trial) bool { return t.Keys[record.KeyMachine] == "m1" }, c.a)
		alter(trials, func(t record.Trial) bool { return t.Keys[record.KeyMachine] == "m2" }, c.b)
		compared, err := Compare(trials, nil, plans(nil), Options{})
		v := only(t, compared, err)
		if got := flagged(v.Flags, "may have shared") || flagged(v.Flags, "whole cores"); got != (c.want != "") || c.want !=
			"" && !flagged(v.Flags, c.want) {
			t.Errorf("%s: %q, want %q", name, v.Flags, c.want)
		}
		if name == "alike" && (v.CPUSetsA == nil || v.CPUSetsA.Generator != "12-15,28-31") {
			t.Errorf("side a had %+v", v.CPUSetsA)
		}
	}
}

// TestSetsOfTrialsThatAreNotAlike: nothing stands for all of them.
func TestSetsOfTrialsThatAreNotAlike(t *testing.T) {
	trials := session(3, .1, .01, sets("0", "1", 1))
	if s := Show(trials, nil, nil).Workloads[0].CPUSets; s == nil || s.Work != "0" {
		t.Errorf("%+v", s)
	}
	sets("1", "0", 1)(&trials[0])
	if s := Show(trials, nil, nil).Workloads[0].CPUSets; s != nil {
		t.Errorf("%+v", s)
	}
}

package record

import (
	"math"
	"testing"
)

// profileOf has samples of a stack in the kernel, of one in a program, and of one that was not walked.
func profileOf(kernel, user, unwalked int64) Profile {
	return Profile{Clock: ClockCycles, PeriodNs: 1e6, Stacks: []Stack{
		{Frames: []Frame{{Function: "do_something", Module: ModuleKernel}, {Function: "main", Module: "web"}}, N: kernel},
		{Frames: []Frame{{Function: "handle", Module: "web"}, {Function: "main", Module: "web"}}, N: user},
		{N: unwalked},
	}}
}

func TestMergeProfiles(t *testing.T) {
	a, b := profileOf(1, 2, 3), profileOf(10, 20, 30)
	b.Stacks[1].Thread = "other"
	got := MergeProfiles([]Profile{a, b})
	if len(got.Stacks) != 4 || got.Samples() != 66 || got.PeriodNs != 1e6 || got.Stacks[0].N != 11 ||
		got.Clock != ClockCycles {
		t.Errorf("%+v", got)
	}
	if a.Stacks[0].N != 1 {
		t.Error("what was merged was changed")
	}
	if got := MergeProfiles(nil); got.Samples() != 0 || got.PeriodNs != 0 {
		t.Errorf("%+v of nothing", got)
	}
}

// TestMergeProfilesOfUnlikePeriods: a sample of 5 ms is as much as five of 1 ms, and one of 1.1 ms as one; no time is
// lost.
func TestMergeProfilesOfUnlikePeriods(t *testing.T) {
	fine, coarse, near := profileOf(100, 0, 0), profileOf(0, 100, 0), profileOf(0, 0, 1)
	for i := range fine.Stacks {
		fine.Stacks[i].Frames, coarse.Stacks[i].Frames = fine.Stacks[0].Frames, coarse.Stacks[1].Frames
	}
	fine.Stacks, coarse.Stacks, near.Stacks = fine.Stacks[:1], coarse.Stacks[1:2], near.Stacks[2:]
	coarse.PeriodNs, near.PeriodNs = 5e6, 11e5
	got := MergeProfiles([]Profile{coarse, fine, near})
	if got.Samples() != 601 || got.Stacks[0].N != 500 || got.Stacks[2].N != 1 {
		t.Errorf("%+v", got)
	}
	if was, is := 100*5e6+100*1e6+11e5, float64(got.Samples()*got.PeriodNs); math.Abs(is/was-1) > 1e-6 {
		t.Errorf("%v ns of %v", is, was)
	}
}

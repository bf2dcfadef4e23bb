package record

import (
	"reflect"
	"testing"
)

func TestShortenedProfile(t *testing.T) {
	f := func(names ...string) []Frame {
		var out []Frame
		for _, n := range names {
			out = append(out, Frame{Function: n, Module: "m"})
		}
		return out
	}
	p := Profile{Clock: ClockCPU, PeriodNs: 7, Stacks: []Stack{
		{Frames: f("a", "b", "c"), Thread: "t", N: 1}, {Frames: f("a", "b", "d"), Thread: "t", N: 2},
		{Frames: f("a", "b", "d"), Thread: "u", N: 1},
		{Frames: f("a", "b", "c", "d"), Thread: "t", N: 3}, {Frames: f("a"), Thread: "t", N: 1},
	}}
	got := p.Shortened(2, 2)
	want := Profile{Clock: ClockCPU, PeriodNs: 7, Stacks: []Stack{
		{Frames: f("a", "b"), Thread: "t", N: 3}, {Frames: f("a", "b"), Thread: "u", N: 1},
		{Frames: f("a", "b", "c", "d"), Thread: "t", N: 3}, {Frames: f("a"), Thread: "t", N: 1},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got.Samples() != p.Samples() || len(p.Stacks[0].Frames) != 3 {
		t.Errorf("%d samples of %d; the profile itself is now %+v", got.Samples(), p.Samples(), p)
	}
}

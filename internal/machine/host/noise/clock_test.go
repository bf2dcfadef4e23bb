package noise

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"plimsoll/internal/machine/host/fact"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

func TestClockSampler(t *testing.T) {
	// The cost is read from the thread's clock, as the sampler's own thread does.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	files := map[string]string{}
	path := func(cpu int) string { return fmt.Sprintf("devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu) }
	for cpu, khz := range map[int]string{0: "3000000", 1: "2000000", 2: "100000"} {
		files[path(cpu)] = khz
	}
	root := hosttest.Tree(t, files)
	s, err := NewClockSampler(root, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	s.sample()
	hosttest.Write(t, root.SysPath(path(1)), "1000000\n")
	s.sample()
	hosttest.Write(t, root.SysPath(path(0)), "offline\n")
	s.sample()
	got, ok := s.Stop()
	if !ok || got.CostS <= 0 {
		t.Errorf("%t, cost %g s", ok, got.CostS)
	}
	got.CostS = 0
	if want := (record.Clock{MeanMHz: 2250, MinMHz: 1000, CPUs: 2, Samples: 2, Source: fact.FromCPUFreq}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestClockSamplerOfNothing(t *testing.T) {
	if _, err := NewClockSampler(hosttest.Tree(t, nil), []int{0}); !hostfs.NotHere(err) {
		t.Errorf("%v, want not here", err)
	}
	if _, err := NewClockSampler(hostfs.System(), nil); err != nil && !hostfs.NotHere(err) {
		t.Error(err)
	}
	s, err := NewClockSampler(hosttest.Tree(t, map[string]string{"devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": "1"}),
		[]int{0})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if c, ok := s.Stop(); ok && time.Duration(c.Samples)*ClockStep < ClockStep {
		t.Errorf("%+v", c)
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct{ in, want []int }{
		{nil, nil}, {[]int{3, 5}, []int{3, 5}}, {[]int{0, 1, 2, 3, 4, 5, 6, 7}, []int{0, 2, 4, 6}},
		{[]int{0, 1, 2, 3, 4}, []int{0, 1, 2, 3}},
	} {
		if got := spread(c.in, 4); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

func BenchmarkClockSample(b *testing.B) {
	s, err := NewClockSampler(hostfs.System(), []int{0})
	if err != nil {
		b.Skip(err)
	}
	for b.Loop() {
		s.sample()
	}
}

package judge

import (
	"fmt"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

func TestBackwards(t *testing.T) {
	edited := func(at int, f func(*reading)) []reading {
		out := knee()
		out[4].latency = .018
		f(&out[at])
		return out
	}
	same := func(*reading) {}
	for _, c := range []struct {
		name       string
		readings   []reading
		replicates int
		jitter     float64 // of a replicate, to either side
		load, flag string  // "": none
	}{
		{"forwards", edited(0, same), 1, 0, "", ""},
		{"forwards, replicates", edited(0, same), 3, .01, "", ""},
		{"throughput", edited(5, func(r *reading) { r.carried = 700 }), 1, 0, "1000/s",
			"throughput is 12.5% lower at 1000/s than at 800/s, with one run each: up to 10% counts as noise"},
		{"throughput, a little", edited(5, func(r *reading) { r.carried = 730 }), 1, 0, "", ""},
		{"a little, beyond noise", edited(5, func(r *reading) { r.carried = 730 }), 4, .002, "1000/s",
			"throughput is 8.75% lower at 1000/s than at 800/s"},
		{"much, within noise", edited(5, func(r *reading) { r.carried = 700 }), 3, .2, "", ""},
		{"latency", edited(3, func(r *reading) { r.latency = .006 }), 1, 0, "600/s",
			"latency_p99 is 50% lower at 600/s than at 400/s"},
	} {
		var trials []record.Trial
		for i := range c.replicates {
			by := 1 + c.jitter*(float64(i)-float64(c.replicates-1)/2)
			readings := append([]reading(nil), c.readings...)
			for k := range readings {
				readings[k].carried, readings[k].latency = readings[k].carried*by, readings[k].latency*by
			}
			trials = append(trials, rateSweep("m1", i, readings)...)
		}
		found := ""
		for _, cell := range Show(trials, nil, nil).Workloads {
			if flagged(cell.Doubts, "% lower at") {
				found += cell.Load
				if !cell.Primary || !flagged(cell.Doubts, c.flag) {
					t.Errorf("%s: %s %s has the doubts %q", c.name, cell.Load, cell.Metric, cell.Doubts)
				}
			}
		}
		if found != c.load {
			t.Errorf("%s: flagged at %q, want %q", c.name, found, c.load)
		}
	}
}

// TestPeakIsNotBackwards: where a sweep of CPUs is analysed, its peak says that it falls.
func TestPeakIsNotBackwards(t *testing.T) {
	falls := stat.Curve{Gamma: 1, Alpha: .05, Beta: .05, Yield: 1}
	for replicates, want := range map[int]bool{4: false, 1: true} {
		trials := swept("m1", falls, []int{1, 2, 4, 8, 16, 24}, replicates, .005)
		got := false
		for _, c := range Show(trials, nil, nil).Workloads {
			got = got || flagged(c.Doubts, "% lower at")
		}
		if got != want {
			t.Errorf("%s: flagged %v, want %v", fmt.Sprint(replicates, " replicates"), got, want)
		}
	}
}

package judge

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/record"
)

// kernelTrials are of a kernel that moves that much, on n CPUs.
func kernelTrials(machine string, n int, traffic float64, changes ...change) []record.Trial {
	var out []record.Trial
	for r, noise := range []float64{.99, 1, 1.01} {
		all := append([]change{onCPUs(n), measured(record.MemoryTraffic, "B/s", record.Neutral, traffic*noise),
			key(record.KeyRegime, record.RegimeDRAM)}, changes...)
		out = append(out, trial(machine, r, traffic/2*noise, all...))
	}
	return out
}

// memoryTrials are of workload memory.
func memoryTrials(machine, op string, n int, traffic float64, changes ...change) []record.Trial {
	as := func(t *record.Trial) {
		t.Keys[record.KeyWorkload], t.Keys["memory.op"], t.Keys["memory.cpus"] = "memory", op, t.Keys["aes.cpus"]
		delete(t.Keys, "aes.cpus")
		delete(t.Keys, "aes.size")
	}
	return kernelTrials(machine, n, traffic, append([]change{as}, changes...)...)
}

func join(lists ...[]record.Trial) []record.Trial {
	var out []record.Trial
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func kernelCell(t *testing.T, trials []record.Trial) finding.Cell {
	t.Helper()
	for _, c := range Show(trials, nil, nil).Workloads {
		if c.Workload == "memory" && sweep.KindMemoryBandwidth.Of(c) != nil ||
			!c.Primary && sweep.KindMemoryBandwidth.Of(c) != nil {
			t.Errorf("%s %s has a share of memory", c.Workload, c.Metric)
		}
	}
	for _, c := range Show(trials, nil, nil).Workloads {
		if c.Workload == "aes" && c.Primary {
			return c
		}
	}
	t.Fatal("no cell of the kernel")
	return finding.Cell{}
}

func TestShareOfMemory(t *testing.T) {
	everything := key(record.KeyLoad, "all cpus")
	noTraffic := func(t *record.Trial) { t.Values = t.Values[:1] }
	for _, c := range []struct {
		name   string
		trials []record.Trial
		share  float64 // 0: none
		of     string
		doubt  string
	}{
		{"the higher of copy and triad", join(kernelTrials("m1", 4, 6e9), memoryTrials("m1", "copy", 4, 8e9),
			memoryTrials("m1", "triad", 4, 10e9)), .6, "memory triad at 4 cpus", ""},
		{"all CPUs are their number", join(kernelTrials("m1", 4, 6e9, everything), memoryTrials("m1", "copy", 4, 8e9)), .75,
			"memory copy at 4 cpus", ""},
		{"one CPU", join(kernelTrials("m1", 1, 6e9), memoryTrials("m1", "copy", 1, 8e9)), .75, "memory copy at 1 cpu", ""},
		{"more than memory carries", join(kernelTrials("m1", 4, 9e9), memoryTrials("m1", "copy", 4, 8e9)), 1.125,
			"memory copy at 4 cpus", "memory traffic is 1.12 times as high as in memory copy at 4 cpus"},
		{"as much as memory carries", join(kernelTrials("m1", 4, 8.05e9), memoryTrials("m1", "copy", 4, 8e9)), 8.05 / 8,
			"memory copy at 4 cpus", ""},
		{"regime not known", join(kernelTrials("m1", 4, 6e9, key(record.KeyRegime, "")), memoryTrials("m1", "copy", 4, 8e9)),
			.75, "memory copy at 4 cpus", ""},
		{"between", join(kernelTrials("m1", 4, 6e9, key(record.KeyRegime, record.RegimeBetween)),
			memoryTrials("m1", "copy", 4, 8e9)), .75, "memory copy at 4 cpus", ""},
		{"an old session of memory", join(kernelTrials("m1", 4, 6e9), memoryTrials("m1", "copy", 4, 16e9, noTraffic)), .75,
			"memory copy at 4 cpus", ""},
		{"in cache", join(kernelTrials("m1", 4, 6e9, key(record.KeyRegime, record.RegimeCache)),
			memoryTrials("m1", "copy", 4, 8e9)), 0, "", ""},
		{"memory in cache", join(kernelTrials("m1", 4, 6e9),
			memoryTrials("m1", "copy", 4, 8e9, key(record.KeyRegime, record.RegimeCache))), 0, "", ""},
		{"memory at other CPUs", join(kernelTrials("m1", 4, 6e9), memoryTrials("m1", "copy", 2, 8e9),
			memoryTrials("m1", "copy", 8, 8e9)), 0, "", ""},
		{"memory of another machine", join(kernelTrials("m1", 4, 6e9), memoryTrials("m2", "copy", 4, 8e9)), 0, "", ""},
		{"memory of one socket", join(kernelTrials("m1", 4, 6e9),
			memoryTrials("m1", "copy", 4, 8e9, key("memory.sockets", record.SocketsOne))), 0, "", ""},
		{"memory void", join(kernelTrials("m1", 4, 6e9), memoryTrials("m1", "copy", 4, 8e9, void("late"))), 0, "", ""},
		{"traffic not stated", join(kernelTrials("m1", 4, 6e9, noTraffic), memoryTrials("m1", "copy", 4, 8e9)), 0, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cell := kernelCell(t, c.trials)
			m := sweep.KindMemoryBandwidth.Of(cell)
			if (m != nil) != (c.share > 0) {
				t.Fatalf("share %+v, want %v", m, c.share)
			}
			if m != nil && (math.Abs(m.Share-c.share) > .001 || m.Of != c.of || *m.Lo >= m.Share || *m.Hi <= m.Share ||
				math.Abs(m.Traffic/m.Ceiling-m.Share) > 1e-9) {
				t.Errorf("%+v, %v to %v", m, *m.Lo, *m.Hi)
			}
			if c.doubt == "" && len(cell.Doubts) > 0 || c.doubt != "" && !flagged(cell.Doubts, c.doubt) {
				t.Errorf("doubts %q, want %q", cell.Doubts, c.doubt)
			}
		})
	}
}

// TestShareHoldsBothScatters: the interval is wider than that of either side alone.
func TestShareHoldsBothScatters(t *testing.T) {
	cell := kernelCell(t, join(kernelTrials("m1", 4, 6e9), memoryTrials("m1", "copy", 4, 8e9)))
	share := math.Log(*sweep.KindMemoryBandwidth.Of(cell).Hi / *sweep.KindMemoryBandwidth.Of(cell).Lo)
	// Welch: both sides scatter alike, so √2 wider, and t falls from 4.303 (2 degrees) to 2.776 (4).
	want := math.Log(*cell.Hi / *cell.Lo) * math.Sqrt2 * 2.776 / 4.303
	if math.Abs(share/want-1) > .01 {
		t.Errorf("ln width %v, want %v", share, want)
	}
}

func TestTwoReplicatesHaveNoShareInterval(t *testing.T) {
	cell := kernelCell(t, join(kernelTrials("m1", 4, 6e9)[:2], memoryTrials("m1", "copy", 4, 8e9)))
	if m := sweep.KindMemoryBandwidth.Of(cell); m == nil || m.Lo != nil || m.Hi != nil ||
		!strings.HasPrefix(m.Of, "memory copy") {
		t.Errorf("%+v", m)
	}
}

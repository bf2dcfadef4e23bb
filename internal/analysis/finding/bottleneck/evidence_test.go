package bottleneck

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestDisksOfSeveralRuns: runs that differ in what their disks did are summed up in one reason about disks, never an
// empty one.
func TestDisksOfSeveralRuns(t *testing.T) {
	run := func(device string, busy float64) record.Trial {
		out := record.Trial{DurationS: 1, Load: record.LoadPoint{Kind: record.Closed, Unit: record.ParamClients, Level: 4},
			Values: []record.Value{{Metric: record.Metric{Name: record.CPUPercent}, Value: 20}}}
		if device != "" {
			out.Disk = &record.DiskUse{Device: device, BusyPct: busy}
		}
		return out
	}
	cluster := run("vda", 20)
	cluster.Keys = map[string]string{record.KeyHosts: "3"}
	for name, tt := range map[string]struct {
		runs []record.Trial
		want string
	}{
		"none did anything": {[]record.Trial{run("", 0), run("", 0)}, "no disk did anything"},
		"one in one run": {[]record.Trial{run("vda", 20), run("", 0)},
			"vda is in use 10% of the time, and its capacity was not measured"},
		"none in the first": {[]record.Trial{run("", 0), run("vda", 20)},
			"vda is in use 10% of the time, and its capacity was not measured"},
		"a cluster's": {[]record.Trial{cluster},
			"vda of the cluster's busiest host is in use 20% of the time, and its capacity was not measured"},
		"different ones": {[]record.Trial{run("vdb", 20), run("vda", 10)},
			"vda or vdb is in use 15% of the time, and its capacity was not measured"},
	} {
		got := bottleneckOf(tt.runs, nil, nil, nil, "")
		if !slices.Contains(got.Reasons, tt.want) || slices.Contains(got.Reasons, "") {
			t.Errorf("%s: %q, want %q", name, got.Reasons, tt.want)
		}
	}
}

// TestQuotaIsTheBottleneck: of a server that may use two of eight CPUs a quarter is in use at most.
func TestQuotaIsTheBottleneck(t *testing.T) {
	run := func(throttled float64) record.Trial {
		return record.Trial{
			DurationS: 10, Load: record.LoadPoint{Kind: record.Closed, Unit: record.ParamClients, Level: 4},
			CPU:    &record.CPUUse{Work: 20, CPUs: 8, WindowS: 10},
			Ledger: &record.Ledger{ThrottledS: &throttled}, Values: []record.Value{
				{Metric: record.Metric{Name: record.CPUPercent}, Value: 25}},
		}
	}
	for throttled, want := range map[float64]string{0: Unknown, .1: Unknown, 15: CPU} {
		got := bottleneckOf([]record.Trial{run(throttled), run(throttled)}, nil, nil, nil, "")
		if got.What != want || (want == CPU) != slices.Contains(got.Reasons,
			"the CPU quota of its control group was used up: it kept 1.5 CPUs from running on average") {
			t.Errorf("%g s throttled: %s, %q", throttled, got.What, got.Reasons)
		}
	}
	for _, source := range []string{record.ChargedNone, record.ChargedFound, record.ChargedMachine} {
		generator := run(15)
		generator.CPU.Source = source
		if got := bottleneckOf([]record.Trial{generator}, nil, nil, nil, ""); got.What == CPU {
			t.Errorf("%s: the quota of the generator is the server's: %q", source, got.Reasons)
		}
	}
}

// TestNothingIsNeverThrottled: with all resources known and idle, the verdict is "nothing" only if nothing was
// throttled.
func TestNothingIsNeverThrottled(t *testing.T) {
	cpu, idle := 20., 0.
	for name, c := range map[string]struct {
		change func(*Evidence)
		what   string
		says   string
	}{
		"nothing":          {func(*Evidence) {}, Nothing, "none of these is saturated"},
		"a disk at a rate": {func(e *Evidence) { e.held = "21.0 MB/s" }, Unknown, "the disk is throttled to 21.0 MB/s"},
		"a disk at full load": {func(e *Evidence) { e.held, e.fullLoad = "21.0 MB/s", true }, Disk,
			"throttled to 21.0 MB/s"},
		"a quota now and then": {func(e *Evidence) { e.Throttled = .02 }, Unknown, "kept 0.02 CPUs from running"},
		"a quota":              {func(e *Evidence) { e.Throttled = .2 }, CPU, "kept 0.2 CPUs from running"},
	} {
		e := Evidence{CPU: &cpu, networkEvidence: networkEvidence{Network: &idle, Loopback: &idle}}
		c.change(&e)
		what, reasons := e.judge()
		if all := strings.Join(reasons, "; "); what != c.what || !strings.Contains(all, c.says) {
			t.Errorf("%s: %s: %s, want %s: %s", name, what, all, c.what, c.says)
		}
	}
}

package agent

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent/kept"
)

func valuesOf(t record.Trial) []string {
	var out []string
	for _, v := range t.Values {
		if v.Value > 0 {
			out = append(out, v.Name)
		}
	}
	return out
}

func TestTrials(t *testing.T) {
	for name, c := range map[string]struct {
		load   record.LoadPoint
		faults string
		values []string // those over 0
		series []string
	}{
		"closed by CPUs": {record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamCPUs}, "",
			[]string{"throughput", "cpu_per_op"}, []string{"bytes", "latency", "ops"}},
		"closed by clients": {closed(3), "", []string{"throughput", "latency_p50", "latency_p99", "cpu_per_op"},
			[]string{"bytes", "latency", "ops"}},
		"open": {record.LoadPoint{Kind: record.Open, Level: 500, Unit: record.ParamRate, Arrivals: "poisson"}, "",
			[]string{"latency_p99", "latency_p50", "throughput", "cpu_per_op"},
			[]string{"bytes", "latency", "ops", "send_lag", "send_lag_control"}},
		"once": {record.LoadPoint{Kind: record.Once, Level: 1}, "own", []string{"time"}, nil},
		"values beside those counted": {record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamCPUs}, "extra",
			[]string{"throughput", "cpu_per_op", "memory_traffic"}, []string{"bytes", "latency", "ops"}},
		"its own values": {closed(1), "own", []string{"time"}, []string{"bytes", "latency", "ops"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			trial, got := b.metered(b.order(c.load, c.faults))
			if trial.Void != "" || !slices.Equal(valuesOf(trial), c.values) {
				t.Errorf("void %q, values %v, want %v", trial.Void, trial.Values, c.values)
			}
			series := slices.DeleteFunc(slices.Sorted(maps.Keys(got.series)), func(name string) bool {
				return strings.HasPrefix(name, "diskuse.") // there where somebody used a disk meanwhile
			})
			if !slices.Equal(series, c.series) {
				t.Errorf("series %v, want %v", series, c.series)
			}
			if trial.CPU == nil || trial.CPU.Work <= 0 || trial.CPU.Source != "threads" || trial.CPU.CPUs < 1 {
				t.Errorf("cpu %+v", trial.CPU)
			}
			if trial.Ledger == nil || trial.Ledger.LoadAvg1 == nil {
				t.Errorf("ledger %+v", trial.Ledger)
			}
			checkUse(t, trial)
		})
	}
}

func checkUse(t *testing.T, trial record.Trial) {
	t.Helper()
	u := trial.Generator
	switch kind := trial.Load.Kind; {
	case kind == record.Once:
		if u != nil {
			t.Errorf("once has a generator: %+v", u)
		}
	case u == nil || u.Done < 1 || u.Offered < u.Done || u.Errors != 0:
		t.Errorf("generator %+v", u)
	case kind == record.Open && u.ControlP99 <= 0:
		t.Errorf("no spin-only control: %+v", u)
	}
}

func TestIdentity(t *testing.T) {
	b := newBench(t)
	req := b.order(closed(1), "doubt")
	b.machine.Software.Plimsoll = "1.2.3"
	trial, _ := b.one(req)
	want := map[string]string{
		"machine": "here", "machine_id": "0123456789ab", "workload": "fake", "load": "1 clients", "fake.faults": "doubt",
		"factor.how": "well", "plimsoll": "1.2.3",
	}
	for key, v := range want {
		if trial.Keys[key] != v {
			t.Errorf("key %s is %q, want %q", key, trial.Keys[key], v)
		}
	}
	o := req.Order
	slot := record.Slot{Plan: o.Plan, Cell: 4, Group: 3, Replicate: 2, Position: 1, Attempt: 1}
	if trial.Slot != slot || trial.ID != slot.ID() {
		t.Errorf("%+v is not of %+v", trial, o)
	}
	if trial.WarmupS != .02 || trial.DurationS < .01 || trial.MonoNs == 0 || trial.Start == "" {
		t.Errorf("times: warm-up %v, duration %v, start %v %q", trial.WarmupS, trial.DurationS, trial.MonoNs, trial.Start)
	}
	if !slices.Contains(trial.Doubts, "it is only passing time") {
		t.Errorf("doubts %v", trial.Doubts)
	}
	if dir := trial.Keys["scratch"]; !strings.HasPrefix(dir, filepath.Join(os.TempDir(), "plimsoll-"+o.ID)) {
		t.Errorf("scratch directory %q", dir)
	}
}

// TestLanesThatWaitAreNotPreempted: Go's signal would end their waits. Others must be interruptible.
func TestLanesThatWaitAreNotPreempted(t *testing.T) {
	const urgent = 1 << (unix.SIGURG - 1)
	for name, want := range map[string]bool{"fake": false, "waiter": true} {
		b := newBench(t)
		req := b.order(closed(1), "")
		req.Order.Sides[0].Workload = name
		trial, _ := b.one(req)
		mask, err := strconv.ParseUint(trial.Keys["blocked"], 16, 64)
		if err != nil || mask&urgent != 0 != want {
			t.Errorf("%s: %q, %v", name, trial.Keys["blocked"], err)
		}
	}
}

func TestSlicedSides(t *testing.T) {
	b := newBench(t)
	cpu := record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamCPUs}
	req := b.order(cpu, "")
	req.Order.Sides = append(req.Order.Sides, record.Side{Cell: 5, Workload: "other", Load: cpu, Params: record.Params{}})
	got, err := b.do(req)
	if err != nil || len(got.trials) != 2 {
		t.Fatalf("%d trials, %v; want two", len(got.trials), err)
	}
	for i, trial := range got.trials {
		// A machine that is busy with other things may not meter a window as short as this, and says so.
		if trial.ID != req.Order.SlotOf(i).ID() || trial.Void != "" || (trial.CPU == nil) != (len(trial.Doubts) > 0) {
			t.Errorf("side %d: %+v", i, trial)
		}
		if v := valuesOf(trial); len(v) == 0 || v[0] != "throughput" || trial.DurationS <= 0 {
			t.Errorf("side %d: %v over %v s", i, trial.Values, trial.DurationS)
		}
	}
}

func TestWindowsReachTheClient(t *testing.T) {
	slow(t) // a window is a second
	b := newBench(t)
	req := b.order(closed(1), "")
	req.Order.DurationS = 1.1
	trial, got := b.one(req)
	counts, err := session.DecodeWindows(got.series["ops"].Data)
	if err != nil || len(counts) != 1 || counts[0] < 10 || counts[0] > trial.Generator.Done {
		t.Errorf("windows %v, %v of %d operations", counts, err, trial.Generator.Done)
	}
	if s := got.series["ops"]; s.Trial != trial.ID || s.StepNs != 1e9 || s.Unit != "op" {
		t.Errorf("series %+v", s)
	}
}

func TestVoid(t *testing.T) {
	for fault, want := range map[string]string{
		"prepare": "preparing: prepare went wrong",
		"lane":    "lane 1: lane went wrong",
		"run":     "run went wrong",
		"verify":  "verifying: verify went wrong",
		"values":  "values went wrong",
	} {
		t.Run(fault, func(t *testing.T) {
			b := newBench(t)
			trial, _ := b.one(b.order(closed(2), fault))
			if !strings.Contains(trial.Void, want) {
				t.Errorf("void %q, want %q", trial.Void, want)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*record.Order)
		want   string
	}{
		"unknown workload": {func(o *record.Order) { o.Sides[0].Workload = "none" },
			`workload "none" is not in plimsoll test`},
		"refused":  {func(o *record.Order) { o.Sides[0].Params["faults"] = "check" }, "cannot run there"},
		"not made": {func(o *record.Order) { o.Sides[0].Params["faults"] = "new" }, "cannot be made"},
		"too many CPUs": {func(o *record.Order) {
			o.Sides[0].Load = record.LoadPoint{Kind: record.Closed, Level: 5000, Unit: record.ParamCPUs}
		}, "needs 5000 CPUs"},
		"no CPU": {func(o *record.Order) {
			o.Sides[0].Load = record.LoadPoint{Kind: record.Closed, Level: -1, Unit: record.ParamCPUs}
		}, "needs -1 CPUs"},
		"no such load": {func(o *record.Order) { o.Sides[0].Load = record.LoadPoint{Kind: "half", Level: 1} },
			`unknown kind "half"`},
		"no duration": {func(o *record.Order) { o.DurationS = 0 }, "a run of 0s"},
		"open slices": {func(o *record.Order) {
			o.Sides[0].Load = record.LoadPoint{Kind: record.Open, Level: 100}
			o.Sides = append(o.Sides, o.Sides[0])
		}, "only closed loops can be sliced"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			req := b.order(closed(1), "")
			c.change(req.Order)
			got, err := b.do(req)
			var fault *Fault
			if !errors.As(err, &fault) || !fault.Usage || !strings.Contains(fault.Message, c.want) || len(got.trials) > 0 {
				t.Errorf("%v (%d trials), want a usage fault with %q", err, len(got.trials), c.want)
			}
		})
	}
}

// A machine that went down in mid-trial leaves the trial's directory.
func TestScratchOfAnEarlierLife(t *testing.T) {
	b := newBench(t)
	req := b.order(closed(1), "")
	if err := os.MkdirAll(filepath.Join(kept.ScratchDir(req.Order.ID), "side-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if trial, _ := b.one(req); trial.Void != "" {
		t.Errorf("void: %s", trial.Void)
	}
}

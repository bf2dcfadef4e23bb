package agent

import (
	"context"
	"errors"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/engine"
	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/waits"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/workload"
)

// TestLanesAreSampledWithoutPerf, by Go's own profiler: their functions, and no other goroutine's.
func TestLanesAreSampledWithoutPerf(t *testing.T) {
	simtest.Long(t)
	b := newBench(t)
	req := b.order(closed(1), "spins")
	req.Order.Profiled, req.Order.DurationS = true, 1
	trial, got := b.one(req)
	if !trial.Profiled || trial.Void != "" ||
		!strings.Contains(strings.Join(trial.Doubts, " "),
			"profile: stacks lack their kernel part, because Go's own profiler took the samples\nhint: plimsoll setup perf") {
		t.Fatalf("%+v", trial)
	}
	p, err := session.DecodeProfile(got.series[record.ProfileCPU].Data)
	if err != nil {
		t.Fatal(err)
	}
	// A few stacks end where Go could not walk on.
	ours := int64(0)
	for _, s := range p.Stacks {
		if slices.ContainsFunc(s.Frames, func(f record.Frame) bool {
			return strings.Contains(f.Function, "agent.(*fake).")
		}) {
			ours += s.N
		}
	}
	if p.Samples() == 0 || 2*ours < p.Samples() || p.Clock != record.ClockTimer || p.PeriodNs != ownPeriodNs {
		t.Errorf("%d samples of a lane in %+v", ours, p)
	}
	if len(got.events) != 1 || got.events[0].Name != eventCost || got.events[0].TimeNs <= 0 || !got.early {
		t.Errorf("%+v", got.events)
	}
	waits, err := session.DecodeProfile(got.series[record.ProfileWait].Data)
	if err != nil || waits.Clock != record.ClockWall || waits.PeriodNs <= 0 {
		t.Errorf("%+v, %v", waits, err)
	}
}

// TestUnprofiledTrialsHaveNoProfile, nor are they marked.
func TestUnprofiledTrialsHaveNoProfile(t *testing.T) {
	b := newBench(t)
	trial, got := b.one(b.order(closed(1), ""))
	if _, ok := got.series[record.ProfileCPU]; ok || trial.Profiled {
		t.Errorf("%+v", trial)
	}
}

// TestWhatCannotBeProfiled is known before anything is measured.
func TestWhatCannotBeProfiled(t *testing.T) {
	started := fakeSpec("server")
	started.Charge = workload.Started
	a := Agent{Workloads: []workload.Spec{fakeSpec("fake"), started}, Root: hostfs.System()}
	if err := a.preflightProfile(t.Context(), record.Side{Workload: "fake"}); err != nil {
		t.Errorf("lanes: %v", err)
	}
	if err := a.preflightProfile(t.Context(), record.Side{Workload: "server"}); err == nil {
		t.Error("no profiler, and no word of it")
	}
	java, elsewhere := started, started
	java.Name, java.Runs = "java", func(workload.Params) workload.Runs { return workload.Java }
	elsewhere.Name, elsewhere.Runs = "elsewhere", func(workload.Params) workload.Runs { return workload.External }
	a.Workloads = append(a.Workloads, java, elsewhere)
	a.Sampler, a.JVMSampler = cannot{errors.New("not permitted")}, cannot{}
	for name, want := range map[string]string{"server": "not permitted", "java": "",
		"elsewhere": "starts no process that does the work"} {
		err := a.preflightProfile(t.Context(), record.Side{Workload: name})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// cannot is a profiler that is here, and why it can sample nothing; nil: it could.
type cannot struct{ why error }

func (cannot) Name() string           { return "cannot" }
func (cannot) Doc() string            { return "" }
func (cannot) Params() []record.Param { return nil }
func (cannot) Find(context.Context, engine.Params) (engine.Install, error) {
	return engine.Install{}, nil
}
func (c cannot) Able(engine.Install) error { return c.why }
func (cannot) Attach(context.Context, engine.Install, engine.Sampling) (engine.Sampler, error) {
	return nil, errors.New("it cannot")
}

func sampled(pid, tid int, n int64, functions ...string) engine.Sampled {
	k := engine.Sampled{Pid: pid, Tid: tid, Stack: record.Stack{N: n, Thread: "t"}}
	for _, f := range functions {
		k.Frames = append(k.Frames, record.Frame{Function: f})
	}
	return k
}

// TestOnlyTheWorksSamplesAreTaken: those of processes seen in its account, of those started meanwhile, and of their
// descendants; not of profilers, nor of Java runtimes that another profiler sampled.
func TestOnlyTheWorksSamplesAreTaken(t *testing.T) {
	self := os.Getpid()
	parents := map[int]int{20: 10, 21: 20, 30: self, 31: 30, 40: self, 50: 51, 51: 50, 60: 1}
	s := &side{spec: workload.Spec{Charge: workload.Started}, group: &members{pids: []int{10, 12}}, root: hostfs.System()}
	p := &sideProfile{side: s, jvms: []int{12}, waits: waits.NewSampler(hostfs.System(), nil, nil)}
	for java, want := range map[bool]string{true: "10 20 21 30 31", false: "10 20 21 30 31 12"} {
		is := p.chargedTo(engine.Samples{Parents: parents, Own: []int{40}}, java)
		var got []string
		for _, pid := range []int{10, 20, 21, 30, 31, 40, 50, 60, self, 1, 12} {
			if is(sampled(pid, pid, 1)) {
				got = append(got, strconv.Itoa(pid))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("with Java's own samples %t: %v, want %s", java, got, want)
		}
	}
	lanes := &sideProfile{side: &side{tids: []int{5, 6}}}
	is := lanes.chargedTo(engine.Samples{}, false)
	if !is(sampled(self, 5, 1)) || is(sampled(self, 7, 1)) {
		t.Error("not the lanes' threads")
	}
}

// members is an account of these processes.
type members struct {
	account.Group
	pids []int
}

func (m *members) Pids() ([]int, error) { return m.pids, nil }

func TestSamplesOfTwoProfilersTogether(t *testing.T) {
	all := engine.Samples{Clock: record.ClockCPU, PeriodNs: 2e6,
		Stacks: []engine.Sampled{sampled(1, 1, 3, "a"), sampled(2, 2, 9, "x"), sampled(1, 3, 4, "a")}}
	java := engine.Samples{Clock: record.ClockTimer, PeriodNs: 1e6,
		Stacks: []engine.Sampled{sampled(7, 7, 5, "j"), sampled(7, 8, 1, "a")}}
	got := together(func(k engine.Sampled) bool { return k.Pid == 1 }, all, java)
	want := record.Profile{Clock: record.ClockCPU, PeriodNs: 1e6,
		Stacks: []record.Stack{sampled(0, 0, 15, "a").Stack, sampled(0, 0, 5, "j").Stack}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if alone := together(func(engine.Sampled) bool { return true }, engine.Samples{},
		java); alone.Clock != record.ClockTimer || alone.PeriodNs != 1e6 || alone.Samples() != 6 {
		t.Errorf("%+v", alone)
	}
}

func TestHowFinelyIsSampled(t *testing.T) {
	for _, c := range []struct {
		cpus    int
		windowS float64
		jvm     bool
		want    int64
	}{{2, 10, false, finestNs}, {2, 10, true, finestJVMNs}, {64, 10, false, 32e6}, {192, 60, true, coarsestNs}} {
		if got := period(c.cpus, c.windowS, c.jvm); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestSamplesAreHeldAgainstTheMeter: clocks must agree with it, and cycles are calibrated by it.
func TestSamplesAreHeldAgainstTheMeter(t *testing.T) {
	for _, c := range []struct {
		clock  string
		n      int64
		doubt  bool
		period int64
	}{{record.ClockCPU, 1000, false, 1e6}, {record.ClockCPU, 500, true, 1e6}, {record.ClockCPU, 1500, true, 1e6},
		{record.ClockCycles, 500, false, 2e6}, {record.ClockCPU, 50, false, 1e6}} {
		s := &side{}
		s.trial.CPU = &record.CPUUse{Work: 1}
		if c.n < 100 {
			s.trial.CPU.Work = 1e-3
		}
		p := record.Profile{Clock: c.clock, PeriodNs: 1e6, Stacks: []record.Stack{{N: c.n}}}
		(&sideProfile{side: s}).compareWithCharge(&p)
		if (len(s.trial.Doubts) > 0) != c.doubt || p.PeriodNs != c.period {
			t.Errorf("%+v: %q, one each %d ns", c, s.trial.Doubts, p.PeriodNs)
		}
	}
}

// TestALargeProfileIsCutDown: with a doubt; frequent stacks stay whole.
func TestALargeProfileIsCutDown(t *testing.T) {
	simtest.Long(t)
	p := record.Profile{Clock: record.ClockCPU, PeriodNs: 1e6}
	r := uint64(1)
	for i := range 8000 {
		s := record.Stack{N: 1}
		if i < 10 {
			s.N = 1000
		}
		for range 100 {
			r = r*6364136223846793005 + 1442695040888963407
			s.Frames = append(s.Frames, record.Frame{Function: strconv.Itoa(int(r >> 50)), Module: "m"})
		}
		p.Stacks = append(p.Stacks, s)
	}
	s := &side{}
	(&sideProfile{side: s}).keep(record.ProfileCPU, "sample", p)
	if len(s.series) != 1 || len(s.trial.Doubts) != 1 || !strings.Contains(s.trial.Doubts[0], "is too large") {
		t.Fatalf("%d series, %q", len(s.series), s.trial.Doubts)
	}
	got, err := session.DecodeProfile(s.series[0].Data)
	if err != nil || got.Samples() != p.Samples() {
		t.Fatalf("%d samples of %d, %v", got.Samples(), p.Samples(), err)
	}
	for _, k := range got.Stacks {
		if k.N == 1000 && len(k.Frames) != 100 {
			t.Errorf("a stack that was found often has %d functions", len(k.Frames))
		}
	}
}

package agent

import (
	"slices"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/client/load"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestWholeProcessIsTheGenerator: the work of a library's goroutines counts, on all of the generator's CPUs, and there
// are as many Go threads as those, one more if lanes sleep in the kernel.
func TestWholeProcessIsTheGenerator(t *testing.T) {
	machine := record.Machine{CPU: record.CPU{Allowed: []int{0, 1, 2, 3, 4, 5, 6, 7}}}
	for _, c := range []struct {
		kind      record.LoadKind
		generator []int
		lanes     int
		want      int
	}{
		{record.Closed, []int{6, 7}, 2, 2},
		{record.Closed, []int{7}, 1, 1},
		{record.Closed, nil, 3, 8},
		{record.Open, []int{7}, 1, 3},
		{record.Open, []int{6, 7}, 2, 4},
	} {
		s := &side{spec: workload.Spec{Whole: true, Charge: workload.Started,
			Workload: record.Workload{Metrics: []record.Metric{{Name: record.Throughput}}}},
			trial: record.Trial{Load: record.LoadPoint{Kind: c.kind}}, sets: topology.Sets{Generator: c.generator},
			lanes: c.lanes, tids: []int{1, 2}}
		tr := &trial{machine: machine, sides: []*side{s}}
		if got := tr.procs(); got != c.want {
			t.Errorf("%+v: %d threads of Go", c, got)
		}
		if got := s.charged(); got != nil {
			t.Errorf("%+v: of the generator's CPU time threads %v are charged, want all", c, got)
		}
		s.trial.CPU = &record.CPUUse{Generator: 3, WindowS: 2, GeneratorCPUs: 4}
		values := counted(s.spec, s.trial, load.Result{OpsPerSecond: 10, Latency: hdrhistogram.New(1, 1e9, 3)})
		i := slices.IndexFunc(values, func(v record.Value) bool { return v.Name == record.GeneratorCPUPerOp })
		if stated := i >= 0; stated != (c.kind == record.Closed) || stated && values[i].Value != 3./2/10 {
			t.Errorf("%+v: 3 s within 2 s, of 10 operations a second: %+v", c, values)
		}
		if got := use(s, load.Result{}).Useful; got != 3.0/8 {
			t.Errorf("%+v: %g of 4 CPUs were of use, want 3/8", c, got)
		}
	}
	one := workload.Spec{Charge: workload.Started,
		Workload: record.Workload{Metrics: []record.Metric{{Name: record.Throughput}}}}
	use := &record.CPUUse{Generator: 3, WindowS: 2, GeneratorCPUs: 4}
	of := record.Trial{Load: record.LoadPoint{Kind: record.Closed}, CPU: use}
	for _, v := range counted(one, of, load.Result{OpsPerSecond: 10, Latency: hdrhistogram.New(1, 1e9, 3)}) {
		if v.Name == record.GeneratorCPUPerOp {
			t.Errorf("of lanes that do all themselves it is %g", v.Value)
		}
	}
	s := &side{tids: []int{1, 2}}
	if got := s.charged(); len(got) != 2 {
		t.Errorf("of lanes that do all themselves threads %v are charged", got)
	}
}

// TestPrepareBeginsOnTheGeneratorsCPUs: threads that a library starts while the driver prepares are there too.
func TestPrepareBeginsOnTheGeneratorsCPUs(t *testing.T) {
	cpus, err := topology.Allowed()
	if err != nil || len(cpus) < 2 {
		t.Skip("one CPU")
	}
	defer topology.PinAll(cpus)
	for _, whole := range []bool{false, true} {
		s := &side{spec: workload.Spec{Whole: whole}, sets: topology.Sets{Generator: cpus[1:]},
			driver: &fake{env: workload.Env{Scratch: t.TempDir()}}}
		if err := s.prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if now, err := topology.Allowed(); err != nil || (len(now) < len(cpus)) != whole {
			t.Errorf("whole %v: CPUs %v, %v, of %v", whole, now, err, cpus)
		}
	}
}

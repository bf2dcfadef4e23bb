package agent

import (
	"testing"

	"plimsoll/internal/host"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestWholeProcessIsTheGenerator: what a library's goroutines do counts, on all of the generator's CPUs, and threads of Go are
// as many as these, one more where lanes sleep in the kernel.
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
		{record.Open, []int{7}, 1, 2},
		{record.Open, []int{6, 7}, 2, 3},
	} {
		s := &side{spec: workload.Spec{Whole: true, Charge: workload.Started}, trial: record.Trial{Load: record.LoadPoint{Kind: c.kind}}, generator: c.generator, lanes: c.lanes, tids: []int{1, 2}}
		tr := &trial{machine: machine, sides: []*side{s}}
		if got := tr.procs(); got != c.want {
			t.Errorf("%+v: %d threads of Go", c, got)
		}
		if got := s.charged(); got != nil {
			t.Errorf("%+v: of the generator's CPU time threads %v are charged, want all", c, got)
		}
		s.trial.CPU = &record.CPUUse{Generator: 3, WindowS: 2, GeneratorCPUs: 4}
		if got := use(s, load.Result{}).Useful; got != 3.0/8 {
			t.Errorf("%+v: %g of 4 CPUs were of use, want 3/8", c, got)
		}
	}
	s := &side{tids: []int{1, 2}}
	if got := s.charged(); len(got) != 2 {
		t.Errorf("of lanes that do all themselves threads %v are charged", got)
	}
}

// TestPrepareBeginsOnTheGeneratorsCPUs: threads that a library starts while the driver prepares are there too.
func TestPrepareBeginsOnTheGeneratorsCPUs(t *testing.T) {
	cpus, err := host.AllowedCPUs()
	if err != nil || len(cpus) < 2 {
		t.Skip("one CPU")
	}
	defer host.PinAll(cpus)
	for _, whole := range []bool{false, true} {
		s := &side{spec: workload.Spec{Whole: whole}, generator: cpus[1:], driver: &fake{}}
		if err := s.prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if now, err := host.AllowedCPUs(); err != nil || (len(now) < len(cpus)) != whole {
			t.Errorf("whole %v: CPUs %v, %v, of %v", whole, now, err, cpus)
		}
	}
}

package judge

import (
	"math"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record"
)

// TestAlarms: N+1 holds where each machine runs at no more than headroom · (N−1)/N of its line.
func TestAlarms(t *testing.T) {
	l := headroom.Chief(lineIn(t, rateSweep("m1", 0, knee())))
	if l.Headroom != loadline.DefaultHeadroom || len(l.Alarms) != 3 {
		t.Fatalf("%+v", l)
	}
	for i, want := range []struct {
		machines int
		share    float64
	}{{2, .425}, {4, .6375}, {10, .765}} {
		a := l.Alarms[i]
		// In this sweep CPU use is a tenth of what is carried.
		if a.Machines != want.machines || math.Abs(a.Share-want.share) > 1e-12 || a.Line != l.MaxSustained ||
			!close9(a.Value, want.share*l.MaxSustained) || !close9(*a.CPU, a.Value/10) {
			t.Errorf("%+v, want %+v", a, want)
		}
		after := a.Value * float64(a.Machines) / float64(a.Machines-1)
		if !close9(after, loadline.DefaultHeadroom*l.MaxSustained) {
			t.Errorf("after a failure in %d machines each handles %v", a.Machines, after)
		}
	}
	blind := knee()
	for i := range blind {
		blind[i].cpu = 0
	}
	for _, a := range headroom.Chief(lineIn(t, rateSweep("m1", 0, blind))).Alarms {
		if a.CPU != nil {
			t.Errorf("CPU use is not known, and yet %+v", a)
		}
	}
}

// TestDemandIsSetOnEveryLine: on the lines of all statistics, with the price of each machine.
func TestDemandIsSetOnEveryLine(t *testing.T) {
	var trials []record.Trial
	for i := range 3 {
		trials = append(trials, rateSweep("m1", i, knee())...)
		trials = append(trials, rateSweep("m2", i, knee())...)
	}
	in := finding.NewInput(trials, []record.Machine{{Name: "m1"}}, nil)
	in.Ask.Demand = &finding.Demand{Rate: 8000, Headroom: .5, Failures: 2}
	in.Read.Basis = func(m record.Machine) finding.Basis {
		return finding.Basis{PricePerHour: map[string]float64{"m1": 2, "m2": 0}[m.Name]}
	}
	seen := 0
	for _, c := range Analyze(in).Workloads {
		for _, l := range headroom.LinesIn(c) {
			seen++
			if l.Fleet == nil || l.Fleet.Machines == nil || l.Headroom != .5 || l.Alarms[0].Share != .25 ||
				(l.Fleet.PerHour != nil) != (c.Machine == "m1") {
				t.Errorf("%s %s: %+v", c.Machine, l.Statistic, l)
			}
		}
	}
	if seen != 4 {
		t.Errorf("%d lines, want p50 and p99 of two machines", seen)
	}
}

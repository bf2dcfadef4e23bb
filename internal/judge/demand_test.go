package judge

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/headroom"
	"plimsoll/internal/loadline"
	"plimsoll/internal/record"
)

// METHOD section 5's example: 5 M packets a second on machines that carry 736,860 at least.
func TestNeed(t *testing.T) {
	lo, hi := 736860.0, 750000.0
	golden := loadline.Line{Unit: "packet/s", Crossed: true, MaxSustained: 742000, Lo: &lo, Hi: &hi, N: 3}
	asked := Demand{Rate: 5e6, Headroom: .85, Failures: 1}
	n := needOf(golden, asked, finding.Basis{PricePerHour: .29, PriceSource: "somewhere"})
	if !n.Why.IsZero() || *n.Machines != 9 || *n.Line != lo || math.Abs(*n.Share-.75395) > 1e-5 || math.Abs(*n.ShareAfter-.84819) > 1e-5 || math.Abs(*n.Alarm-.85*8/9) > 1e-12 {
		t.Errorf("%+v", n)
	}
	if math.Abs(*n.PerHour-2.61) > 1e-12 || math.Abs(*n.PerMonth-1905.3) > 1e-9 || n.PriceSource != "somewhere" {
		t.Errorf("costs %v and %v", *n.PerHour, *n.PerMonth)
	}
	if n := needOf(golden, asked, finding.Basis{}); n.PerHour != nil || n.PerMonth != nil || *n.Machines != 9 {
		t.Errorf("no price is known, and yet %+v", n)
	}
	for want, l := range map[string]loadline.Line{
		"has no interval":             {Unit: "op/s", Crossed: true, MaxSustained: 742000},
		"known to be at least":        {Unit: "op/s", MaxSustained: 742000},
		"a demand is a rate":          {Unit: "B/s", Crossed: true, MaxSustained: 742000, Lo: &lo, Hi: &hi},
		"the load line is in op":      {Unit: "op", Crossed: true, Lo: &lo, Hi: &hi},
		"are not of one unit":         {Unit: "op/s", Crossed: true, Lo: new(1e-9), Hi: &hi},
		"rates must be over 0":        {Unit: "op/s", Crossed: true, Lo: new(0.), Hi: &hi},
		"the load line is in packets": {Unit: "packets", Crossed: true, Lo: &lo, Hi: &hi},
	} {
		if n := needOf(l, asked, finding.Basis{PricePerHour: 1}); n.Machines != nil || n.Share != nil || n.PerHour != nil || !strings.Contains(n.Why.Text(), want) {
			t.Errorf("want no fleet, since %q: %+v", want, n)
		}
	}
}

func TestDemandRefused(t *testing.T) {
	for _, d := range []Demand{
		{0, .85, 1}, {-1, .85, 1}, {math.NaN(), .85, 1}, {math.Inf(1), .85, 1}, {1, 0, 1}, {1, 1.01, 1}, {1, math.NaN(), 1}, {1, .85, -1},
	} {
		if d.Check() == nil {
			t.Errorf("%+v is taken", d)
		}
	}
	if err := (Demand{1, 1, 0}).Check(); err != nil {
		t.Error(err)
	}
}

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
		if a.Machines != want.machines || math.Abs(a.Share-want.share) > 1e-12 || a.Line != l.MaxSustained || !close9(a.Value, want.share*l.MaxSustained) || !close9(*a.CPU, a.Value/10) {
			t.Errorf("%+v, want %+v", a, want)
		}
		after := a.Value * float64(a.Machines) / float64(a.Machines-1)
		if !close9(after, loadline.DefaultHeadroom*l.MaxSustained) {
			t.Errorf("after a failure in %d machines each carries %v", a.Machines, after)
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

// TestDemandIsSetOnEveryLine: on the lines by statistic and on the chief one, with the price of each machine.
func TestDemandIsSetOnEveryLine(t *testing.T) {
	var trials []record.Trial
	for i := range 3 {
		trials = append(trials, rateSweep("m1", i, knee())...)
		trials = append(trials, rateSweep("m2", i, knee())...)
	}
	s := Show(trials, []record.Machine{{Name: "m1"}}, nil)
	if !HasLines(s) {
		t.Fatal("no line")
	}
	price := func(m record.Machine) finding.Basis {
		return finding.Basis{PricePerHour: map[string]float64{"m1": 2, "m2": 0}[m.Name]}
	}
	SetDemand(s, Demand{Rate: 8000, Headroom: .5, Failures: 2}, price)
	seen := 0
	for _, c := range s.Workloads {
		for _, l := range headroom.LinesIn(c) {
			seen++
			if l.Fleet == nil || l.Fleet.Machines == nil || l.Headroom != .5 || l.Alarms[0].Share != .25 || (l.Fleet.PerHour != nil) != (c.Machine == "m1") {
				t.Errorf("%s %s: %+v", c.Machine, l.Statistic, l)
			}
		}
		if headroom.Chief(c) != nil && (headroom.Chief(c).Fleet == nil || headroom.Chief(c).Headroom != .5) {
			t.Errorf("the chief line: %+v", headroom.Chief(c))
		}
	}
	if seen != 4 {
		t.Errorf("%d lines, want p50 and p99 of two machines", seen)
	}
	found := map[string][]string{}
	walk(t, found, "show", s)
	holdsKeys(t, found, "show.workloads.loadline", "headroom alarms fleet")
	holdsKeys(t, found, "show.workloads.loadline.alarms", "machines share value line cpu")
	holdsKeys(t, found, "show.workloads.loadline.fleet", "demand unit headroom failures line machines share share_after alarm alarm_cpu usd_per_hour usd_per_month")
}

package headroom

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

func need(machines int) *loadline.Need {
	return &loadline.Need{
		Demand: 5e6, Unit: "op/s", Headroom: .85, Failures: 1, Line: new(736860.), Machines: &machines,
		Share: new(.754), ShareAfter: new(.848), Alarm: new(.7556), AlarmCPU: new(81.25), PerHour: new(2.61),
		PerMonth: new(1905.3), PriceSource: "--price",
	}
}

func TestNeedText(t *testing.T) {
	n := need(9)
	const each = "; each handles 75.4% of its limit (737k op/s, the lower end of the interval)"
	if got := needText(*n, n.Unit); got != "9 machines (8 + 1 spare) for 5.000M op/s, "+
		"$1,905/month"+each+", 84.8% when one is down; alert above 75.6% (81.2% CPU)" {
		t.Errorf("%q", got)
	}
	n.PerMonth, n.AlarmCPU, n.Failures = nil, nil, 2
	if got := needText(*n, n.Unit); got != "9 machines (7 + 2 spare) for 5.000M op/s, "+
		"price unknown"+each+", 84.8% when 2 are down; alert above 75.6%" {
		t.Errorf("%q", got)
	}
	n.Failures = 0
	if got := needText(*n, n.Unit); got != "9 machines for 5.000M op/s, price unknown"+each {
		t.Errorf("%q", got)
	}
	if got := needText(loadline.Need{Demand: 10, Unit: "op/s", Why: note.FromRecord("the load line has no interval")},
		"op/s"); got != "for 10.00 op/s not known: the load line has no interval" {
		t.Errorf("%q", got)
	}
}

func TestConfirmationText(t *testing.T) {
	within := loadline.Confirmation{Latency: new(.0039), OfLimit: new(.975), Most: 1.1, Handled: true, Confirmed: true}
	over := loadline.Confirmation{Latency: new(.006), OfLimit: new(1.5), Most: 1.1, Handled: true}
	for want, all := range map[string][]loadline.Confirmation{
		"": nil,
		"1 of 1 fresh run at the load found confirm it: p99 3.90 ms, 98% of the limit":                {within},
		"1 of 2 fresh runs at the load found confirm it: p99 4.95 ms, 124% (98 to 150%) of the limit": {within, over},
		"0 of 2 fresh runs at the load found confirm it; 1 did not handle the load; 1 failed": {
			{}, {Failed: "the agent died"}},
	} {
		if got := confirmationText(loadline.Line{Statistic: "p99", Confirmations: all}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAlarmText(t *testing.T) {
	alarms := []loadline.Alarm{{Machines: 2, Share: .425, CPU: new(40.)}, {Machines: 10, Share: .765}}
	for want, l := range map[string]loadline.Line{
		"85% of the lower end of the line's interval, run each at most at 42.5% of it (fleet of 2) at 40.0% " +
			"CPU, 76.5% (10)": {Crossed: true, Bounds: figure.Between(1., 2.)},
		"of the end of the sweep, ":                      {},
		"of the line's estimate, which has no interval,": {Crossed: true},
	} {
		l.Headroom, l.Alarms = .85, alarms
		if got := alarmText(l); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := alarmText(loadline.Line{}); got != "" {
		t.Errorf("no alarm was set: %q", got)
	}
}

// TestFleetNotes: the first objective is in the recommendation, further ones are details.
func TestFleetNotes(t *testing.T) {
	at := func(statistic string) Fleets {
		return Fleets{Workload: "http", Params: map[string]string{"tls": "on"}, Load: "load line", Statistic: statistic,
			A: need(9)}
	}
	p := finding.Pair{Found: KindFleet.Each([]Fleets{at("p99"), at("p50")})}
	got := fleetNotes(p, "x", "y")
	if len(got) != 2 || !strings.HasPrefix(got[0].Text,
		"x, http, tls=on, load line, by p50: 9 machines (8 + 1 spare) for 5.000M requests/s") ||
		got[1].Text != "y, http, tls=on, load line, by p50: has no such load line" {
		t.Errorf("%+v", got)
	}
	if got := fleetNotes(finding.Pair{}, "x", "y"); len(got) != 0 {
		t.Errorf("nobody asked: %+v", got)
	}
}

func TestLoadLineWords(t *testing.T) {
	l := loadline.Line{Statistic: "p99", Unit: "op/s", MaxSustained: 1000, Crossed: true, Limit: .01, Objective: .01, N: 2}
	if got, want := loadLineText(l), "about 1.00k op/s (n=2, no interval) at p99 ≤ 10.0 ms"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	none := loadLineNotes(finding.NewView([]finding.Cell{
		{Workload: "http", Load: "9/s", Found: KindLoadLine.Impossible(note.FromRecord("no base"))}}))
	if len(none) != 1 || none[0].Text != "not found: no base" {
		t.Errorf("%+v", none)
	}
}

// TestBracketWords: the loads of a bracket have the prefix that the limit has.
func TestBracketWords(t *testing.T) {
	above := loadline.Bound{Load: 31900}
	l := loadline.Line{Unit: "op/s", Between: &loadline.Between{Within: loadline.Bound{Load: 6660}, Above: &above}}
	const want = "6.66k was within it, 31.9k was not handled"
	if got := betweenText(l, figure.ScaleFor("op/s", 32800)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLowerBoundWords: a lower bound is called the highest load within the limit only if it is.
func TestLowerBoundWords(t *testing.T) {
	l := loadline.Line{Statistic: "p99", Unit: "op/s", MaxSustained: 1000, Limit: .01, Objective: .01, N: 1,
		Between: &loadline.Between{Within: loadline.Bound{Load: 1000}}}
	for higher, want := range map[int]string{
		0: "at least 1.00k op/s, the highest load within the limit,",
		1: "at least 1.00k op/s, although 1 higher probe was within the limit,",
		3: "at least 1.00k op/s, although 3 higher probes were within the limit,",
	} {
		l.Between.Higher = higher
		if got, _ := limitAnswer(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	l.Between, l.N = nil, 3
	if got, _ := limitAnswer(l); got != "at least 1.00k op/s, the mean of the lower bounds of 3 searches," {
		t.Errorf("%q", got)
	}
}

package run

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

func number(v float64) *float64 { return &v }

// host is one of a cluster: its trial, with a busy disk and interface, and the timeline of the disk.
func hostOf(name string, busy float64, moved int64, l record.Ledger) member {
	return member{
		trial: record.Trial{
			Keys: map[string]string{record.KeyMachine: name}, DurationS: 10, Ledger: &l, CPU: &record.CPUUse{Work: 1, Machine: 2,
				CPUs: 2, WindowS: 10},
			Disk:    &record.DiskUse{Device: "disk-" + name, BusyPct: busy},
			Network: &record.NetworkUse{Interface: "eth0", SentBytes: moved, Mbit: 1000, Exceeded: map[string]int64{"pps": 1}},
		},
		disk: []record.Series{{Name: record.DiskSeries("disk-"+name, record.DiskBusyMs)}},
	}
}

// TestEnergyOfAClusterIsTheSumOfItsHosts: only if each has a meter of one scope.
func TestEnergyOfAClusterIsTheSumOfItsHosts(t *testing.T) {
	of := func(scope string, joules float64) *record.EnergyUse {
		return &record.EnergyUse{CostS: .5, Parts: []record.EnergyOf{{Name: "board", Scope: scope, Joules: joules,
			Seconds: 10, IdleWatts: 5, IdleS: 1}}}
	}
	for _, c := range []struct {
		name         string
		first, other *record.EnergyUse
		known        bool // the sum
		kept         int  // parts
	}{
		{"both", of(record.ScopeBoard, 300), of(record.ScopeBoard, 200), true, 2},
		{"other scopes", of(record.ScopeBoard, 300), of("psys", 200), false, 2},
		{"the first only", of(record.ScopeBoard, 300), nil, false, 0},
		{"the other only", nil, of(record.ScopeBoard, 300), false, 0},
	} {
		first, b := hostOf("a", 0, 0, record.Ledger{}), hostOf("b", 0, 0, record.Ledger{})
		first.trial.Energy, b.trial.Energy = c.first, c.other
		cluster := &concert{order: record.Order{Cluster: []string{"ssh b"}}, target: first.trial, others: []member{b}}
		cluster.withMembers()
		got := cluster.target.Energy
		total, ok := got.Total()
		if ok != c.known || ok && (total.Watts != 50 || total.IdleWatts != 10 || total.Scope != record.ScopeBoard) {
			t.Errorf("%s: %+v, %t", c.name, total, ok)
		}
		if c.kept == 0 && got != nil || c.kept > 0 && (len(got.Parts) != c.kept || got.CostS != 1 ||
			got.Parts[0].Host != "a" || got.Parts[1].Host != "b") {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.first != nil && c.first.Parts[0].Host != "" {
			t.Errorf("%s: the host's own trial was changed", c.name)
		}
	}
}

// TestUseOfAClusterIsOfItsBusiestHost: its disk with its timeline, and its network; what disturbed any of them stands
// in the ledger, and by whose name it was.
func TestUseOfAClusterIsOfItsBusiestHost(t *testing.T) {
	first := hostOf("r5", 20, 100, record.Ledger{StealPct: number(.5), ForeignCPU: number(1), SwapPages: number(0),
		CostS: .25, GapMaxS: number(.01), GapsS: number(0)})
	b := hostOf("b", 90, 50, record.Ledger{StealPct: number(7), ForeignCPU: number(2), SwapPages: number(4), CostS: .25,
		GapMaxS: number(.02), GapsS: number(0)})
	d := hostOf("d", 10, 900, record.Ledger{StealPct: number(.1), ForeignCPU: number(1), ThrottledS: number(0),
		CostS: .25})
	c := &concert{order: record.Order{Cluster: []string{"ssh b", "ssh d"}}, target: first.trial,
		series: append(first.disk, record.Series{Name: "broker.1.cpu"}), others: []member{b, d}}
	c.withMembers()
	got := c.target
	if got.Disk.Host != "b" || got.Disk.Device != "disk-b" || got.Network.Host != "d" || got.Network.SentBytes != 900 ||
		got.Network.Exceeded["pps"] != 3 {
		t.Errorf("%+v %+v", got.Disk, got.Network)
	}
	if names := list.Map(c.series, func(s record.Series) string { return s.Name }); !slices.Equal(names,
		[]string{"broker.1.cpu", "diskuse.disk-b.busy_ms"}) {
		t.Errorf("%q", names)
	}
	want := record.Ledger{StealPct: number(7), ForeignCPU: number(4), SwapPages: number(4), ThrottledS: number(0),
		CostS: .75, GapMaxS: number(.02), GapsS: number(0)}
	if !reflect.DeepEqual(*got.Ledger, want) {
		t.Errorf("%+v", *got.Ledger)
	}
	if first.trial.Disk.Host != "" || first.trial.Network.Exceeded["pps"] != 1 || *first.trial.Ledger.StealPct != .5 {
		t.Error("a host's own trial was changed")
	}
	named := list.Filter(got.Doubts, func(d string) bool { return strings.HasPrefix(d, `the target's host "ssh b": `) })
	if len(got.Doubts) != 2 || len(named) != 2 {
		t.Errorf("%q", got.Doubts)
	}
}

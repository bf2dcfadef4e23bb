package plan

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
)

// clusters asks for a cluster of three hosts beside a host alone, of a workload that starts clusters.
func clusters(change func(*Request)) (record.Plan, error) {
	decl := record.Workload{Name: "log", Serves: true, Clusters: true, Loads: []record.LoadKind{record.Closed},
		Params: []record.Param{
			{Name: record.ParamNodes, Kind: record.Int, Default: "1"},
			{Name: record.ParamClients, Kind: record.Int, Default: "4"},
		}}
	targets := map[string]Target{}
	for _, host := range []string{"a", "b", "c", "d"} {
		targets[host] = Target{CPUs: 2, Machine: host}
	}
	req := Request{
		Replicates: 1, Session: "s", Hosts: []string{"a", "b", "c", "d"}, Names: map[string]string{"a": "r5"},
		Generators: []string{"g"},
		Measure:    []Ask{{Workload: "log"}}, Clusters: map[string][]string{"a": {"b", "c"}},
		Alone: map[string]map[string]string{"a": {"log.nodes": "3"}},
	}
	change(&req)
	return Resolve(req, []record.Workload{decl}, targets)
}

// TestAClusterIsOneSide: its hosts have one cell together, whose order goes to all of them; without one of them it is
// lost.
func TestAClusterIsOneSide(t *testing.T) {
	p, err := clusters(func(*Request) {})
	if err != nil || len(p.Cells) != 2 {
		t.Fatalf("%+v, %v", p.Cells, err)
	}
	c, alone := p.Cells[0], p.Cells[1]
	if c.Host != "a" || !slices.Equal(c.Cluster, []string{"b", "c"}) || c.Params[record.ParamNodes] != "3" ||
		alone.Host != "d" || alone.Cluster != nil || alone.Params[record.ParamNodes] != "1" {
		t.Errorf("%+v", p.Cells)
	}
	o, ok := Next(p, nil)
	for ok && o.Host != "a" {
		d := record.Trial{Slot: o.SlotOf(0)}
		o, ok = Next(p, []record.Trial{d})
	}
	if !ok || !slices.Equal(o.Cluster, []string{"b", "c"}) {
		t.Errorf("%+v", o)
	}
	course := Follow(p)
	course.Lose("c")
	if o, ok := course.Next(); !ok || o.Host != "d" {
		t.Errorf("without a host of the cluster: %+v", o)
	}
}

func TestClustersThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		change func(*Request)
		want   string
	}{
		{func(r *Request) { r.Alone["a"]["log.nodes"] = "4" },
			"r5 has 3 hosts, and log.nodes=4 needs one for each\nhint: name as many in --cluster r5="},
		{func(r *Request) { r.Alone["a"]["log.nodes"] = "2" },
			"r5 has 3 hosts, and log.nodes=2 leaves some without a server"},
		{func(r *Request) { r.Generators = nil },
			"r5 is a cluster of several hosts, which are loaded from another one\nhint: --generator"},
	} {
		if _, err := clusters(c.change); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestAClusterIsForecastOnEachHost: all of its hosts need the space and the time, which passes for them side by side.
func TestAClusterIsForecastOnEachHost(t *testing.T) {
	p, err := clusters(func(r *Request) { r.Hosts = r.Hosts[:3] })
	if err != nil || len(p.Cells) != 1 {
		t.Fatalf("%+v, %v", p.Cells, err)
	}
	wait := forecast.Step{Name: forecast.Start, Work: forecast.Work{CPU: 12}}
	f := ForecastOf(p, []forecast.Cost{{Disk: 7, Steps: []forecast.Step{wait}}}, map[string]forecast.Speed{
		"a": {Thread: 1, All: 1, Disks: []forecast.Disk{{}}}, "b": {Thread: 0.5, All: 0.5, Disks: []forecast.Disk{{}}},
		"c": {Thread: 1, All: 1, Disks: []forecast.Disk{{}}},
	})
	for i, want := range []float64{12, 24, 12} {
		h := f.Hosts[i].Most
		if got := h.Seconds(); got < want || got > want+1 || len(h.Disks) != 1 || h.Disks[0].Peak != 7 {
			t.Errorf("host %d: %g s, %+v", i, got, h.Disks)
		}
	}
	if o := f.Most.Overhead; o < 24 || o > 24+1+forecast.SessionS {
		t.Errorf("%g s besides the load, of which the slowest host takes 24", o)
	}
}

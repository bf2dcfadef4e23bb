package plan

import (
	"errors"
	"math"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// declared are two workloads unlike enough to reach every rule.
func declared() []record.Workload {
	return []record.Workload{
		{
			Name: "kernel", Slices: true, Loads: []record.LoadKind{record.Closed},
			Metrics: []record.Metric{{Name: record.Throughput, Unit: "B/s", Better: record.Higher}},
			Params: []record.Param{
				{Name: "size", Kind: record.Size, Default: "16KiB", Min: 1024, Max: 1e8, Doc: "bytes an operation"},
				{Name: "bits", Kind: record.Enum, Default: "256", Choices: []string{"128", "256"}},
				{Name: record.ParamCPUs, Kind: record.CPUs, Default: "1", Min: 1, Max: 4096, Phase: record.Load},
			},
		},
		{
			Name: "command", Free: true, Loads: []record.LoadKind{record.Once, record.Closed, record.Open},
			Metrics: []record.Metric{{Name: "time", Unit: "s", Better: record.Lower}},
			Params: []record.Param{
				{Name: "line", Kind: record.Text},
				{Name: record.ParamClients, Kind: record.Int, Default: "0", Max: 1000},
				{Name: record.ParamRate, Kind: record.Float, Default: "0", Max: 1e6},
				{Name: record.ParamArrivals, Kind: record.Enum, Default: "poisson", Choices: []string{"poisson", "uniform"}},
			},
		},
	}
}

func resolve(t *testing.T, req Request) record.Plan {
	t.Helper()
	if req.Session == "" {
		req.Session = "test"
	}
	p, err := Resolve(req, declared(), map[string]Target{"": {CPUs: 8}, "ssh b": {CPUs: 4}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func kernel(set map[string]string, sweep ...Axis) []Ask {
	return []Ask{{Workload: "kernel", Set: set, Sweep: sweep}}
}

func TestResolveFillsInAndCanonicalises(t *testing.T) {
	p := resolve(t, Request{Measure: kernel(map[string]string{"size": "16384", "cpus": "all"})})
	if len(p.Cells) != 1 {
		t.Fatalf("cells: %+v", p.Cells)
	}
	c := p.Cells[0]
	if c.Params["size"] != "16KiB" || c.Params["bits"] != "256" {
		t.Errorf("params %v", c.Params)
	}
	if want := (record.LoadPoint{Kind: record.Closed, Level: 8, Unit: "cpus", All: true}); c.Load != want {
		t.Errorf("load %+v, want %+v", c.Load, want)
	}
	if p.Replicates != DefaultReplicates || p.DurationS != DefaultDurationS || p.Claim != ClaimMachine {
		t.Errorf("defaults: %+v", p)
	}
}

func TestResolveMakesGroupsOfSides(t *testing.T) {
	p := resolve(t, Request{
		Measure: append(kernel(nil, Axis{"cpus", []string{"1", "all"}}),
			Ask{Workload: "command", Set: map[string]string{"line": "true"}}),
		Factors: []Factor{Vary("kernel.bits", []string{"128", "256"})},
	})
	var got []string
	for _, c := range p.Cells {
		got = append(got, c.Workload+" "+c.Params["bits"]+" "+c.Load.Key()+" "+string(rune('0'+c.Group)))
		if c.Sliced != (c.Workload == "kernel") {
			t.Errorf("sliced is %v: %+v", c.Sliced, c)
		}
	}
	want := []string{"kernel 128 1 cpus 0", "kernel 256 1 cpus 0", "kernel 128 all cpus 1", "kernel 256 all cpus 1",
		"command  once 2"}
	if strings.Join(got, ",") != strings.Join(want, ",") {
		t.Errorf("cells\n got %q\nwant %q", got, want)
	}
}

func TestSidesThatCannotShareAChildAreNotSliced(t *testing.T) {
	for name, req := range map[string]Request{
		"loads differ": {Measure: kernel(nil), Factors: []Factor{Vary("kernel.cpus", []string{"1", "2"})}},
		"hosts differ": {Measure: kernel(nil), Hosts: []string{"", "ssh b"}},
		"too many": {Measure: kernel(nil),
			Factors: []Factor{Vary("kernel.size", []string{"1KiB", "2KiB", "4KiB", "8KiB", "16KiB"})}},
		"no slices": {Measure: []Ask{{Workload: "command"}}, Factors: []Factor{Vary("command.line", []string{"a", "b"})}},
	} {
		for _, c := range resolve(t, req).Cells {
			if c.Sliced {
				t.Errorf("%s: sliced %+v", name, c)
			}
		}
	}
}

func TestNamedFactorSetsSeveralParameters(t *testing.T) {
	p := resolve(t, Request{Measure: []Ask{{Workload: "command"}}, Factors: []Factor{{Name: "tool", Levels: []Level{
		{"ours", map[string]string{"command.line": "x {k}", "command.k": "1"}},
		{"peer", map[string]string{"command.line": "y"}},
	}}}})
	if p.Cells[0].Levels["tool"] != "ours" || p.Cells[0].Params["k"] != "1" || p.Cells[1].Params["line"] != "y" {
		t.Errorf("%+v", p.Cells)
	}
}

func TestLoads(t *testing.T) {
	for text, want := range map[string]record.LoadPoint{
		"":           {Kind: record.Once, Level: 1},
		"clients=3":  {Kind: record.Closed, Level: 3, Unit: "clients"},
		"rate=250.5": {Kind: record.Open, Level: 250.5, Unit: "rate", Arrivals: "poisson"},
	} {
		set := map[string]string{}
		if k, v, ok := strings.Cut(text, "="); ok {
			set[k] = v
		}
		if got := resolve(t, Request{Measure: []Ask{{Workload: "command", Set: set}}}).Cells[0].Load; got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		req  Request
		want string
	}{
		"nothing":           {Request{}, "nothing to measure"},
		"unknown workload":  {Request{Measure: []Ask{{Workload: "kernal"}}}, "did you mean kernel?"},
		"unknown parameter": {Request{Measure: kernel(map[string]string{"sise": "1KiB"})}, "did you mean kernel.size?"},
		"not free": {Request{Measure: []Ask{{Workload: "command", Set: map[string]string{"k": "1"}}}},
			`unknown parameter "command.k"`},
		"bad size":  {Request{Measure: kernel(map[string]string{"size": "4Mb"})}, "is not a number with"},
		"too small": {Request{Measure: kernel(map[string]string{"size": "1B"})}, "outside 1KiB to 100MB"},
		"bad enum":  {Request{Measure: kernel(map[string]string{"bits": "192"})}, "not one of 128, 256"},
		"more CPUs": {Request{Measure: kernel(map[string]string{"cpus": "9"})}, "only 8 CPUs are usable here"},
		"both loads": {Request{Measure: []Ask{
			{Workload: "command", Set: map[string]string{"rate": "1", "clients": "1"}}}}, "either an open or a closed loop"},
		"idle factor": {Request{Measure: kernel(nil), Factors: []Factor{Vary("command.line", []string{"a", "b"})}},
			"command is not measured"},
		"unknown factor": {Request{Measure: kernel(nil), Factors: []Factor{Vary("kernel.bit", []string{"a", "b"})}},
			"did you mean kernel.bits?"},
		"one level": {Request{Measure: kernel(nil), Factors: []Factor{Vary("kernel.bits", []string{"128"})}}, "two levels"},
		"level twice": {Request{Measure: kernel(nil), Factors: []Factor{Vary("kernel.bits", []string{"128", "128"})}},
			"twice"},
		"same sweep": {Request{Measure: kernel(nil, Axis{"size", []string{"16KiB", "16384"}})}, "requested twice"},
		"same levels": {Request{Measure: kernel(nil), Factors: []Factor{Vary("kernel.size", []string{"1KiB", "1024"})}},
			"requested twice"},
		"no number": {Request{Measure: kernel(nil), Margin: math.NaN()}, "margin"},
		"negative":  {Request{Measure: kernel(nil), Replicates: -1}, "replicates"},
		"endless":   {Request{Measure: kernel(nil), DurationS: 1e9}, "a week"},
		"claim":     {Request{Measure: kernel(nil), Claim: "both"}, "claim"},
		"margin":    {Request{Measure: kernel(nil), Margin: 2}, "margin"},
	} {
		_, err := Resolve(c.req, declared(), map[string]Target{"": {CPUs: 8}})
		var bad *usage.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want a usage error with %q", name, err, c.want)
		}
	}
}

// TestCheckParams: a parameter that another version had is none of a plan to continue, unless it was left at its
// default.
func TestCheckParams(t *testing.T) {
	p := resolve(t, Request{Measure: kernel(nil)})
	if err := CheckParams(p, declared()); err != nil {
		t.Error(err)
	}
	p.Cells[0].Params["fault"] = "kill"
	if err := CheckParams(p, declared()); err == nil ||
		!strings.Contains(err.Error(), `unknown parameter "kernel.fault"`) {
		t.Error(err)
	}
	p.Cells[0].Minor = append(p.Cells[0].Minor, "fault")
	if err := CheckParams(p, declared()); err != nil {
		t.Error(err)
	}
	p.Cells[0].Workload = "kernal"
	if err := CheckParams(p, declared()); err == nil || !strings.Contains(err.Error(), "did you mean kernel?") {
		t.Error(err)
	}
}

// TestCheckNeedsNoTarget: a range of CPUs depends on the target, and other values do not.
func TestCheckNeedsNoTarget(t *testing.T) {
	for value, fine := range map[string]bool{"1..all": true, "1..4/2": true, "2": true, "many": false} {
		req := Request{Measure: kernel(nil, Axis{Param: record.ParamCPUs, Values: []string{value}})}
		if err := Check(req, declared()); (err == nil) != fine {
			t.Errorf("%s: %v", value, err)
		}
	}
}

func TestHashCoversThePlan(t *testing.T) {
	a := resolve(t, Request{Measure: kernel(nil)})
	b := resolve(t, Request{Measure: kernel(nil)})
	if Hash(a) != Hash(b) {
		t.Error("the same plan has two hashes")
	}
	for name, req := range map[string]Request{
		"session": {Measure: kernel(nil), Session: "other"},
		"seed":    {Measure: kernel(nil), Seed: 1},
		"margin":  {Measure: kernel(nil), Margin: 0.01},
		"cell":    {Measure: kernel(map[string]string{"bits": "128"})},
	} {
		if Hash(resolve(t, req)) == Hash(a) {
			t.Errorf("the hash does not cover the %s", name)
		}
	}
}

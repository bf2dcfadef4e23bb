package main

import (
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestLookKey: a host is asked anew about another number of clients where they matter to it, and about no other rate.
func TestLookKey(t *testing.T) {
	plain := workload.Spec{Workload: record.Workload{Name: "w",
		Params: []record.Param{{Name: record.ParamRate, Kind: record.Float}}}}
	counting := plain
	counting.PreflightClients = true
	first := record.Params{record.ParamClients: "16", record.ParamRate: "0", record.ParamArrivals: record.Uniform,
		"size": "1"}
	for _, c := range []struct {
		spec  workload.Spec
		name  string
		value string
		anew  bool
	}{
		{plain, record.ParamClients, "500", false}, {counting, record.ParamClients, "500", true},
		{plain, record.ParamRate, "10", false}, {counting, record.ParamRate, "10", true},
		{plain, record.ParamArrivals, record.Poisson, false}, {counting, record.ParamArrivals, record.Poisson, false},
		{plain, "size", "2", true}, {counting, "size", "2", true},
	} {
		other := record.Params{}
		for name, v := range first {
			other[name] = v
		}
		other[c.name] = c.value
		if anew := preflightKey(c.spec, "h", other) != preflightKey(c.spec, "h", first); anew != c.anew {
			t.Errorf("%s=%s: asked anew: %v, want %v", c.name, c.value, anew, c.anew)
		}
	}
	ten, twenty := record.Params{record.ParamRate: "10"}, record.Params{record.ParamRate: "20"}
	if preflightKey(counting, "h", ten) != preflightKey(counting, "h", twenty) ||
		preflightKey(counting, "h", ten) == preflightKey(counting, "i", ten) {
		t.Error("another rate is asked about, or another host is not")
	}
}

package agent

import (
	"testing"

	"plimsoll/internal/record"
)

// TestSharedParameters: generators together have what was asked for, and none has nothing.
func TestSharedParameters(t *testing.T) {
	decl := record.Workload{Params: []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Shared: true}, {Name: "connections", Kind: record.Int, Shared: true}, {Name: "body", Kind: record.Size},
	}}
	p := record.Params{record.ParamClients: "7", "connections": "2", "body": "9B"}
	o := record.Order{Sources: []string{"a", "b", "c"}}
	if got := shared(o, decl, p); got[record.ParamClients] != "7" {
		t.Errorf("one host has %v of the load", got)
	}
	clients := 0.0
	for o.Part = 1; o.Part <= 3; o.Part++ {
		got := shared(o, decl, p)
		clients += decl.Params[0].Number(got[record.ParamClients])
		if got["connections"] != "1" || got["body"] != "9B" {
			t.Errorf("part %d: %v", o.Part, got)
		}
	}
	if clients != 7 || p[record.ParamClients] != "7" {
		t.Errorf("7 clients are shared as %g, and are %s", clients, p[record.ParamClients])
	}
}

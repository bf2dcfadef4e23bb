package agent

import (
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestGeneratorHasAllOfItsHost: only beside a server on the same host is it given CPUs of its own.
func TestGeneratorHasAllOfItsHost(t *testing.T) {
	spec := fakeSpec("fake")
	spec.Split = func(workload.Params) bool { return true }
	spec.Lanes = func(_ workload.Params, _ record.LoadPoint, cpus int) int { return cpus }
	for target, want := range map[string]int{"": 2, "http://10.0.0.1:80": 8} {
		tr := &trial{agent: Agent{Workloads: []workload.Spec{spec}}, scratch: t.TempDir(), target: target,
			machine: record.Machine{CPU: record.CPU{Allowed: []int{0, 1, 2, 3, 4, 5, 6, 7}}},
			order:   record.Order{Sides: []record.Side{{Workload: "fake", Load: closed(16), Params: record.Params{}}}}}
		s, err := tr.newSide(0)
		if err != nil {
			t.Fatal(err)
		}
		if s.lanes != want || len(s.sets.Generator) != want%8 {
			t.Errorf("target %q: %d lanes on CPUs %v, want %d", target, s.lanes, s.sets.Generator, want)
		}
	}
}

// TestSharedParameters: the generators' parts add up to the request, and each is at least 1.
func TestSharedParameters(t *testing.T) {
	decl := record.Workload{Params: []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Shared: true}, {Name: "connections", Kind: record.Int, Shared: true},
		{Name: "body", Kind: record.Size}, {Name: "kept", Kind: record.Size, Shared: true},
	}}
	p := record.Params{record.ParamClients: "7", "connections": "2", "body": "9B", "kept": "4GiB"}
	o := record.Order{Sources: []string{"a", "b", "c"}}
	if got := shared(o, decl, p); got[record.ParamClients] != "7" {
		t.Errorf("one host has %v of the load", got)
	}
	clients, kept := 0.0, 0.0
	for o.Part = 1; o.Part <= 3; o.Part++ {
		got := shared(o, decl, p)
		clients += decl.Params[0].Number(got[record.ParamClients])
		kept += decl.Params[3].Number(got["kept"])
		if got["connections"] != "1" || got["body"] != "9B" {
			t.Errorf("part %d: %v", o.Part, got)
		}
	}
	if kept != 4<<30 {
		t.Errorf("4GiB are shared as %g bytes", kept)
	}
	if clients != 7 || p[record.ParamClients] != "7" {
		t.Errorf("7 clients are shared as %g, and are %s", clients, p[record.ParamClients])
	}
}

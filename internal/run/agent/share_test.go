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

// TestSidesOfABatch: a side of a batch has its own parameters, however many runs of another come before its first.
func TestSidesOfABatch(t *testing.T) {
	tr := &trial{agent: Agent{Workloads: []workload.Spec{fakeSpec("fake")}}, scratch: t.TempDir(),
		machine: record.Machine{CPU: record.CPU{Allowed: []int{0, 1}}},
		order: record.Order{Slot: record.Slot{Plan: "p", Replicate: 4}, Sides: []record.Side{
			{Cell: 0, Workload: "fake", Load: closed(1), Params: record.Params{"note": "a"}},
			{Cell: 1, Workload: "fake", Load: closed(1), Params: record.Params{"note": "b"}}},
			Turns: []record.Turn{{Side: 0, Replicate: 4}, {Side: 0, Replicate: 5}, {Side: 1, Replicate: 5}}}}
	for i, want := range []string{"a", "b"} {
		s, err := tr.newSide(i)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.trial.Keys["fake.note"]; got != want || s.trial.Cell != i {
			t.Errorf("side %d has the parameters %q of cell %d", i, got, s.trial.Cell)
		}
	}
	if s, _ := tr.newSide(0); s.trial.ID != tr.order.SlotOf(0).ID() {
		t.Errorf("the first side's run is %s, and the batch's %s", s.trial.ID, tr.order.SlotOf(0).ID())
	}
}

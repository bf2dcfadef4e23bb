package run

import (
	"slices"
	"testing"

	"plimsoll/internal/record"
)

// TestWhatIsLeft: of a lost machine another one of its type will do, of one that was not lost none.
func TestWhatIsLeft(t *testing.T) {
	load := record.LoadPoint{Kind: record.Once, Level: 1}
	cell := func(host, command string) record.Cell {
		return record.Cell{Workload: "exec", Host: host, Load: load, Params: record.Params{"command": command}}
	}
	p := record.Plan{Hosts: []string{"a", "b", "c"},
		Cells: []record.Cell{cell("a", "x"), cell("b", "x"), cell("c", "x"), cell("a", "y"), cell("b", "y")}}
	p.Cells[2].Cluster = []string{"d"}
	machines := map[string]record.Machine{}
	for host, of := range map[string]string{"a": "m7g", "b": "m7g", "c": "m7i"} {
		machines[host] = record.Machine{Name: host, Cloud: record.Cloud{Type: of}}
	}
	gone := func(hosts ...string) (out []record.Event) {
		for _, h := range hosts {
			out = append(out, record.Event{Name: record.HostLost, Detail: "no route",
				OfHost: record.OfHost{Host: h, Machine: "m-" + h}})
		}
		return out
	}
	run := func(cells ...int) (out []record.Trial) {
		for _, c := range cells {
			out = append(out, record.Trial{Slot: record.Slot{Cell: c}})
		}
		return out
	}
	failed := record.Trial{Slot: record.Slot{Cell: 1}, Void: "it rained"}
	for name, c := range map[string]struct {
		trials []record.Trial
		lost   []record.Event
		want   []string
	}{
		"all":                 {run(0, 1, 2, 3, 4), nil, nil},
		"a like one is left":  {run(0, 2, 3), gone("b"), nil},
		"lost after its runs": {run(0, 1, 2, 3, 4), gone("b"), nil},
		"none of its type left": {run(0, 1, 3, 4), gone("c"),
			[]string{"no valid run of exec at once on m-c: it was lost: no route"}},
		"not the same work": {run(0, 1, 2), gone("a", "b"),
			[]string{"no valid run of exec at once on m-a: it was lost: no route",
				"no valid run of exec at once on m-b: it was lost: no route"}},
		"of a cluster": {run(0, 1, 3, 4), gone("d"),
			[]string{"no valid run of exec at once on m-d: it was lost: no route"}},
		"failed, and not lost": {append(run(0, 2, 3, 4), failed), nil, []string{"no valid run of exec at once: it rained"}},
	} {
		if got := Empty(p, machines, c.trials, c.lost); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestLostIn(t *testing.T) {
	of := func(name, plan, host string) record.Event {
		return record.Event{Name: name, OfHost: record.OfHost{Plan: plan, Host: host}}
	}
	events := []record.Event{of(record.HostAway, "p", "a"), of(record.HostLost, "p", "b"), of(record.HostLost, "p", "b"),
		of(record.HostLost, "q", "c")}
	if got := LostIn(events, "p"); len(got) != 1 || got[0].Host != "b" {
		t.Errorf("%+v", got)
	}
}

// TestRecordedAs: a session that an earlier version began, whose identities were made otherwise, goes on while its
// machines are up.
func TestRecordedAs(t *testing.T) {
	machine := func(name, id, boot string) record.Machine {
		return record.Machine{Name: name, ID: id, State: record.State{Boot: boot}}
	}
	recorded := []record.Machine{machine("vm", "old", "b1"), machine("vm-2", "old", "b1"), machine("web", "w", "b2")}
	for _, c := range []struct {
		m    record.Machine
		want int
	}{
		{machine("web", "w", "b9"), 2},
		{machine("renamed", "w", "b9"), 2},
		{machine("vm-2", "new", "b1"), 1},
		{machine("vm#1", "new", "b1"), 0},
		{machine("vm", "new", "b9"), -1},
		{machine("vm", "new", ""), -1},
	} {
		if got := RecordedAs(c.m, recorded); got != c.want {
			t.Errorf("%s, %s, boot %s is %d, want %d", c.m.Name, c.m.ID, c.m.State.Boot, got, c.want)
		}
	}
}

package main

import (
	"maps"
	"slices"
	"testing"

	"plimsoll/internal/record"
)

func TestNameMachines(t *testing.T) {
	for name, c := range map[string]struct {
		hosts, generators []string // each its machine's own name and what tells it from others of that
		given             map[string]string
		want              []string
	}{
		"alone":             {[]string{"vm"}, nil, nil, []string{"vm"}},
		"of one type":       {[]string{"m6g.large a", "m6g.large b"}, nil, nil, []string{"m6g.large#1", "m6g.large#2"}},
		"given":             {[]string{"m6g.large a", "m6g.large b"}, nil, map[string]string{"m6g.large a": "db"}, []string{"db", "m6g.large"}},
		"given another's":   {[]string{"vm a", "web b"}, nil, map[string]string{"vm a": "web"}, []string{"web", "web#1"}},
		"and its generator": {[]string{"m6g.large a"}, []string{"m6g.large b", "m6g.large c"}, nil, []string{"m6g.large", "m6g.large#2", "m6g.large#3"}},
	} {
		e := &experiment{machines: map[string]record.Machine{}}
		for _, h := range slices.Concat(c.hosts, c.generators) {
			own, _ := nameAndRest(h)
			e.machines[h] = record.Machine{Name: own}
		}
		e.nameMachines(c.hosts, c.generators, c.given)
		var got []string
		for _, h := range slices.Concat(c.hosts, c.generators) {
			m := e.machines[h]
			got = append(got, m.Name)
			if own, _ := nameAndRest(h); m.Name != own && m.Host != own {
				t.Errorf("%s: %s has lost its own name: %+v", name, h, m)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func nameAndRest(host string) (name, rest string) {
	for i, r := range host {
		if r == ' ' {
			return host[:i], host[i+1:]
		}
	}
	return host, ""
}

func TestHostsOf(t *testing.T) {
	for on, want := range map[string]map[string]string{
		"ssh m6gd":             nil,
		"db=ssh 10.0.0.7":      {"ssh 10.0.0.7": "db"},
		"web-1.a=ssh x":        {"ssh x": "web-1.a"},
		"env A=b ssh x":        nil,
		"SSH_AUTH_SOCK=/x ssh": nil,
		"=ssh x":               nil,
		"sh -c 'A=b exec x'":   nil,
	} {
		commands, names, err := hostsOf([]string{on})
		if err != nil || !maps.Equal(names, want) || want == nil && commands[0] != on {
			t.Errorf("--on %q: %q, %v, %v", on, commands, names, err)
		}
	}
}

// TestRecordedAs: a session that an earlier version began, whose identities were made otherwise, goes on while its machines are up.
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
		if got := recordedAs(c.m, recorded); got != c.want {
			t.Errorf("%s, %s, boot %s is %d, want %d", c.m.Name, c.m.ID, c.m.State.Boot, got, c.want)
		}
	}
}

package main

import (
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
		"alone":       {[]string{"vm"}, nil, nil, []string{"vm"}},
		"of one type": {[]string{"m6g.large a", "m6g.large b"}, nil, nil, []string{"m6g.large#1", "m6g.large#2"}},
		"given": {[]string{"m6g.large a", "m6g.large b"}, nil, map[string]string{"m6g.large a": "db"},
			[]string{"db", "m6g.large"}},
		"given another's": {[]string{"vm a", "web b"}, nil, map[string]string{"vm a": "web"}, []string{"web", "web#1"}},
		"and its generator": {[]string{"m6g.large a"}, []string{"m6g.large b", "m6g.large c"}, nil,
			[]string{"m6g.large", "m6g.large#2", "m6g.large#3"}},
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

package main

import (
	"context"
	"fmt"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/run"
	"plimsoll/internal/run/agent"
)

// reach starts an agent on every host, all at once, and gets its machine. Hosts that were lost before may still be, but
// not all; those that are back are lost no more.
func (e *experiment) reach(ctx context.Context, hosts, generators []string, names map[string]string) error {
	e.machines, e.agents = map[string]record.Machine{}, map[string]run.Doer{}
	all := slices.Concat(hosts, generators)
	met := run.Attach(ctx, all, e.via)
	still, gone := []record.Event{}, error(nil)
	for _, h := range all {
		m, err := met[h].Machine, met[h].Err
		if at := slices.IndexFunc(e.lost, func(l record.Event) bool { return l.Host == h }); at >= 0 &&
			is[agent.Unreachable](err) {
			m, still, gone, err = record.Machine{Name: e.lost[at].Machine, ID: e.lost[at].MachineID}, append(still, e.lost[at]),
				err, nil
		}
		if err != nil {
			return err
		}
		e.machines[h], e.agents[h] = m, e.via.On(h)
	}
	if e.lost = still; len(still) == len(hosts) {
		return gone
	}
	e.nameMachines(hosts, generators, names)
	return nil
}

// nameMachines gives every machine a unique name: the given one; else its own, numbered if several targets share it. A
// generator does not change the name of a target.
func (e *experiment) nameMachines(hosts, generators []string, given map[string]string) {
	taken, times := map[string]bool{}, map[string]int{}
	for _, h := range hosts {
		if name := given[h]; name != "" {
			taken[name] = true
		} else {
			times[e.machines[h].Name]++
		}
	}
	for _, h := range hosts {
		name := e.machines[h].Name
		switch {
		case given[h] != "":
			e.call(h, given[h])
		case times[name] > 1 || taken[name]:
			e.call(h, numbered(name, 1, taken))
		}
	}
	for _, h := range hosts {
		taken[e.machines[h].Name] = true
	}
	for _, h := range generators {
		if taken[e.machines[h].Name] {
			e.call(h, numbered(e.machines[h].Name, 2, taken))
		}
		taken[e.machines[h].Name] = true
	}
}

// typeMachines gives machines the instance types that the user's list of hosts states, and notes what their firmware
// says otherwise.
func (a *app) typeMachines(e *experiment, types map[string]string) {
	for host, name := range types {
		m := e.machines[host]
		if had := m.Cloud.Type; had != "" && had != name {
			fmt.Fprintf(a.stderr, "plimsoll: %s is of type %s by the list of hosts, and of type %s by its firmware: the "+
				"list counts\n", m.Name, name, had)
		}
		m.Cloud.Type = name
		e.machines[host] = m
	}
}

// numbered returns a name with the first free number.
func numbered(name string, from int, taken map[string]bool) string {
	for n := from; ; n++ {
		if to := fmt.Sprintf("%s#%d", name, n); !taken[to] {
			taken[to] = true
			return to
		}
	}
}

// call names a host's machine, which keeps the host's own name.
func (e *experiment) call(host, name string) {
	m := e.machines[host]
	if m.Host == "" && m.Cloud.Type == "" {
		m.Host = m.Name
	}
	m.Name = name
	e.machines[host] = m
}

// sameMachines refuses to go on with a session on another machine, and keeps
// the names and identities that the session gave.
func (e *experiment) sameMachines(recorded []record.Machine) error {
	left := slices.Clone(recorded)
	for _, host := range slices.Concat(e.plan.Hosts, e.plan.Generators) {
		m := e.machines[host]
		at := run.RecordedAs(m, left)
		if at < 0 {
			return usagef("%s was measured on another machine than %s\nhint: plimsoll run -o FILE starts a session here; "+
				"files can be concatenated", e.path, m.Name)
		}
		m.Name, m.ID, m.Cloud, m.Hosts = left[at].Name, left[at].ID, left[at].Cloud, left[at].Hosts
		left = slices.Delete(left, at, at+1)
		e.machines[host] = m
	}
	return nil
}

package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/agent"
	"plimsoll/internal/record"
	"plimsoll/internal/run"
)

// hostsOf parses --on [NAME=]COMMAND: the commands that reach targets, and the names given to some.
func hostsOf(on []string) (commands []string, names map[string]string, err error) {
	for _, text := range on {
		name, command := nameAndCommand(text)
		if strings.TrimSpace(command) == "" {
			return nil, nil, usagef("--on %q: there is no command that reaches the host\nhint: --on %s'ssh HOST'", text, text)
		}
		commands = append(commands, command)
		if name == "" {
			continue
		}
		if names == nil {
			names = map[string]string{}
		}
		for other, used := range names {
			if used == name || other == command {
				return nil, nil, usagef("--on %q: the name %s or its command is given twice\nhint: each target has a command and a name of its own", text, name)
			}
		}
		names[command] = name
	}
	return commands, names, nil
}

// nameAndCommand splits NAME=COMMAND. An assignment for the shell in front of a command (SSH_AUTH_SOCK=…) has a name with an
// underscore, which no name of ours has.
func nameAndCommand(text string) (name, command string) {
	if m := regexp.MustCompile(`(?s)^([A-Za-z0-9][A-Za-z0-9.-]*)=(.*)$`).FindStringSubmatch(text); m != nil {
		return m[1], m[2]
	}
	return "", text
}

// reach starts an agent on every host and gets its machine. Hosts that were lost before may still be, but not all; those
// that are back are lost no more.
func (e *experiment) reach(ctx context.Context, hosts, generators []string, names map[string]string, self string) error {
	e.machines, e.agents = map[string]record.Machine{}, map[string]run.Doer{}
	still, gone := []record.Event{}, error(nil)
	for _, h := range slices.Concat(hosts, generators) {
		c := agent.Client{On: h, Self: self, Secrets: e.secrets}
		m, err := c.Describe(ctx)
		if at := slices.IndexFunc(e.lost, func(l record.Event) bool { return l.Host == h }); at >= 0 && is[agent.Unreachable](err) {
			m, still, gone, err = record.Machine{Name: e.lost[at].Machine, ID: e.lost[at].MachineID}, append(still, e.lost[at]), err, nil
		}
		if err != nil {
			return err
		}
		e.machines[h], e.agents[h] = m, c
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
			return usagef("%s was measured on another machine than %s\nhint: plimsoll run -o FILE starts a session here; files can be concatenated", e.path, m.Name)
		}
		m.Name, m.ID = left[at].Name, left[at].ID
		left = slices.Delete(left, at, at+1)
		e.machines[host] = m
	}
	return nil
}

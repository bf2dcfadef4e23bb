package session

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// identity distinguishes machines: two hosts may have the same name.
type identity struct{ name, id string }

// uniqueNames numbers machines that share a name but not the ID, NAME#1 and NAME#2 in the order read, in the machines
// and in their trials. All of them get a number, so that the name alone refers to none of them.
func (l *Log) uniqueNames() {
	names := newNames(l.identities())
	for i := range l.Machines {
		m := &l.Machines[i]
		if to, ok := names[identity{m.Name, m.ID}]; ok {
			m.Name = to
		}
	}
	for _, t := range l.Trials {
		if to, ok := names[trialIdentity(t)]; ok {
			t.Keys[record.KeyMachine] = to
		}
	}
	for i := range l.Events {
		e := &l.Events[i]
		if to, ok := names[identity{e.Machine, e.MachineID}]; ok {
			e.Machine = to
		}
	}
	hosts := map[string]string{}
	for _, m := range l.Machines {
		hosts[m.Name] = m.Host
	}
	if n := len(names); n > maxProblems {
		clear(names)
		l.Problems = append(l.Problems, Problem{File: l.files[0],
			Reason: fmt.Sprintf("%d machines share their names with others: each has a number here", n)})
	}
	for from, to := range names {
		l.Problems = append(l.Problems, l.renamed(from, to, hosts[to]))
	}
	slices.SortStableFunc(l.Problems, l.byPlace)
}

func trialIdentity(t record.Trial) identity {
	return identity{t.Keys[record.KeyMachine], t.Keys[record.KeyMachineID]}
}

// identities includes those of trials: a machine's own line may be lost.
func (l *Log) identities() map[string][]string {
	ids, seen := map[string][]string{}, map[identity]bool{}
	add := func(who identity) {
		if who.name != "" && !seen[who] {
			seen[who] = true
			ids[who.name] = append(ids[who.name], who.id)
		}
	}
	for _, m := range l.Machines {
		add(identity{m.Name, m.ID})
	}
	for _, t := range l.Trials {
		add(trialIdentity(t))
	}
	return ids
}

// newNames maps each identity whose name is ambiguous to a new name, which no other machine has.
func newNames(ids map[string][]string) map[identity]string {
	names, taken := map[identity]string{}, map[string]bool{}
	for name, same := range ids {
		taken[name] = len(same) == 1
	}
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		if len(ids[name]) == 1 {
			continue
		}
		base, n := unnumbered(name), 0
		for _, id := range ids[name] {
			to := ""
			for to == "" || taken[to] {
				n++
				to = fmt.Sprintf("%s#%d", base, n)
			}
			names[identity{name, id}], taken[to] = to, true
		}
	}
	return names
}

// unnumbered returns a name without the number that it may have been given before.
func unnumbered(name string) string {
	base, number, ok := strings.Cut(name, "#")
	if n, err := strconv.Atoi(number); ok && err == nil && n > 0 && base != "" {
		return base
	}
	return name
}

// renamed says how a machine is called here, with its host, "" if unknown, or if it was the machine's name.
func (l *Log) renamed(from identity, to, host string) Problem {
	which := fmt.Sprintf("the one with id %q", from.id)
	if host != "" {
		which += fmt.Sprintf(" (host %s)", host)
	}
	return Problem{File: l.files[0], Reason: fmt.Sprintf("more than one machine is named %s: %s is called %s here",
		from.name, which, to)}
}

func (l *Log) byPlace(a, b Problem) int {
	if d := slices.Index(l.files, a.File) - slices.Index(l.files, b.File); d != 0 {
		return d
	}
	if a.Offset != b.Offset {
		return int(min(max(a.Offset-b.Offset, -1), 1))
	}
	return strings.Compare(a.Reason, b.Reason)
}

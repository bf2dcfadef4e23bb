package session

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"plimsoll/internal/record"
)

// identity is what tells machines apart: two hosts may bear one name.
type identity struct{ name, id string }

// uniqueNames renames machines that share a name with another ID to NAME~ID,
// as short as tells them apart, in the machines and in their trials. It renames all of
// them, so that a name means the same whatever the order of the files.
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
	for from, to := range names {
		l.Problems = append(l.Problems, l.renamed(from, to))
	}
	slices.SortStableFunc(l.Problems, l.byPlace)
}

func trialIdentity(t record.Trial) identity {
	return identity{t.Keys[record.KeyMachine], t.Keys[record.KeyMachineID]}
}

// identities counts trials too: a machine's own line may be lost.
func (l *Log) identities() map[string][]string {
	ids := map[string][]string{}
	add := func(who identity) {
		if who.name != "" && !slices.Contains(ids[who.name], who.id) {
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

// newNames maps each identity whose name is not its own to a new name.
func newNames(ids map[string][]string) map[identity]string {
	names := map[identity]string{}
	for name, same := range ids {
		if len(same) < 2 {
			continue
		}
		for _, id := range same {
			names[identity{name, id}] = name + "~" + abbreviate(id, same)
		}
	}
	return names
}

// abbreviate is the shortest beginning, of four bytes at least, that no other ID has.
func abbreviate(id string, all []string) string {
	if id == "" {
		return "unknown"
	}
	for n := 4; n < len(id); n++ {
		same := func(other string) bool { return other != id && strings.HasPrefix(other, id[:n]) }
		if utf8.RuneStart(id[n]) && !slices.ContainsFunc(all, same) {
			return id[:n]
		}
	}
	return id
}

func (l *Log) renamed(from identity, to string) Problem {
	why := "more than one machine is named %s: the one with id %q is called %s here"
	return Problem{File: l.files[0], Reason: fmt.Sprintf(why, from.name, from.id, to)}
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

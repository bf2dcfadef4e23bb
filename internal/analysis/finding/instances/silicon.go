package instances

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// trait is one part of a machine's silicon, and how it is on a machine.
type trait struct {
	name string
	of   func(record.Machine) string
}

// traits are what two machines of one instance type may differ in though they are sold as the same.
func traits() []trait {
	return []trait{
		{"CPU", func(m record.Machine) string { return m.CPU.Model }},
		{"core", func(m record.Machine) string { return m.CPU.Core }},
		{"stepping", func(m record.Machine) string { return m.CPU.Stepping }},
		{"microcode", func(m record.Machine) string { return m.CPU.Microcode }},
		{"disks", func(m record.Machine) string { return strings.Join(diskModels(m), " and ") }},
	}
}

func diskModels(m record.Machine) []string {
	var out []string
	for _, d := range m.Disks {
		if d.Model != "" {
			out = append(out, d.Model)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// differing returns the traits in which machines differ. One that is unknown of a machine says nothing.
func differing(machines []record.Machine) []trait {
	return slices.DeleteFunc(traits(), func(t trait) bool {
		known := map[string]bool{}
		for _, m := range machines {
			if v := t.of(m); v != "" {
				known[v] = true
			}
		}
		return len(known) < 2
	})
}

// UnlikeSilicon returns a note if machines of one type differ in what they are made of: the type is then two, and which
// one a machine is may decide more than the type does.
func UnlikeSilicon(of string, machines []record.Machine) []note.Note {
	var said []string
	for _, t := range differing(machines) {
		byValue := map[string][]string{}
		for _, m := range machines {
			if v := t.of(m); v != "" {
				byValue[v] = append(byValue[v], m.Name)
			}
		}
		var sides []string
		for _, v := range slices.Sorted(maps.Keys(byValue)) {
			sides = append(sides, fmt.Sprintf("%s (%s)", v, trialset.FirstFew(byValue[v])))
		}
		said = append(said, t.name+" "+strings.Join(sides, " against "))
	}
	if len(said) == 0 {
		return nil
	}
	return []note.Note{note.New("unlike-silicon", of, strings.Join(said, "; "))}
}

// Split returns a name for the type of each machine, by its name: with what tells its silicon from that of the others
// of the type, if anything does.
func Split(of string, machines []record.Machine) map[string]string {
	out := map[string]string{}
	unlike := differing(machines)
	for _, m := range machines {
		out[m.Name] = of
		var parts []string
		for _, t := range unlike {
			if v := t.of(m); v != "" {
				parts = append(parts, t.name+" "+v)
			}
		}
		if len(parts) > 0 {
			out[m.Name] += " (" + strings.Join(parts, ", ") + ")"
		}
	}
	return out
}

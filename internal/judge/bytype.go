package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// Untyped is a comparison of instance types where none is known: wrong usage.
type Untyped struct{ Machines []string }

func (e Untyped) Error() string {
	return fmt.Sprintf("no instance type is known: machines %s are not named after one, and their firmware states none\n"+
		"hint: name a machine after its type: run --on m6gd.8xlarge='ssh HOST', import --machine m6gd.8xlarge", trialset.FirstFew(e.Machines))
}

// hasFactor says whether trials bear a level of a factor.
func hasFactor(name string, trials []record.Trial) bool {
	return slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Keys[record.FactorPrefix+name] != "" })
}

// typed gives each trial the instance type of its machine among its keys. Trials of machines of
// no known type are left out; untyped are the names of these machines.
func (x comparer) typed(trials []record.Trial) (out []record.Trial, untyped []string) {
	types := map[string]string{}
	for _, t := range trials {
		name := t.Keys[record.KeyMachine]
		of, seen := types[name]
		if !seen {
			of = x.in.BasisOf(name).Type
			if types[name] = of; of == "" {
				untyped = append(untyped, name)
			}
		}
		if of == "" {
			continue
		}
		t.Keys = maps.Clone(t.Keys)
		t.Keys[trialset.ByType] = of
		out = append(out, t)
	}
	return out, untyped
}

// leftUntyped warns of the machines that belong to no side.
func leftUntyped(untyped []string) []note.Note {
	if len(untyped) == 0 {
		return nil
	}
	return []note.Note{note.New("untyped", strings.Join(untyped, ", "))}
}

// machineFor is a machine of a side: itself, or the first of a type.
func (x comparer) machineFor(side string, trials []record.Trial) string {
	if x.axis.By != trialset.ByType {
		return side
	}
	at := slices.IndexFunc(trials, func(t record.Trial) bool { return t.Keys[trialset.ByType] == side })
	return trials[at].Keys[record.KeyMachine]
}

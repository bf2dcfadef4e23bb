package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/host/fact"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// Difference is a key whose values also differ between the two sides.
type Difference struct {
	Key string   `json:"key"`
	A   []string `json:"a"`
	B   []string `json:"b"`
}

// residue returns the keys, besides the varied ones, whose values also differ between the compared cells: any of them
// may cause a difference.
func residue(p *finding.Pairing) []finding.Finding {
	found := map[string]*Difference{}
	for _, m := range p.Both {
		a, b := factsOf(p, trialset.Valid(m.A)), factsOf(p, trialset.Valid(m.B))
		keys := maps.Clone(a)
		maps.Copy(keys, b)
		for key := range keys {
			if slices.Equal(a[key], b[key]) {
				continue
			}
			d := found[key]
			if d == nil {
				d = &Difference{Key: key, A: []string{}, B: []string{}}
				found[key] = d
			}
			d.A, d.B = merge(d.A, a[key]), merge(d.B, b[key])
		}
	}
	var out []Difference
	for _, key := range slices.Sorted(maps.Keys(found)) {
		out = append(out, *found[key])
	}
	return KindResidue.Each(out)
}

// factsOf returns the values of each key of trials and of their machines, in order.
func factsOf(p *finding.Pairing, trials []record.Trial) map[string][]string {
	type fact struct{ key, value string }
	seen := map[fact]bool{}
	machines := map[string]map[string]string{}
	for _, t := range trials {
		name := t.Keys[record.KeyMachine]
		if machines[name] == nil {
			machines[name] = machineFacts(p.Fleet.Of(t))
		}
		for key, value := range machines[name] {
			if t.Keys[key] == "" && value != "" && !seen[fact{key, value}] {
				seen[fact{key, value}] = !varied(p, t, key)
			}
		}
		for key, value := range t.Keys {
			if value != "" && !seen[fact{key, value}] {
				seen[fact{key, value}] = !varied(p, t, key)
			}
		}
	}
	out := map[string][]string{}
	for f, said := range seen {
		if said {
			out[f.key] = append(out[f.key], f.value)
		}
	}
	for _, values := range out {
		slices.Sort(values)
	}
	return out
}

// varied reports whether a key is the axis, or follows from it.
func varied(p *finding.Pairing, t record.Trial, key string) bool {
	switch key {
	case p.Pair.By, record.FactorPrefix + p.Pair.By, record.KeyMachineID, record.KeyFile:
		return true
	case record.KeyMachine, record.KeyBoot, record.KeyBlock: // unique to each machine
		return trialset.AcrossMachines(p.Pair.By)
	}
	// A label may stand for any difference between its sessions, and none is known.
	return !axis.OfSessions(p.Pair.By) && p.Varied[trialset.Dimension{Workload: trialset.WorkloadOf(t), Key: key}]
}

// machineFacts returns the properties of a machine that can change a figure and are not in a trial's keys.
func machineFacts(m record.Machine) map[string]string {
	if sweep.HasCoresOfType(m) { // stated with the cores of each
		m.CPU.Cores, m.CPU.Threads = 0, 0
	}
	return fact.Compared(m)
}

// merge adds new values to an ascending list.
func merge(values, more []string) []string {
	values = append(values, more...)
	slices.Sort(values)
	return slices.Compact(values)
}

// residueSays lists all keys that also differ in a line, and then their values.
func residueSays(v *finding.PairView) []block.Block {
	residue := KindResidue.All(v.Pair)
	if len(residue) == 0 {
		return nil
	}
	keys := make([]string, len(residue))
	for i, d := range residue {
		keys[i] = d.Key
	}
	out := []block.Sentence{{Lead: "also differs", Tone: block.Warn, Text: strings.Join(keys, ", ")}}
	for _, d := range residue {
		out = append(out, block.Sentence{Lead: "differs", Tone: block.Dim, Detail: true,
			Text: d.Key + " " + listText(d.A) + " / " + listText(d.B)})
	}
	return finding.Sentences(out...)
}

func listText(values []string) string {
	const few = 4
	switch {
	case len(values) == 0:
		return "not given"
	case len(values) > few:
		return fmt.Sprintf("%s and %d more", strings.Join(values[:few], ", "), len(values)-few)
	}
	return strings.Join(values, ", ")
}

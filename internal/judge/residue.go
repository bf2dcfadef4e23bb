package judge

import (
	"maps"
	"slices"

	"plimsoll/internal/finding/axis"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/host/fact"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// residue lists what else differs between the two sides of the cells compared,
// besides what was varied: a difference may be due to any of it.
func (j judgement) residue(both []trialset.Matched) []Difference {
	found := map[string]*Difference{}
	for _, m := range both {
		a, b := j.facts(trialset.Valid(m.A)), j.facts(trialset.Valid(m.B))
		for key := range union(a, b) {
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
	return out
}

// facts are the values of each key of the trials and of their machines, in order.
func (j judgement) facts(trials []record.Trial) map[string][]string {
	type fact struct{ key, value string }
	seen := map[fact]bool{}
	machines := map[string]map[string]string{}
	for _, t := range trials {
		name := t.Keys[record.KeyMachine]
		if machines[name] == nil {
			machines[name] = machineFacts(j.fleet.Of(t))
		}
		for key, value := range machines[name] {
			if t.Keys[key] == "" && value != "" && !seen[fact{key, value}] {
				seen[fact{key, value}] = !j.known(t, key)
			}
		}
		for key, value := range t.Keys {
			if value != "" && !seen[fact{key, value}] {
				seen[fact{key, value}] = !j.known(t, key)
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

// known says whether a key is what the sides were chosen by, or follows from it.
func (j judgement) known(t record.Trial, key string) bool {
	switch key {
	case j.axis.By, record.FactorPrefix + j.axis.By, record.KeyMachineID, record.KeyFile:
		return true
	case record.KeyMachine, record.KeyBoot: // no two machines share either
		return trialset.AcrossMachines(j.axis.By)
	}
	// What a label stands for is whatever differs between the sessions that bear it, and nobody has said what that is.
	return !axis.OfSessions(j.axis.By) && j.axis.Varied[trialset.Dimension{Workload: trialset.WorkloadOf(t), Key: key}]
}

// machineFacts are what of a machine can change a figure and is not in a trial's keys.
func machineFacts(m record.Machine) map[string]string {
	if sweep.HasCoresOfType(m) { // said with what each has
		m.CPU.Cores, m.CPU.Threads = 0, 0
	}
	return fact.Compared(m)
}

// union holds the keys of both; where both have one, the first's value.
func union[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(b)
	if out == nil {
		out = map[string]V{}
	}
	maps.Copy(out, a)
	return out
}

// merge adds what is new to an ascending list of values.
func merge(values, more []string) []string {
	values = append(values, more...)
	slices.Sort(values)
	return slices.Compact(values)
}

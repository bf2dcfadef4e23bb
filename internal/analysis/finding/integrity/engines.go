package integrity

import (
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// engineKey is a key of an engine in the runs of a workload.
type engineKey struct{ workload, key string }

// engineValues are the values of an engine's key, by plan and machine.
type engineValues map[[2]string]map[string]bool

// unlikeEngines returns a note for each engine whose version, and each server whose settings, are not those of all
// machines and sessions that a workload was measured on: the difference is in every comparison between them. What one
// machine ran in several ways is no such difference if the others did as well, as by a factor.
func unlikeEngines(trials []record.Trial) []note.Note {
	settings := map[string]string{} // by their digest
	var out []note.Note
	for at, values := range enginesOf(trials, settings) {
		machines := values.apart()
		if machines == nil {
			continue
		}
		sorted := slices.Sorted(maps.Keys(machines))
		what, said := strings.TrimPrefix(at.key, record.EnginePrefix), sorted
		if at.key == record.KeySettingsDigest {
			what, said = "the server", settingsApart(sorted, settings)
		}
		parts := make([]string, len(sorted))
		for i, v := range sorted {
			parts[i] = said[i] + " on " + strings.Join(slices.Compact(slices.Sorted(slices.Values(machines[v]))), ", ")
		}
		out = append(out, note.New("unlike-engines", at.workload, what, strings.Join(parts, "; ")))
	}
	slices.SortFunc(out, func(a, b note.Note) int { return strings.Compare(a.Text(), b.Text()) })
	return out
}

// enginesOf gathers the values of engines' keys in valid runs, and the settings of servers by their digests.
func enginesOf(trials []record.Trial, settings map[string]string) map[engineKey]engineValues {
	out := map[engineKey]engineValues{}
	for i := range trials {
		t := &trials[i]
		if !t.Measures() {
			continue
		}
		settings[t.Keys[record.KeySettingsDigest]] = t.Keys[record.KeySettings]
		for key, value := range t.Keys {
			if record.EngineVersion(key) || key == record.KeySettingsDigest {
				at := engineKey{t.Keys[record.KeyWorkload], key}
				if out[at] == nil {
					out[at] = engineValues{}
				}
				out[at].add([2]string{t.Plan, t.Keys[record.KeyMachine]}, value)
			}
		}
	}
	return out
}

func (e engineValues) add(place [2]string, value string) {
	if e[place] == nil {
		e[place] = map[string]bool{}
	}
	e[place][value] = true
}

// apart returns the machines that ran each value; nil if all ran the same ones.
func (e engineValues) apart() map[string][]string {
	machines := map[string][]string{}
	var first map[string]bool
	alike := true
	for place, values := range e {
		if first == nil {
			first = values
		}
		alike = alike && maps.Equal(first, values)
		for v := range values {
			machines[v] = append(machines[v], place[1])
		}
	}
	if alike {
		return nil
	}
	return machines
}

// settingsApart returns the settings of each digest that others lack; the digest if what is recorded of them is the
// same.
func settingsApart(digests []string, texts map[string]string) []string {
	in := map[string]int{}
	for _, d := range digests {
		for _, s := range strings.Fields(texts[d]) {
			in[s]++
		}
	}
	return list.Map(digests, func(d string) string {
		own := list.Filter(strings.Fields(texts[d]), func(s string) bool {
			return in[s] < len(digests) && strings.Contains(s, "=")
		})
		if len(own) == 0 {
			return "settings " + d
		}
		return strings.Join(own, " ")
	})
}

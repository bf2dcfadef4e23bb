package axis

import (
	"maps"
	"slices"
	"strconv"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// Sides returns a function for the trials of two levels, in their order. Many pairs of levels are sought among the same
// trials, and each pair is to look at no more than its own.
func (ax Axis) Sides(trials []record.Trial) func(a, b string) []record.Trial {
	at := map[string][]int{}
	for i := range trials {
		level := Level(trials[i].Keys, ax.By)
		at[level] = append(at[level], i)
	}
	return func(a, b string) []record.Trial {
		of := at[a]
		if b != a {
			of = slices.Concat(at[a], at[b])
			slices.Sort(of)
		}
		if len(of) == len(trials) { // a copy of all would take as much memory again
			return slices.Clip(trials)
		}
		out := make([]record.Trial, len(of))
		for i, n := range of {
			out[i] = trials[n]
		}
		return out
	}
}

// Match finds the cells that two levels of the axis have in common, and those that only one of them has.
func (ax Axis) Match(trials []record.Trial, a, b string) (both []trialset.Matched, onlyA, onlyB []trialset.Key) {
	order, in, params := ax.cells(trials)
	allA, allB := ax.wholes(order, in, a), ax.wholes(order, in, b)
	met := map[trialset.Key]bool{} // with whole machines' CPUs, compared with as many of the other side
	for _, p := range order {
		ofA, ofB, whole := in[p][a], in[p][b], trialset.Key{}
		switch {
		case len(ofA) > 0 && len(ofB) == 0:
			whole = allB[p]
			ofB = counted(in[whole][b])
		case len(ofB) > 0 && len(ofA) == 0:
			whole = allA[p]
			ofA = counted(in[whole][a])
		}
		if len(ofA) > 0 && len(ofB) > 0 {
			both = append(both, trialset.Matched{Place: p, Params: params[p], A: ofA, B: ofB})
			met[p], met[whole] = true, true
		}
	}
	for _, p := range order {
		switch {
		case met[p]:
		case len(in[p][a]) > 0:
			onlyA = append(onlyA, p)
		case len(in[p][b]) > 0:
			onlyB = append(onlyB, p)
		}
	}
	return both, onlyA, onlyB
}

// cells returns the trials of each cell by their level, and the cell's parameters.
func (ax Axis) cells(trials []record.Trial) (order []trialset.Key, in map[trialset.Key]map[string][]record.Trial,
	params map[trialset.Key]map[string]string) {
	type side struct {
		at    trialset.Key
		level string
	}
	sides, groups := trialset.GroupByKeys(trials, func(t record.Trial) side {
		return side{trialset.KeyOf(t, ax.By, ax.Varied), Level(t.Keys, ax.By)}
	})
	in, params = map[trialset.Key]map[string][]record.Trial{}, map[trialset.Key]map[string]string{}
	for _, s := range sides {
		if in[s.at] == nil {
			order = append(order, s.at)
			in[s.at], params[s.at] = map[string][]record.Trial{}, trialset.ParamsOf(groups[s][0], ax.Varied)
		}
		in[s.at][s.level] = groups[s]
	}
	return trialset.Ascending(order), in, params
}

// wholes finds the places in which a side's load took all of its CPUs by the places of that many: "all" of a machine
// of 64 CPUs is the load of 64.
func (ax Axis) wholes(order []trialset.Key, in map[trialset.Key]map[string][]record.Trial,
	side string) map[trialset.Key]trialset.Key {
	out := map[trialset.Key]trialset.Key{}
	for _, p := range order {
		trials := in[p][side]
		if len(trials) == 0 || !trials[0].Load.All || trialset.CPUsOf(trials[0]) == 0 ||
			slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Load != trials[0].Load }) {
			continue
		}
		out[trialset.KeyOf(counted(trials[:1])[0], ax.By, ax.Varied)] = p
	}
	return out
}

// counted returns trials of all CPUs with their number in the place of all.
func counted(trials []record.Trial) []record.Trial {
	out := slices.Clone(trials)
	for i := range out {
		t := &out[i]
		t.Load.All = false
		t.Keys = maps.Clone(t.Keys)
		t.Keys[record.KeyLoad] = t.Load.Key()
		if key := trialset.WorkloadOf(*t) + "." + record.ParamCPUs; t.Keys[key] != "" {
			t.Keys[key] = strconv.Itoa(trialset.CPUsOf(*t))
		}
	}
	return out
}

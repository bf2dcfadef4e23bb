package judge

import (
	"maps"
	"slices"

	"plimsoll/internal/record"
)

// minRamp is how many different loads make a sweep of load: one at which nothing
// waits, and one on either side of the line.
const minRamp = 3

// ramp is the valid trials of one workload on one machine that differ in nothing
// but how much of one kind of load they take.
type ramp struct {
	unit     string                     // "rate", "clients" or "cpus"
	at       map[float64][]record.Trial // by level
	levels   []float64                  // ascending
	void     []float64                  // levels, ascending, that have no valid trial
	over     map[float64]bool           // levels at which a trial was not carried
	searched []record.Trial             // where the loads were searched for, all of the searches' trials; else nil
	asked    record.Search              // likewise, what they were asked for
}

// rampsOf finds the sweeps of load, in the trials' order.
func rampsOf(trials []record.Trial) []ramp {
	type family struct {
		place
		unit string
	}
	loaded := slices.DeleteFunc(slices.Clone(trials), func(t record.Trial) bool { return t.Load.Unit == "" || t.Load.Level <= 0 })
	order, families := grouped(loaded, func(t record.Trial) family {
		w := workloadOf(t)
		return family{placeOf(t, "", map[dimension]bool{{w, record.KeyLoad}: true, {w, w + "." + t.Load.Unit}: true}), t.Load.Unit}
	})
	var out []ramp
	for _, f := range order {
		if r := newRamp(f.unit, families[f]); len(r.levels) >= minRamp {
			out = append(out, r)
		}
	}
	return out
}

func newRamp(unit string, trials []record.Trial) ramp {
	r := ramp{unit: unit, at: map[float64][]record.Trial{}, over: map[float64]bool{}}
	all := map[float64]bool{}
	for _, t := range trials {
		all[t.Load.Level] = true
		r.over[t.Load.Level] = r.over[t.Load.Level] || t.Over
		if t.Void == "" && len(t.Values) > 0 {
			r.at[t.Load.Level] = append(r.at[t.Load.Level], t)
		}
	}
	r.levels = slices.Sorted(maps.Keys(r.at))
	for _, level := range slices.Sorted(maps.Keys(all)) {
		if len(r.at[level]) == 0 {
			r.void = append(r.void, level)
		}
	}
	return r
}

// last is the place of the highest load.
func (r ramp) last() place { return r.placeAt(len(r.levels) - 1) }

func (r ramp) placeAt(i int) place { return placeOf(r.at[r.levels[i]][0], "", nil) }

func (r ramp) trials() []record.Trial {
	var out []record.Trial
	for _, level := range r.levels {
		out = append(out, r.at[level]...)
	}
	return out
}

// rounds are the replicates that swept by themselves. Where none did, as when each
// load is a plan of its own, all trials together are one, and whole is false.
func (r ramp) rounds() (out []ramp, whole bool) {
	order, rounds := grouped(r.trials(), sweepOf)
	for _, at := range order {
		if round := newRamp(r.unit, rounds[at]); len(round.levels) >= minRamp {
			out = append(out, round)
		}
	}
	if len(out) == 0 {
		return []ramp{r}, false
	}
	return out, true
}

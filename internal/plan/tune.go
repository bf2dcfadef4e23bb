package plan

import (
	"maps"
	"slices"

	"plimsoll/internal/record"
)

// everywhere returns factors in which a setting of the machine without a workload's name, such as tune.scheduler, is
// set for every measured workload: they all run on that machine.
func everywhere(factors []Factor, measured []string) []Factor {
	var out []Factor
	for _, f := range factors {
		levels := slices.Clone(f.Levels)
		for i, l := range levels {
			levels[i].Set = map[string]string{}
			for key, value := range l.Set {
				if !record.Tunes(key) {
					levels[i].Set[key] = value
					continue
				}
				for _, of := range measured {
					levels[i].Set[of+"."+key] = value
				}
			}
		}
		f.Levels = levels
		out = append(out, f)
	}
	return out
}

// Tunings returns the settings of the machine that a request changes, as NAME=VALUE in the order of their names.
func (r Request) Tunings() []string {
	found := map[string]bool{}
	note := func(key, value string) {
		at := record.TuneAt(key)
		if (at == record.ParamTunePreset || record.IsSetting(at)) && value != record.AsFound {
			found[at+"="+value] = true
		}
	}
	for _, f := range r.allFactors() {
		for _, l := range f.Levels {
			for key, value := range l.Set {
				note(key, value)
			}
		}
	}
	for _, a := range r.Measure {
		for name, value := range a.Set {
			note(name, value)
		}
		for _, axis := range slices.Concat(a.Sweep, a.Quick) {
			for _, value := range axis.Values {
				note(axis.Param, value)
			}
		}
	}
	for _, params := range r.Alone {
		for key, value := range params {
			note(key, value)
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// leaveAsFound states of each setting of the machine that any cell changes that all others leave it as it is: nobody
// else may change it while one of them is measured, and it stands in the keys of all.
func leaveAsFound(p *record.Plan) {
	named := map[string]bool{}
	for _, c := range p.Cells {
		for name := range c.Params {
			if record.IsSetting(name) {
				named[name] = true
			}
		}
	}
	for i, c := range p.Cells {
		for _, name := range slices.Sorted(maps.Keys(named)) {
			if _, has := c.Params[name]; !has {
				p.Cells[i].Params[name] = record.AsFound
				p.Cells[i].Minor = append(p.Cells[i].Minor, name)
			}
		}
	}
}

// tunedAlike reports whether two cells have the same settings of the machine: they can alternate in one child process
// only then.
func tunedAlike(a, b record.Params) bool {
	of := func(p record.Params) map[string]string {
		out := maps.Clone(map[string]string(p))
		maps.DeleteFunc(out, func(name, _ string) bool { return !record.Tunes(name) })
		return out
	}
	return maps.Equal(of(a), of(b))
}

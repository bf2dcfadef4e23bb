// Package axis finds the sides of a comparison: the levels of an axis, and the cells that two of them have in common.
package axis

import (
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/record"
)

// Axis is the variable of a comparison: the machine, a factor, or any key that trials bear.
type Axis struct {
	By     string
	Levels []string                    // [0] is the baseline
	Varied map[trialset.Dimension]bool // what the levels set besides
}

// New returns the axis of a key with its levels: a factor's in the order of its plan, then others in the order of the
// trials; the baseline, if any, goes to the front. also returns the other names of a level; nil if none has any.
func New(by, baseline string, also func(level string) []string, trials []record.Trial, plans []record.PlanLine) (Axis,
	error) {
	ax := Axis{By: by, Levels: LevelsOf(by, trials, plans)}
	switch {
	case len(ax.Levels) == 0 && by == ByFile:
		return ax, Alone{By: by}
	case len(ax.Levels) == 0:
		return ax, newUnknown("factor", by, varying(trials))
	case len(ax.Levels) == 1:
		others := All(trials, plans)
		return ax,
			Alone{By: by, Side: ax.Levels[0], Others: slices.DeleteFunc(others, func(o string) bool { return o == by })}
	}
	if baseline != "" {
		if err := ax.begin(baseline, also); err != nil {
			return ax, err
		}
	}
	ax.Varied = setBy(by, trials, plans)
	return ax, nil
}

// begin moves the level that a baseline names to the front.
func (ax *Axis) begin(baseline string, also func(level string) []string) error {
	var known []nearest.Known
	for _, l := range ax.Levels {
		k := nearest.Known{Name: l}
		if also != nil {
			k.Also = also(l)
		}
		known = append(known, k)
	}
	meant := nearest.Meant(baseline, known)
	switch len(meant) {
	case 0:
		return newUnknown("baseline", baseline, ax.Levels)
	case 1:
		at := slices.Index(ax.Levels, meant[0])
		ax.Levels = slices.Insert(slices.Delete(ax.Levels, at, at+1), 0, meant[0])
		return nil
	}
	return Ambiguous{"baseline", baseline, meant}
}

// InFull returns the key of an axis: the name of a label, build, is that of the key label.build, and the name of a
// parameter, clients, that of the key http.clients, if nothing else has it.
func InFull(by string, trials []record.Trial) (string, error) {
	has := func(key string) bool {
		return slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Keys[key] != "" })
	}
	label, factor := record.LabelPrefix+by, record.FactorPrefix+by
	switch taken := has(factor) || has(by); {
	case has(label) && taken:
		return by, Ambiguous{"factor", by, []string{label, factor}}
	case has(label):
		return label, nil
	case taken:
		return by, nil
	}
	var meant []string
	for _, t := range trials {
		key := t.Keys[record.KeyWorkload] + "." + by
		if (t.Keys[key] != "" || t.Keys[record.FactorPrefix+key] != "") && !slices.Contains(meant, key) {
			meant = append(meant, key)
		}
	}
	switch len(meant) {
	case 0:
		return by, nil
	case 1:
		return meant[0], nil
	}
	return by, Ambiguous{"factor", by, meant}
}

// OfSessions reports whether the sides of an axis are sessions of one machine: files, or labels.
func OfSessions(by string) bool { return by == ByFile || strings.HasPrefix(by, record.LabelPrefix) }

// All returns the axes of trials, the default first: machines if there are several, else the labels or files that set
// the sessions of one machine apart, and the factors that were varied.
func All(trials []record.Trial, plans []record.PlanLine) []string {
	if len(LevelsOf(record.KeyMachine, trials, nil)) > 1 {
		return append([]string{record.KeyMachine}, factorsApart(plans)...)
	}
	return append(sessionAxes(trials), factorsApart(plans)...)
}

// Default returns the axis of a comparison that names none: machines, unless trials can only be compared by another.
func Default(trials []record.Trial, plans []record.PlanLine) string {
	all := All(trials, plans)
	if len(all) == 1 || len(all) > 1 && (all[0] == record.KeyMachine || OfSessions(all[0])) {
		return all[0]
	}
	return record.KeyMachine
}

// sessionAxes returns the one label in which sessions differ and that all of them have, else the file if there are
// several.
func sessionAxes(trials []record.Trial) []string {
	var labels []string
	for _, name := range varying(trials) {
		labelled := func(t record.Trial) bool { return t.Keys[name] != "" }
		if strings.HasPrefix(name, record.LabelPrefix) &&
			len(trialset.Filter(trials, func(t *record.Trial) bool { return labelled(*t) })) == len(trials) {
			labels = append(labels, name)
		}
	}
	switch {
	case len(labels) == 1:
		return labels
	case len(LevelsOf(ByFile, trials, nil)) > 1:
		return []string{ByFile}
	}
	return nil
}

func factorsApart(plans []record.PlanLine) []string {
	var out []string
	for _, p := range plans {
		for _, f := range p.Plan.Factors {
			if p.Plan.Apart(f.Name) && !slices.Contains(out, f.Name) {
				out = append(out, f.Name)
			}
		}
	}
	return out
}

// Label names a side in sentences: a machine, a type and a file as they are, a level with its factor or label.
func Label(by, name string) string {
	if by == "" || trialset.AcrossMachines(by) || by == ByFile {
		return name
	}
	return strings.TrimPrefix(by, record.LabelPrefix) + "=" + name
}

// Level returns a trial's level of an axis; "" if it has none.
func Level(keys map[string]string, by string) string {
	if l, ok := keys[record.FactorPrefix+by]; ok {
		return l
	}
	return keys[by]
}

// LevelsOf returns the levels of an axis among trials: those that plans register, in their order, then others.
func LevelsOf(by string, trials []record.Trial, plans []record.PlanLine) []string {
	var seen, ordered []string
	for _, t := range trials {
		if l := Level(t.Keys, by); l != "" && !slices.Contains(seen, l) {
			seen = append(seen, l)
		}
	}
	for _, l := range append(registeredLevels(by, plans), seen...) {
		if slices.Contains(seen, l) && !slices.Contains(ordered, l) {
			ordered = append(ordered, l)
		}
	}
	return ordered
}

func registeredLevels(by string, plans []record.PlanLine) []string {
	var out []string
	for _, p := range plans {
		for _, f := range p.Plan.Factors {
			if f.Name == by {
				out = append(out, f.Levels...)
			}
		}
	}
	return out
}

// varying lists the keys in which trials differ.
func varying(trials []record.Trial) []string {
	first, differ := map[string]string{}, map[string]bool{}
	for _, t := range trials {
		for key, value := range t.Keys {
			name := strings.TrimPrefix(key, record.FactorPrefix)
			if old, ok := first[name]; ok && old != value {
				differ[name] = true
			}
			first[name] = value
		}
	}
	out := []string{}
	for name := range differ {
		if name != record.KeyMachineID && name != record.KeyBoot && name != record.KeyBlock && name != record.KeyFile {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// setBy finds the dimensions that an axis sets: those that have one value at each level of it, and not the same at all
// levels. Cells of the plans count as well as trials, since a session that was cut short need not show a dimension's
// other values.
func setBy(by string, trials []record.Trial, plans []record.PlanLine) map[trialset.Dimension]bool {
	if trialset.AcrossMachines(by) || by == ByFile { // a file sets nothing: its cells are its own
		return nil
	}
	values := map[trialset.Dimension]map[string][]string{}
	add := func(keys map[string]string) {
		at := Level(keys, by)
		if at == "" {
			return
		}
		for d, v := range dimensionsOf(keys) {
			if values[d] == nil {
				values[d] = map[string][]string{}
			}
			if !slices.Contains(values[d][at], v) {
				values[d][at] = append(values[d][at], v)
			}
		}
	}
	for _, t := range trials {
		add(t.Keys)
	}
	for _, p := range plans {
		for _, c := range p.Plan.Cells {
			add(keysOf(c))
		}
	}
	varied := map[trialset.Dimension]bool{}
	for d, byLevel := range values {
		varied[d] = followsLevels(byLevel) && !(OfSessions(by) && d.Key == record.KeyLoad)
	}
	return varied
}

func followsLevels(values map[string][]string) bool {
	distinct := map[string]bool{}
	for _, v := range values {
		if len(v) != 1 {
			return false
		}
		distinct[v[0]] = true
	}
	return len(distinct) > 1
}

func dimensionsOf(keys map[string]string) map[trialset.Dimension]string {
	workload := keys[record.KeyWorkload]
	out := map[trialset.Dimension]string{}
	for key, value := range keys {
		if key == record.KeyLoad || strings.HasPrefix(key, workload+".") {
			out[trialset.Dimension{Workload: workload, Key: key}] = value
		}
	}
	return out
}

// keysOf returns the keys that the trials of a planned cell bear.
func keysOf(c record.Cell) map[string]string {
	keys := map[string]string{record.KeyWorkload: c.Workload, record.KeyLoad: c.Load.Key()}
	for name, value := range c.Params {
		keys[c.Workload+"."+name] = value
	}
	for factor, at := range c.Levels {
		keys[record.FactorPrefix+factor] = at
	}
	return keys
}

// Scopes returns the sets of trials among which sides are sought: all of them, or each machine's.
func (ax Axis) Scopes(trials []record.Trial) [][]record.Trial {
	order, groups := trialset.GroupBy(trials, func(t record.Trial) string {
		if trialset.AcrossMachines(ax.By) {
			return ""
		}
		return t.Keys[record.KeyMachine]
	})
	var out [][]record.Trial
	for _, name := range order {
		out = append(out, groups[name])
	}
	return out
}

// LevelsIn returns the levels of a scope: each machine has sessions of its own, of which its first is the baseline.
func (ax Axis) LevelsIn(scope []record.Trial) []string {
	if !OfSessions(ax.By) {
		return ax.Levels
	}
	own := map[string]bool{}
	for _, l := range LevelsOf(ax.By, scope, nil) {
		own[l] = true
	}
	return slices.DeleteFunc(slices.Clone(ax.Levels), func(l string) bool { return !own[l] })
}

// FactorsOf returns the names of the factors of plans, each once.
func FactorsOf(plans []record.PlanLine) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range plans {
		for _, f := range p.Plan.Factors {
			if !seen[f.Name] {
				seen[f.Name] = true
				out = append(out, f.Name)
			}
		}
	}
	return out
}

// ByFile is the axis whose sides are the files that were read.
const ByFile = record.KeyFile

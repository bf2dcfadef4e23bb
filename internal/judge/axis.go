package judge

import (
	"slices"
	"strings"

	"plimsoll/internal/nearest"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// axis is what a comparison varies: the machine, a factor, or any key that
// trials bear.
type axis struct {
	by     string
	levels []string                    // [0] is the baseline
	varied map[trialset.Dimension]bool // what the levels set besides
}

// newAxis finds the levels of by in the trials: a factor's in its plan's order, then
// others in the trials' order, with the baseline, if any, moved to the front.
// also gives the other names by which a level goes; nil: none has any.
func newAxis(by, baseline string, also func(level string) []string, trials []record.Trial, plans []record.PlanLine) (axis, error) {
	ax := axis{by: by, levels: levelsOf(by, trials, plans)}
	switch {
	case len(ax.levels) == 0 && by == ByFile:
		return ax, Alone{By: by}
	case len(ax.levels) == 0:
		return ax, newUnknown("factor", by, axes(trials))
	case len(ax.levels) == 1:
		others := Axes(trials, plans)
		return ax, Alone{By: by, Side: ax.levels[0], Others: slices.DeleteFunc(others, func(o string) bool { return o == by })}
	}
	if baseline != "" {
		if err := ax.begin(baseline, also); err != nil {
			return ax, err
		}
	}
	ax.varied = setBy(by, trials, plans)
	return ax, nil
}

// begin moves the level that a baseline names to the front.
func (ax *axis) begin(baseline string, also func(level string) []string) error {
	var known []nearest.Known
	for _, l := range ax.levels {
		k := nearest.Known{Name: l}
		if also != nil {
			k.Also = also(l)
		}
		known = append(known, k)
	}
	meant := nearest.Meant(baseline, known)
	switch len(meant) {
	case 0:
		return newUnknown("baseline", baseline, ax.levels)
	case 1:
		at := slices.Index(ax.levels, meant[0])
		ax.levels = slices.Insert(slices.Delete(ax.levels, at, at+1), 0, meant[0])
		return nil
	}
	return Ambiguous{"baseline", baseline, meant}
}

// inFull is what trials are compared by: the name of a label, build, is that of the key label.build where no factor has it.
func inFull(by string, trials []record.Trial) (string, error) {
	has := func(key string) bool {
		return slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Keys[key] != "" })
	}
	label, factor := record.LabelPrefix+by, record.FactorPrefix+by
	switch {
	case !has(label):
		return by, nil
	case has(factor), has(by):
		return by, Ambiguous{"factor", by, []string{label, factor}}
	}
	return label, nil
}

// ofSessions says whether the sides of an axis are sessions of one machine: files, or what they were labelled.
func ofSessions(by string) bool { return by == ByFile || strings.HasPrefix(by, record.LabelPrefix) }

// Axes are the ways to compare trials of which nothing is asked: machines where there are several, else what sets the sessions
// of one machine apart, its labels or its files, else the factors that were varied.
func Axes(trials []record.Trial, plans []record.PlanLine) []string {
	if len(levelsOf(record.KeyMachine, trials, nil)) > 1 {
		return append([]string{record.KeyMachine}, factorsApart(plans)...)
	}
	return append(sessionAxes(trials), factorsApart(plans)...)
}

// DefaultAxis is what trials are compared by where nobody says it: machines where nothing else is the only way.
func DefaultAxis(trials []record.Trial, plans []record.PlanLine) string {
	all := Axes(trials, plans)
	if len(all) == 1 || len(all) > 1 && (all[0] == record.KeyMachine || ofSessions(all[0])) {
		return all[0]
	}
	return record.KeyMachine
}

// sessionAxes is the one label in which sessions differ that all of them have, else the file where there are several.
func sessionAxes(trials []record.Trial) []string {
	var labels []string
	for _, name := range axes(trials) {
		labelled := func(t record.Trial) bool { return t.Keys[name] != "" }
		if strings.HasPrefix(name, record.LabelPrefix) && len(trialset.Filter(trials, func(t *record.Trial) bool { return labelled(*t) })) == len(trials) {
			labels = append(labels, name)
		}
	}
	switch {
	case len(labels) == 1:
		return labels
	case len(levelsOf(ByFile, trials, nil)) > 1:
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

// SideLabel names a side in sentences: a machine, a type and a file as they are, a level with its factor or label.
func SideLabel(by, name string) string {
	if by == "" || trialset.AcrossMachines(by) || by == ByFile {
		return name
	}
	return strings.TrimPrefix(by, record.LabelPrefix) + "=" + name
}

// level is where a trial stands on an axis; "" where it does not.
func level(keys map[string]string, by string) string {
	if l, ok := keys[record.FactorPrefix+by]; ok {
		return l
	}
	return keys[by]
}

func levelsOf(by string, trials []record.Trial, plans []record.PlanLine) []string {
	var seen, ordered []string
	for _, t := range trials {
		if l := level(t.Keys, by); l != "" && !slices.Contains(seen, l) {
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

// axes lists what the trials could be compared by: the keys in which they differ.
func axes(trials []record.Trial) []string {
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
		if name != record.KeyMachineID && name != record.KeyBoot && name != record.KeyFile {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// setBy finds the dimensions that an axis sets: those that have one value at
// each level of it, and not the same at all. Cells of the plans count as well as
// trials, since a session that was cut short need not show a dimension's
// other values.
func setBy(by string, trials []record.Trial, plans []record.PlanLine) map[trialset.Dimension]bool {
	if trialset.AcrossMachines(by) || by == ByFile { // a file sets nothing: its cells are its own
		return nil
	}
	values := map[trialset.Dimension]map[string][]string{}
	add := func(keys map[string]string) {
		at := level(keys, by)
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
		varied[d] = followsLevels(byLevel) && !(ofSessions(by) && d.Key == record.KeyLoad)
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

// keysOf gives a planned cell the keys that its trials will bear.
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

// scopes are the sets of trials among which sides are sought: all of them, or
// one machine's.
func (ax axis) scopes(trials []record.Trial) [][]record.Trial {
	order, groups := trialset.GroupBy(trials, func(t record.Trial) string {
		if trialset.AcrossMachines(ax.by) {
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

// levelsIn are the levels of a scope: each machine has sessions of its own, of which its first is the baseline.
func (ax axis) levelsIn(scope []record.Trial) []string {
	if !ofSessions(ax.by) {
		return ax.levels
	}
	own := levelsOf(ax.by, scope, nil)
	return slices.DeleteFunc(slices.Clone(ax.levels), func(l string) bool { return !slices.Contains(own, l) })
}

func factorsOf(plans []record.PlanLine) []string {
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

package judge

import (
	"cmp"
	"slices"
	"strings"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// place is what tells one cell from another, apart from what is compared.
type place struct {
	machine  string // "" where machines are compared
	workload string
	params   string // "NAME=VALUE NAME=VALUE", in order of name
	load     string // "" where the compared factor sets it
}

func (p place) String() string {
	text := p.workload
	if p.load != "" {
		text += " at " + record.LoadText(p.load)
	}
	if p.params != "" {
		text += ", " + p.params
	}
	return text
}

// dimension is a parameter's key, or record.KeyLoad, of one workload.
type dimension struct{ workload, key string }

// placeOf is a trial's place without the dimensions that are varied.
func placeOf(t record.Trial, by string, varied map[dimension]bool) place {
	p := place{machine: t.Keys[record.KeyMachine], workload: workloadOf(t)}
	if acrossMachines(by) {
		p.machine = ""
	}
	if !varied[dimension{p.workload, record.KeyLoad}] {
		p.load = loadOf(t)
	}
	p.params = text(paramsOf(t, varied))
	return p
}

func text(params map[string]string) string {
	names := make([]string, 0, len(params))
	for name := range params {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(name + "=" + params[name])
	}
	return b.String()
}

func workloadOf(t record.Trial) string { return t.Keys[record.KeyWorkload] }

func loadOf(t record.Trial) string {
	if key, ok := t.Keys[record.KeyLoad]; ok {
		return key
	}
	return t.Load.Key()
}

// paramsOf gives a trial's parameters without the workload's name and without
// the dimensions that are varied.
func paramsOf(t record.Trial, varied map[dimension]bool) map[string]string {
	params := map[string]string{}
	workload := workloadOf(t)
	prefix := workload + "."
	for key, value := range t.Keys {
		name, ok := strings.CutPrefix(key, prefix)
		if ok && !varied[dimension{workload, key}] {
			params[name] = value
		}
	}
	return params
}

// inPlanOrder sorts trials by plan, cell and replicate, so that findings stand in
// the order in which they were asked for. Plans keep their order of appearance.
func inPlanOrder(trials []record.Trial) []record.Trial {
	seen := map[string]int{}
	for _, t := range trials {
		if _, ok := seen[t.Plan]; !ok {
			seen[t.Plan] = len(seen)
		}
	}
	sorted := slices.Clone(trials)
	slices.SortStableFunc(sorted, func(a, b record.Trial) int {
		return cmp.Or(seen[a.Plan]-seen[b.Plan], a.Cell-b.Cell, a.Replicate-b.Replicate)
	})
	return sorted
}

// grouped collects trials that share a key, in the order of first appearance.
func grouped[K comparable](trials []record.Trial, key func(record.Trial) K) ([]K, map[K][]record.Trial) {
	var order []K
	at := map[K][]int{}
	for i, t := range trials {
		k := key(t)
		if _, ok := at[k]; !ok {
			order = append(order, k)
		}
		at[k] = append(at[k], i)
	}
	groups := make(map[K][]record.Trial, len(order))
	for _, k := range order {
		groups[k] = chosen(trials, at[k])
	}
	return order, groups
}

// measuring are the trials that count and those of extra pairs: newSample sets these apart, to stand in for tainted ones.
func measuring(trials []record.Trial) []record.Trial {
	return kept(trials, func(t *record.Trial) bool { return t.Counts() || t.Extra })
}

// ordinary are the trials that count.
func ordinary(trials []record.Trial) []record.Trial {
	return kept(trials, (*record.Trial).Counts)
}

// setAside says how many trials stand in no estimate.
func setAside(trials []record.Trial) []note.Note {
	pilots, extra, capped, profiled := 0, 0, 0, 0
	for _, t := range trials {
		switch {
		case t.Pilot:
			pilots++
		case t.Extra:
			extra++
		case t.Capped > 0:
			capped++
		case t.Profiled:
			profiled++
		}
	}
	out := []note.Note{}
	if pilots > 0 {
		out = append(out, note.New("pilot-trials", pilots))
	}
	if extra > 0 {
		out = append(out, note.New("extra-trials", extra))
	}
	if capped > 0 {
		out = append(out, note.New("capped-trials", capped))
	}
	if profiled > 0 {
		out = append(out, note.New("profiled-trials", profiled))
	}
	return out
}

func valid(trials []record.Trial) []record.Trial {
	return kept(trials, func(t *record.Trial) bool { return t.Void == "" })
}

// kept are the trials of which is says so. Where those are all, it is the same slice: trials are large,
// and there may be 100,000. What is returned must not be changed.
func kept(trials []record.Trial, is func(*record.Trial) bool) []record.Trial {
	n := 0
	for i := range trials {
		if is(&trials[i]) {
			n++
		}
	}
	if n == len(trials) {
		return trials[:n:n]
	}
	out := make([]record.Trial, 0, n)
	for i := range trials {
		if is(&trials[i]) {
			out = append(out, trials[i])
		}
	}
	return out
}

// metricsOf lists the metrics of the trials in order of first appearance.
func metricsOf(sides ...[]record.Trial) []record.Metric {
	var out []record.Metric
	seen := map[string]bool{}
	for _, trials := range sides {
		for i := range trials {
			for _, v := range trials[i].Values {
				if !seen[v.Name] {
					seen[v.Name] = true
					out = append(out, v.Metric)
				}
			}
		}
	}
	return out
}

// primaryOf is the name of the one metric that was registered to decide.
func primaryOf(trials []record.Trial) string {
	for _, t := range trials {
		if len(t.Values) > 0 {
			return t.Values[0].Name
		}
	}
	return ""
}

// valuesOf gives the named metric of each trial that has it.
func valuesOf(trials []record.Trial, metric string) []float64 {
	out := make([]float64, 0, len(trials))
	for i := range trials {
		if v, ok := valueIn(&trials[i], metric); ok {
			out = append(out, v.Value)
		}
	}
	return out
}

// valueIn is a trial's Value, without a copy of the trial.
func valueIn(t *record.Trial, metric string) (record.Value, bool) {
	for _, v := range t.Values {
		if v.Name == metric {
			return v, true
		}
	}
	return record.Value{}, false
}

// amongTrials are the trials of a cell that are among these, by id.
func amongTrials(c Cell, byID map[string]record.Trial) []record.Trial {
	var out []record.Trial
	for _, v := range c.Trials {
		if t, ok := byID[v.ID]; ok {
			out = append(out, t)
		}
	}
	return out
}

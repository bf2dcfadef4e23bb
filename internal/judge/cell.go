package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

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
		text += " at " + p.load
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
	if by == record.KeyMachine {
		p.machine = ""
	}
	if !varied[dimension{p.workload, record.KeyLoad}] {
		p.load = loadOf(t)
	}
	p.params = text(paramsOf(t, varied))
	return p
}

func text(params map[string]string) string {
	words := make([]string, 0, len(params))
	for _, name := range slices.Sorted(maps.Keys(params)) {
		words = append(words, fmt.Sprintf("%s=%s", name, params[name]))
	}
	return strings.Join(words, " ")
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
	for key, value := range t.Keys {
		name, ok := strings.CutPrefix(key, workload+".")
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
	groups := map[K][]record.Trial{}
	for _, t := range trials {
		k := key(t)
		if _, ok := groups[k]; !ok {
			order = append(order, k)
		}
		groups[k] = append(groups[k], t)
	}
	return order, groups
}

func valid(trials []record.Trial) []record.Trial {
	return slices.DeleteFunc(slices.Clone(trials), func(t record.Trial) bool { return t.Void != "" })
}

// metricsOf lists the metrics of the trials in order of first appearance.
func metricsOf(trials []record.Trial) []record.Metric {
	var out []record.Metric
	seen := map[string]bool{}
	for _, t := range trials {
		for _, v := range t.Values {
			if !seen[v.Name] {
				seen[v.Name] = true
				out = append(out, v.Metric)
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
	var out []float64
	for _, t := range trials {
		if v, ok := t.Value(metric); ok {
			out = append(out, v.Value)
		}
	}
	return out
}

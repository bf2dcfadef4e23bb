package trialset

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Key identifies a cell apart from the compared factor.
type Key struct {
	Machine  string // "" if machines are compared
	Workload string
	Params   string // "NAME=VALUE NAME=VALUE", sorted by name
	Load     string // "" if the compared factor sets it
}

// String returns the key in one line of text.
func (p Key) String() string {
	text := p.Workload
	if p.Load != "" {
		text += " at " + record.LoadText(p.Load)
	}
	if p.Params != "" {
		text += ", " + p.Params
	}
	return text
}

// Dimension is a parameter's key, or record.KeyLoad, of one workload.
type Dimension struct{ Workload, Key string }

// KeyOf returns a trial's key without the varied dimensions.
func KeyOf(t record.Trial, by string, varied map[Dimension]bool) Key {
	p := Key{Machine: t.Keys[record.KeyMachine], Workload: WorkloadOf(t)}
	if AcrossMachines(by) {
		p.Machine = ""
	}
	if !varied[Dimension{p.Workload, record.KeyLoad}] {
		p.Load = LoadOf(t)
	}
	p.Params = paramsIn(t, p.Workload, varied)
	return p
}

// paramsIn returns ParamsText(ParamsOf(t, varied)) without a map: keys are made for every trial, and for some of the
// analyses again.
func paramsIn(t record.Trial, workload string, varied map[Dimension]bool) string {
	var few [16]string
	keys, size := few[:0], 0
	for key, value := range t.Keys {
		if len(key) > len(workload) && key[len(workload)] == '.' && key[:len(workload)] == workload &&
			!varied[Dimension{workload, key}] {
			keys, size = append(keys, key), size+len(key)+len(value)+2
		}
	}
	if len(keys) == 0 {
		return ""
	}
	slices.Sort(keys)
	var b strings.Builder
	b.Grow(size)
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(key[len(workload)+1:])
		b.WriteByte('=')
		b.WriteString(t.Keys[key])
	}
	return b.String()
}

// KeysOf returns the keys of the cells that trials are of, in the trials' order.
func KeysOf(sides ...[]record.Trial) []Key {
	var order []Key
	seen := map[Key]bool{}
	key := onceEach(func(t record.Trial) Key { return KeyOf(t, "", nil) })
	for _, trials := range sides {
		for i := range trials {
			if k := key(trials[i]); !seen[k] {
				seen[k], order = true, append(order, k)
			}
		}
	}
	return order
}

// ParamsText returns parameters as "NAME=VALUE NAME=VALUE", sorted by name.
func ParamsText(params map[string]string) string {
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

// Without returns m without some keys: m itself if all are missing.
func Without[V any](m map[string]V, keys ...string) map[string]V {
	has := func(key string) bool { _, ok := m[key]; return ok }
	if !slices.ContainsFunc(keys, has) {
		return m
	}
	out := maps.Clone(m)
	for _, key := range keys {
		delete(out, key)
	}
	return out
}

// WorkloadOf returns the name of a trial's workload.
func WorkloadOf(t record.Trial) string { return t.Keys[record.KeyWorkload] }

// LoadOf returns a trial's load as text.
func LoadOf(t record.Trial) string {
	if key, ok := t.Keys[record.KeyLoad]; ok {
		return key
	}
	return t.Load.Key()
}

// ParamsOf returns a trial's parameters without the workload's name and the varied dimensions.
func ParamsOf(t record.Trial, varied map[Dimension]bool) map[string]string {
	params := map[string]string{}
	workload := WorkloadOf(t)
	prefix := workload + "."
	for key, value := range t.Keys {
		name, ok := strings.CutPrefix(key, prefix)
		if ok && !varied[Dimension{workload, key}] {
			params[name] = value
		}
	}
	return params
}

// InPlanOrder returns trials by plan, cell, machine and replicate, so that findings follow the order of the plan, and
// the trials of a cell stand together. Plans keep their order of appearance, as do the machines of a cell.
func InPlanOrder(trials []record.Trial) []record.Trial { return Chosen(trials, planOrder(trials)) }

// SortInPlanOrder sorts trials like InPlanOrder, in their place: a million of them take half a gigabyte.
func SortInPlanOrder(trials []record.Trial) {
	at := planOrder(trials)
	for i := range at {
		if at[i] == i {
			continue
		}
		first, to := trials[i], i
		for at[to] != i {
			from := at[to]
			trials[to], at[to] = trials[from], to
			to = from
		}
		trials[to], at[to] = first, to
	}
}

// planOrder returns the indices of trials in the order of InPlanOrder.
func planOrder(trials []record.Trial) []int {
	type cell struct {
		plan    string
		cell    int
		machine string
	}
	type place struct{ plan, cell, machine, replicate, at int }
	places, plans, ranks := make([]place, len(trials)), map[string]int{}, map[cell]int{}
	for i := range trials {
		t := &trials[i]
		places[i] = place{plan: rank(plans, t.Plan), cell: t.Cell, replicate: t.Replicate, at: i}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(a.plan-b.plan, a.cell-b.cell, a.replicate-b.replicate, a.at-b.at)
	})
	for i, p := range places {
		t := &trials[p.at]
		places[i].machine = rank(ranks, cell{t.Plan, t.Cell, t.Keys[record.KeyMachine]})
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(a.plan-b.plan, a.cell-b.cell, a.machine-b.machine)
	})
	at := make([]int, len(places))
	for i, p := range places {
		at[i] = p.at
	}
	return at
}

// rank returns the rank of a key by its first appearance.
func rank[K comparable](ranks map[K]int, key K) int {
	r, ok := ranks[key]
	if !ok {
		r = len(ranks)
		ranks[key] = r
	}
	return r
}

// GroupBy groups trials by key, in order of first appearance. Trials of a group that stand together are not copied.
func GroupBy[K comparable](trials []record.Trial, key func(record.Trial) K) ([]K, map[K][]record.Trial) {
	order, at := indicesBy(trials, nil, key)
	groups := make(map[K][]record.Trial, len(order))
	for _, k := range order {
		groups[k] = Chosen(trials, at[k])
	}
	return order, groups
}

// GroupByKeys is GroupBy by a key that follows from a trial's Keys and Load alone: trials one after the other that
// share both, as those of a cell do, have it made once.
func GroupByKeys[K comparable](trials []record.Trial, key func(record.Trial) K) ([]K, map[K][]record.Trial) {
	return GroupBy(trials, onceEach(key))
}

// onceEach returns a function that makes the key of a trial only if it may differ from the last one's.
func onceEach[K comparable](key func(record.Trial) K) func(record.Trial) K {
	var last record.Trial
	var of K
	return func(t record.Trial) K {
		if t.Load != last.Load || !ShareKeys(&t, &last) {
			last.Keys, last.Load, of = t.Keys, t.Load, key(t)
		}
		return of
	}
}

// ShareKeys reports whether the keys of two trials are one map, as those of a cell's trials are in an import that was
// read.
func ShareKeys(a, b *record.Trial) bool {
	return a.Keys != nil && reflect.ValueOf(a.Keys).Pointer() == reflect.ValueOf(b.Keys).Pointer()
}

// indicesBy groups the indices of some trials, or of all if they are nil, by key in order of first appearance.
func indicesBy[K comparable](trials []record.Trial, some []int, key func(record.Trial) K) ([]K, map[K][]int) {
	if some == nil {
		some = make([]int, len(trials))
		for i := range some {
			some[i] = i
		}
	}
	var order []K
	var sizes []int
	ranks, ranked := map[K]int{}, make([]int32, len(some))
	for n, i := range some {
		k := key(trials[i])
		r := rank(ranks, k)
		if r == len(order) {
			order, sizes = append(order, k), append(sizes, 0)
		}
		ranked[n] = int32(r)
		sizes[r]++
	}
	return order, split(order, sizes, some, ranked)
}

// split returns the indices of each key: parts of one array.
func split[K comparable](order []K, sizes []int, some []int, ranked []int32) map[K][]int {
	groups, all := make([][]int, len(order)), make([]int, len(some))
	for r, size := range sizes {
		groups[r], all = all[:0:size], all[size:]
	}
	for n, i := range some {
		groups[ranked[n]] = append(groups[ranked[n]], i)
	}
	at := make(map[K][]int, len(order))
	for r, k := range order {
		at[k] = groups[r]
	}
	return at
}

// WithExtras returns the trials that count, and the trials of extra pairs. NewSample sets the latter apart: they
// replace disturbed pairs.
func WithExtras(trials []record.Trial) []record.Trial {
	return Filter(trials, func(t *record.Trial) bool { return t.Counts() || t.Role() == record.RoleExtra })
}

// Counting returns the trials that count.
func Counting(trials []record.Trial) []record.Trial {
	return Filter(trials, (*record.Trial).Counts)
}

// Measuring returns the trials that count and are not void.
func Measuring(trials []record.Trial) []record.Trial {
	return Filter(trials, (*record.Trial).Measures)
}

// Valid returns the trials that are not void.
func Valid(trials []record.Trial) []record.Trial {
	return Filter(trials, func(t *record.Trial) bool { return t.Void == "" })
}

// Filter returns the trials for which is reports true; if all do, it returns the same slice, since trials are large and
// there may be 100,000. Callers must not change the result.
func Filter(trials []record.Trial, is func(*record.Trial) bool) []record.Trial {
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

// MetricsOf returns the metrics of the trials in order of first appearance.
func MetricsOf(sides ...[]record.Trial) []record.Metric {
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

// PrimaryOf returns the name of the one metric that was registered to decide.
func PrimaryOf(sides ...[]record.Trial) string {
	for _, trials := range sides {
		for i := range trials {
			if values := trials[i].Values; len(values) > 0 {
				return values[0].Name
			}
		}
	}
	return ""
}

// ValuesOf returns the named metric of each trial that has it.
func ValuesOf(trials []record.Trial, metric string) []float64 {
	out := make([]float64, 0, len(trials))
	for i := range trials {
		if v, ok := ValueIn(&trials[i], metric); ok {
			out = append(out, v.Value)
		}
	}
	return out
}

// ValueIn returns a trial's Value without copying the trial.
func ValueIn(t *record.Trial, metric string) (record.Value, bool) {
	for _, v := range t.Values {
		if v.Name == metric {
			return v, true
		}
	}
	return record.Value{}, false
}

// ByType is the axis whose sides are instance types: all machines of one type form one side, and the test compares
// means of machines.
const ByType = "type"

// AcrossMachines reports whether the sides of the axis are machines or their types, so that the machine is no part of a
// cell's key.
func AcrossMachines(by string) bool { return by == record.KeyMachine || by == ByType }

// Texts returns the keys in words.
func Texts(keys []Key) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k.String()
	}
	return out
}

// Common returns the value of a key that all trials share, or "" if they differ or have none.
func Common(trials []record.Trial, key string) string {
	for _, t := range trials[min(1, len(trials)):] {
		if t.Keys[key] != trials[0].Keys[key] {
			return ""
		}
	}
	if len(trials) == 0 {
		return ""
	}
	return trials[0].Keys[key]
}

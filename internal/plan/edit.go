package plan

import (
	"slices"

	"plimsoll/internal/record"
)

// Set sets a parameter (WORKLOAD.NAME) wherever the request measures that workload; it overrides swept values.
func (r *Request) Set(key, value string, decls []record.Workload) error {
	return r.edit(key, decls, func(a *Ask, name string) {
		a.drop(key, name)
		if a.Set == nil {
			a.Set = map[string]string{}
		}
		a.Set[name] = value
	})
}

// Sweep measures at each of the values, wherever the request measures that workload.
func (r *Request) Sweep(key string, values []string, decls []record.Workload) error {
	seen := map[string]bool{}
	for _, v := range values {
		if seen[v] {
			return usagef("the sweep of %s has %q twice", key, v)
		}
		seen[v] = true
	}
	return r.edit(key, decls, func(a *Ask, name string) {
		a.drop(key, name)
		a.Sweep = append(a.Sweep, Axis{name, values})
	})
}

// Search searches for the load line, or sweeps the load, of every workload with open and closed loops. Objectives are
// latencies in seconds by statistic; none: twice the latency below 20% CPU.
func (r *Request) Search(sweep bool, objectives map[string]float64, decls []record.Workload) error {
	for statistic, s := range objectives {
		if _, ok := record.PercentileOf(statistic); !ok || !(s > 0) {
			return usagef("an objective of %g s for %q: must be a time above 0s for a percentile", s, statistic)
		}
	}
	found := false
	for i := range r.Measure {
		decl, err := Find(decls, r.Measure[i].Workload)
		if err != nil {
			return err
		}
		if slices.Contains(decl.Loads, record.Open) && slices.Contains(decl.Loads, record.Closed) {
			r.Measure[i].Search = NewSearch(sweep, objectives, r.Quick)
			found = true
		}
	}
	if !found {
		return usagef("no measured workload supports an open loop, which a load line requires\nhint: plimsoll run " +
			"http --load-line")
	}
	return nil
}

// NewSearch returns a search with the defaults of docs/derivations.md#searches.
func NewSearch(sweep bool, objectives map[string]float64, quick bool) *record.Search {
	s := &record.Search{Sweep: sweep, Objectives: objectives, Probes: SearchProbes, Requests: SearchRequests,
		Clients: SearchClients, Chief: !sweep && len(objectives) == 0, Confirm: !sweep}
	if sweep {
		s.Requests = SweepRequests
	}
	if quick {
		s.Probes = QuickProbes
	}
	return s
}

func (r Request) searches() bool {
	return slices.ContainsFunc(r.Measure, func(a Ask) bool { return a.Search != nil })
}

// onlySearches reports whether all that a request measures are load lines.
func (r Request) onlySearches() bool {
	return !slices.ContainsFunc(r.Measure, func(a Ask) bool { return a.Search == nil || a.Search.Sweep })
}

// drop removes the ask's own sweep or factor of a parameter.
func (a *Ask) drop(key, name string) {
	a.Sweep = slices.DeleteFunc(slices.Clone(a.Sweep), func(x Axis) bool { return x.Param == name })
	a.Vary = slices.DeleteFunc(slices.Clone(a.Vary), func(f Factor) bool { return f.Name == key })
	for _, f := range a.Vary {
		for _, l := range f.Levels {
			if _, set := l.Set[key]; set && len(f.Levels) == 1 {
				delete(l.Set, key) // the level only names what is measured
			}
		}
	}
}

// edit applies change to every ask of the key's workload. Free parameters are checked when the cell is resolved.
func (r *Request) edit(key string, decls []record.Workload, change func(a *Ask, name string)) error {
	if record.Tunes(key) {
		for _, of := range r.Workloads() {
			if err := r.edit(of+"."+key, decls, change); err != nil {
				return err
			}
		}
		return nil
	}
	decl, name, err := split(key, decls)
	if err != nil {
		return err
	}
	if _, ok := decl.Param(name); !ok && !decl.Free {
		return unknownParam(decl, name)
	}
	found := false
	for i := range r.Measure {
		if r.Measure[i].Workload == decl.Name {
			change(&r.Measure[i], name)
			found = true
		}
	}
	if !found {
		return usagef("%s is set, but %s is not measured\nhint: plimsoll run %s --set %s=…", key, decl.Name, decl.Name, key)
	}
	return nil
}

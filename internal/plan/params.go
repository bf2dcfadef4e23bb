package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// Find returns the declaration of a workload.
func Find(decls []record.Workload, name string) (record.Workload, error) {
	var known []string
	for _, d := range decls {
		if d.Name == name {
			return d, nil
		}
		known = append(known, d.Name)
	}
	return record.Workload{}, usage.Unknown("workload", name, known)
}

// resolveParams fills in defaults and converts every value to its canonical form.
func resolveParams(decl record.Workload, set map[string]string) (record.Params, error) {
	out := decl.Defaults()
	set = withPreset(decl, set)
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if _, ok := decl.Param(name); !ok && decl.Free && name != record.ParamSide && !named(set, name) {
			return nil, unknownParam(decl, name)
		}
		c, err := canonical(decl, name, set[name])
		if err != nil {
			return nil, err
		}
		out[name] = c
	}
	return out, nil
}

// canonical returns the canonical form of a parameter's value. A free workload accepts other names with any value.
func canonical(decl record.Workload, name, value string) (string, error) {
	p, ok := decl.Param(name)
	switch {
	case !ok && decl.Free:
		return value, nil
	case !ok:
		return "", unknownParam(decl, name)
	}
	c, err := p.Canonical(value)
	if err != nil {
		return "", usagef("%s.%s: %v\nhint: %s", decl.Name, name, err, meantValue(decl.Name, p, value))
	}
	return c, nil
}

// meantValue returns the value that a rejected one may have meant, else one that is accepted.
func meantValue(workload string, p record.Param, value string) string {
	if near := nearest.Of(value, p.Choices); near != "" {
		return "did you mean " + near + "?"
	}
	set := "--set " + workload + "." + p.Name + "="
	if meant, ok := p.Meant(value); ok {
		return set + meant
	}
	if example := p.Example(); example != "" {
		return "for example " + set + example
	}
	return p.Doc
}

// withPreset adds the settings of the chosen presets, except for parameters that are set otherwise.
func withPreset(decl record.Workload, set map[string]string) map[string]string {
	out := set
	for _, preset := range decl.Presets {
		if preset.Name == set[preset.By()] {
			below := maps.Clone(preset.Set)
			maps.Copy(below, out)
			out = below
		}
	}
	return out
}

// giveWay drops a workload's default clients if a rate is set or searched for instead.
func giveWay(decl record.Workload, set map[string]string, params record.Params, sought bool) {
	rate, ok := decl.Param(record.ParamRate)
	if _, given := set[record.ParamClients]; given || !ok {
		return
	}
	if _, there := params[record.ParamClients]; there && (sought || rate.Number(params[record.ParamRate]) > 0) {
		params[record.ParamClients] = "0"
	}
}

// named reports whether any other value refers to {name}.
func named(set map[string]string, name string) bool {
	for k, v := range set {
		if k != name && strings.Contains(v, "{"+name+"}") {
			return true
		}
	}
	return false
}

// CheckParams returns an error if a plan, which another version may have made, sets a parameter that its workload does
// not have: its runs would go without what that stands for.
func CheckParams(p record.Plan, decls []record.Workload) error {
	for _, c := range p.Cells {
		decl, err := Find(decls, c.Workload)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(c.Params)) {
			if _, ok := decl.Param(name); !ok && !decl.Free && !slices.Contains(c.Minor, name) {
				return unknownParam(decl, name)
			}
		}
	}
	return nil
}

func unknownParam(decl record.Workload, name string) error {
	known := list.Map(decl.Params, func(p record.Param) string { return p.Name })
	if p, ok := decl.Param(record.TunePrefix + name); ok {
		return &UnknownParam{decl.Name, name, &usage.Error{Text: fmt.Sprintf("unknown parameter %q", decl.Name+"."+name),
			Hint: "did you mean " + p.Name + ", the setting of the machine? It takes --tune"}}
	}
	return &UnknownParam{decl.Name, name, usage.Within(decl.Name+".", "parameter", name, known)}
}

// UnknownParam is the error for a parameter that a workload does not have.
type UnknownParam struct {
	Workload, Name string
	error
}

func (e *UnknownParam) Unwrap() error { return e.error }

// InFull expands a parameter without its workload, such as clients or broker.heap, to WORKLOAD.NAME: of the only
// measured workload, of the only measured one that declares it, or of the only one at all. It returns other keys
// unchanged.
func InFull(key string, measured []string, decls []record.Workload) string {
	word, _, _ := strings.Cut(key, ".")
	if slices.ContainsFunc(decls, func(d record.Workload) bool { return d.Name == word }) {
		return key
	}
	if len(measured) == 1 && !strings.Contains(key, ".") {
		return measured[0] + "." + key
	}
	var owners, all []string
	for _, d := range decls {
		if _, ok := d.Param(key); !ok {
			continue
		}
		all = append(all, d.Name)
		if slices.Contains(measured, d.Name) {
			owners = append(owners, d.Name)
		}
	}
	if len(owners) == 0 && strings.Contains(key, ".") {
		owners = all
	}
	if len(owners) != 1 { // of a setting of the machine, all that are measured: see everywhere
		return key
	}
	return owners[0] + "." + key
}

// HasLines reports whether each line of WORKLOAD.NAME is a separate value.
func HasLines(key string, decls []record.Workload) bool {
	decl, name, err := split(key, decls)
	p, ok := decl.Param(name)
	return err == nil && ok && p.Lines
}

// split splits WORKLOAD.NAME; a workload's name contains no dot.
func split(key string, decls []record.Workload) (decl record.Workload, name string, err error) {
	w, name, ok := strings.Cut(key, ".")
	if !ok {
		return decl, "", usagef("parameter %q has no workload\nhint: several are measured: write it as WORKLOAD.NAME, such "+
			"as aes-gcm.size", key)
	}
	decl, err = Find(decls, w)
	return decl, name, err
}

// loadOf derives a cell's load from its parameters. cpus is the number of CPUs that the target may use.
func loadOf(decl record.Workload, p record.Params, cpus int) (record.LoadPoint, error) {
	l, err := loadAsked(decl, p, cpus)
	switch {
	case err != nil || slices.Contains(decl.Loads, l.Kind):
		return l, err
	case l.Kind == record.Once:
		return l, usagef("%s: no load is set\nhint: --set %s.%s=32 is a closed loop of 32 clients, --set %s.%s=1000 an "+
			"open loop of 1000 requests/s", decl.Name, decl.Name, record.ParamClients, decl.Name, record.ParamRate)
	}
	return l, usagef("%s does not support %s loops", decl.Name, l.Kind)
}

func loadAsked(decl record.Workload, p record.Params, cpus int) (record.LoadPoint, error) {
	number := func(name string) float64 {
		d, _ := decl.Param(name)
		return d.Number(p[name])
	}
	switch {
	case number(record.ParamRate) > 0 && number(record.ParamClients) > 0:
		return record.LoadPoint{}, usagef("%s: both %s and %s are set: a load is either an open or a closed loop", decl.Name,
			record.ParamRate, record.ParamClients)
	case number(record.ParamRate) > 0:
		return record.LoadPoint{Kind: record.Open, Level: number(record.ParamRate), Unit: record.ParamRate,
			Arrivals: p[record.ParamArrivals]}, nil
	case number(record.ParamClients) > 0:
		return record.LoadPoint{Kind: record.Closed, Level: number(record.ParamClients), Unit: record.ParamClients}, nil
	}
	if depth := number(record.ParamDepth); depth > 0 {
		return record.LoadPoint{Kind: record.Closed, Level: depth * max(number(record.ParamJobs), 1),
			Unit: record.ParamClients}, nil
	}
	if v, ok := p[record.ParamCPUs]; ok {
		return cpuLoad(decl, v, number(record.ParamCPUs), cpus)
	}
	return record.LoadPoint{Kind: record.Once, Level: 1}, nil
}

func cpuLoad(decl record.Workload, text string, n float64, cpus int) (record.LoadPoint, error) {
	l := record.LoadPoint{Kind: record.Closed, Level: n, Unit: record.ParamCPUs}
	if !slices.Contains(decl.Loads, record.Closed) {
		l.Kind = record.Once // each CPU does one run
	}
	if text == record.AllCPUs {
		l.Level, l.All = float64(cpus), true
	}
	if int(l.Level) > cpus {
		return l, usagef("%s.%s=%s: only %d CPUs are usable here\nhint: --set %s.%s=all uses all of them", decl.Name,
			record.ParamCPUs, text, cpus, decl.Name, record.ParamCPUs)
	}
	return l, nil
}

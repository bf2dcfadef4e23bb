package invocation

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/workload"
)

// Settings are the values of flags that set parameters; Search, if not nil, leaves the load to be found and is called
// between settings and sweeps.
type Settings struct {
	Set, Sweep, Vary []string
	Flags            []Setting // parameters given as flags of their own
	Sides            []string  // names of the sides that arguments give
	Search           func(*plan.Request) error
	Clusters         []string // NAME=HOST,HOST: several hosts for each of these clusters
	EqualCost        string   // NAME=NODES,…: the nodes of each machine's clusters; "" if nobody asked
	Typed            Typed    // the command line with the flags; its words may be nil
}

// Setting is a parameter given as a flag.
type Setting struct{ Name, Value string }

// Apply edits a request.
func (s Settings) Apply(req *plan.Request, specs []workload.Spec) error {
	decls := declarations(specs)
	if err := s.nameSides(req, decls); err != nil {
		return err
	}
	if err := s.set(req, specs); err != nil {
		return err
	}
	if s.Search != nil {
		if err := s.Search(req); err != nil {
			return err
		}
	}
	for _, text := range s.Sweep {
		key, value, err := assignment("sweep", text, *req, decls)
		if err != nil {
			return err
		}
		if err := req.Sweep(key, values(value), decls); err != nil {
			return err
		}
	}
	for _, text := range s.Vary {
		key, value, err := assignment("vary", text, *req, decls)
		if err != nil {
			return err
		}
		req.Factors = append(req.Factors, plan.Vary(key, values(value)))
	}
	if err := s.nodes(req, specs); err != nil {
		return err
	}
	return s.clusters(req, specs)
}

// nameSides gives the sides of a command line's arguments their names.
func (s Settings) nameSides(req *plan.Request, decls []record.Workload) error {
	if len(s.Sides) == 0 {
		return nil
	}
	if param, value, ok := lone(req); ok && len(s.Sides) == 1 {
		key := req.Measure[0].Workload + "." + param
		req.Factors = []plan.Factor{{Name: param, Levels: []plan.Level{{Name: s.Sides[0],
			Set: map[string]string{key: value}}}}}
		return nil
	}
	if len(req.Factors) != 1 || len(req.Factors[0].Levels) != len(s.Sides) {
		return usage.Errorf("--name is given %s: each names one of two or more arguments, in their order\n"+
			"hint: plimsoll run exec ./a ./b --name old --name new", figure.Count(len(s.Sides), "time"))
	}
	f := &req.Factors[0]
	var of string
	of, f.Name, _ = strings.Cut(f.Name, ".")
	values := list.Map(f.Levels, func(l plan.Level) string { return l.Name })
	slices.Sort(values)
	alike := len(slices.Compact(values)) < len(f.Levels)
	i := slices.IndexFunc(decls, func(d record.Workload) bool { return d.Name == of && d.Free })
	if alike && i < 0 {
		return usage.Errorf("two sides are the same %s\nhint: plimsoll machine shows how small a difference "+
			"this machine can tell", f.Name)
	}
	for i, name := range s.Sides {
		f.Levels[i].Name = name
		if alike {
			f.Levels[i].Set[of+"."+record.ParamSide] = name
		}
	}
	if alike {
		f.Name = record.ParamSide
	}
	return nil
}

// lone returns the one argument of the one workload that is measured.
func lone(req *plan.Request) (param, value string, ok bool) {
	if len(req.Factors) != 0 || len(req.Measure) != 1 || len(req.Measure[0].Set) != 1 {
		return "", "", false
	}
	for param, value = range req.Measure[0].Set {
		delete(req.Measure[0].Set, param)
	}
	return param, value, true
}

func (s Settings) set(req *plan.Request, specs []workload.Spec) error {
	decls := declarations(specs)
	given := map[string]string{}
	put := func(key, value string) error {
		if before, ok := given[key]; ok && plan.HasLines(key, decls) {
			value = before + "\n" + value
		}
		given[key] = value
		if done, err := several(req, key, value, decls); done || err != nil {
			return err
		}
		return req.Set(key, value, decls)
	}
	for _, text := range s.Set {
		key, value, err := assignment("set", text, *req, decls)
		if err != nil {
			return err
		}
		if err := put(key, value); err != nil {
			return err
		}
	}
	for _, f := range s.Flags {
		key, err := s.keyOf(f.Name, *req, specs)
		if err != nil {
			return err
		}
		if err := checkOf(f, *req, specs); err != nil {
			return err
		}
		if err := put(key, f.Value); err != nil {
			return err
		}
	}
	return nil
}

// Runs returns the setting for a --warmup without a unit, which counts runs if the measured workload does; false
// otherwise.
func Runs(warmup string, req plan.Request, specs []workload.Spec) (Setting, bool) {
	if _, err := strconv.Atoi(warmup); err != nil || len(req.Workloads()) != 1 {
		return Setting{}, false
	}
	s, _ := workload.Find(specs, req.Workloads()[0])
	return Setting{flagOf(s.Command.Warmups), warmup}, s.Command.Warmups != ""
}

// Unsaid returns a text for each measured workload whose load nobody has set: the load that it has.
func (s Settings) Unsaid(req plan.Request, specs []workload.Spec) []string {
	var out []string
	keys := s.Keys(req, specs)
	for _, text := range slices.Concat(s.Sweep, s.Vary) {
		if key, _, err := assignment("sweep", text, req, declarations(specs)); err == nil {
			keys = append(keys, key)
		}
	}
	for _, f := range req.Factors {
		for _, l := range f.Levels {
			keys = slices.AppendSeq(keys, maps.Keys(l.Set))
		}
	}
	for _, ask := range req.Measure {
		spec, _ := workload.Find(specs, ask.Workload)
		if text := inDepth(ask, spec, keys); text != "" {
			out = append(out, text)
		}
		clients, ok := spec.Param(record.ParamClients)
		if !ok || clients.Default == "0" || ask.Search != nil || ask.Safe || sets(ask, keys) {
			continue
		}
		out = append(out,
			fmt.Sprintf("%s: no load is set, so %s (--clients N; --rate N or --load-line for an open loop)", spec.Name,
				record.LoadText(clients.Default+" "+record.ParamClients)))
	}
	return out
}

// inDepth returns a text for a workload of jobs whose load nobody has set, with that of fio; "" for another.
func inDepth(ask plan.Ask, spec workload.Spec, keys []string) string {
	depth, ok := spec.Param(record.ParamDepth)
	jobs, _ := spec.Param(record.ParamJobs)
	given := func(name string) bool {
		_, there := ask.Set[name]
		return there || slices.Contains(keys, spec.Name+"."+name)
	}
	if !ok || given(depth.Name) || given(jobs.Name) || ask.Search != nil || ask.Safe || sets(ask, keys) {
		return ""
	}
	return fmt.Sprintf("%s: no load is set, so %s jobs with %s operations in flight each (--jobs 1 --depth 1 is fio's "+
		"default)", spec.Name, jobs.Default, depth.Default)
}

// sets reports whether a measured workload's load is set.
func sets(ask plan.Ask, keys []string) bool {
	load := []string{record.ParamClients, record.ParamRate}
	set := func(name string) bool { return slices.Contains(load, name) }
	return slices.ContainsFunc(load, func(name string) bool {
		_, there := ask.Set[name]
		return there || slices.Contains(keys, ask.Workload+"."+name)
	}) || len(ask.Vary) > 0 || slices.ContainsFunc(slices.Concat(ask.Sweep, ask.Quick),
		func(a plan.Axis) bool { return set(a.Param) })
}

// Keys returns the parameters that are set, by WORKLOAD.NAME.
func (s Settings) Keys(req plan.Request, specs []workload.Spec) []string {
	var out []string
	for _, text := range s.Set {
		if key, _, err := assignment("set", text, req, declarations(specs)); err == nil {
			out = append(out, key)
		}
	}
	for _, f := range s.Flags {
		if key, err := s.keyOf(f.Name, req, specs); err == nil {
			out = append(out, key)
		}
	}
	return out
}

// assignment returns the parameter and the value of a text; the workload may be missing if it is the only one that can
// be meant.
func assignment(flag, text string, req plan.Request, decls []record.Workload) (key, value string, err error) {
	key, value, ok := strings.Cut(text, "=")
	if !ok || key == "" {
		example := map[string]string{"set": "clients=8", "sweep": "clients=1,2,4", "vary": "clients=8,16"}[flag]
		return "", "", usage.Errorf("--%s %q: must be NAME=VALUE, or WORKLOAD.NAME=VALUE if several workloads are measured\n"+
			"hint: --%s %s", flag, text, flag, example)
	}
	return plan.InFull(key, req.Workloads(), decls), value, nil
}

// values splits at commas; write a literal comma as \,
func values(text string) []string {
	const kept = "\x00"
	parts := strings.Split(strings.ReplaceAll(text, `\,`, kept), ",")
	return list.Map(parts, func(s string) string { return strings.ReplaceAll(s, kept, ",") })
}

package workloadtest

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// faults collects the violations of a check.
type faults []error

func (f *faults) addf(format string, args ...any) { *f = append(*f, fmt.Errorf(format, args...)) }

func declarationFaults(spec workload.Spec) []error {
	var f faults
	if !properName(spec.Name) {
		f.addf("workload %q: the name is not lower-case words joined by hyphens", spec.Name)
	}
	f.doc("workload "+spec.Name, spec.Doc)
	if spec.New == nil {
		f.addf("workload %s: New is nil", spec.Name)
	}
	f.metrics(spec.Metrics)
	f.loads(spec.Workload)
	seen := map[string]bool{}
	for _, p := range spec.Params {
		if seen[p.Name] {
			f.addf("parameter %s is declared twice", p.Name)
		}
		seen[p.Name] = true
		f.param(p)
		f.only(spec.Workload, p)
	}
	f.presets(spec.Workload)
	f.hooks(spec)
	f.command(spec)
	return f
}

// minExamples is the number of examples that help shows of a workload.
const minExamples = 3

// command checks that the way to type a workload names its parameters only, and that its examples run it.
func (f *faults) command(spec workload.Spec) {
	c := spec.Command
	if (c.Take == nil) != (c.Arguments == "") {
		f.addf("the command line has arguments without a form, or a form without arguments")
	}
	names := []string{}
	if c.Warmups != "" {
		names = append(names, c.Warmups)
	}
	for _, flag := range c.Flags {
		names = append(names, flag.Param)
	}
	for _, name := range names {
		if !has(spec, name) {
			f.addf("the command line has a flag for %s, which is no parameter", name)
		}
	}
	if n := len(c.Examples); n < minExamples {
		f.addf("there are %d examples, at least %d", n, minExamples)
	}
	for _, e := range c.Examples {
		if !strings.HasPrefix(e.Command, "run "+spec.Name+" ") && e.Command != "run "+spec.Name {
			f.addf("the example %q does not run %s", e.Command, spec.Name)
		}
		f.doc("example", e.Doc)
	}
}

// hooks checks that every parameter has the hook that implements it: without it the parameter has no effect.
func (f *faults) hooks(spec workload.Spec) {
	for _, h := range []struct {
		name          string
		there, wanted bool
		because       string
	}{
		{"Split", spec.Split != nil, has(spec, record.ParamCPUSets), "parameter " + record.ParamCPUSets},
		{"Lanes", spec.Lanes != nil, spec.Lanes != nil || has(spec, record.ParamConnections),
			"parameter " + record.ParamConnections},
		{"Serve", spec.Serve != nil, has(spec, workload.ParamAddress), "parameter " + workload.ParamAddress},
		{"Serve", spec.Serve != nil, spec.Serves, "Serves"},
		{"Aim", spec.Aim != nil, spec.Serves, "Serves"},
		{"CheckServe", spec.CheckServe != nil, spec.CheckServe != nil && spec.Serve != nil, "Serve"},
	} {
		switch {
		case h.wanted && !h.there:
			f.addf("there is %s, but no %s", h.because, h.name)
		case h.there && !h.wanted:
			f.addf("there is %s, but no %s", h.name, h.because)
		}
	}
}

func has(spec workload.Spec, param string) bool {
	_, ok := spec.Param(param)
	return ok
}

// presets checks that each can be chosen by its name, and that other names are rejected.
func (f *faults) presets(w record.Workload) {
	for _, preset := range w.Presets {
		by, ok := w.Param(preset.By())
		switch {
		case !ok || by.Kind != record.Enum:
			f.addf("there is the preset %s, but no parameter %s whose choices are their names: any other name would be "+
				"accepted silently", preset.Name, preset.By())
		case !slices.Contains(by.Choices, preset.Name):
			f.addf("preset %s is not among the choices of %s", preset.Name, preset.By())
		}
	}
}

func properName(s string) bool {
	return regexp.MustCompile(`^[a-z][a-z0-9]*([-_][a-z0-9]+)*$`).MatchString(s)
}

func (f *faults) doc(what, doc string) {
	switch {
	case doc == "":
		f.addf("%s has no doc", what)
	case strings.HasSuffix(doc, ".") || strings.ContainsAny(doc, "\n\t") || doc != strings.TrimSpace(doc):
		f.addf("%s: the doc %q is not one line without a full stop", what, doc)
	}
}

func (f *faults) metrics(ms []record.Metric) {
	if len(ms) == 0 {
		f.addf("no metric")
		return
	}
	if m := ms[0]; m.Unit == "" || m.Better != record.Higher && m.Better != record.Lower {
		f.addf("the primary metric %s has unit %q and direction %q", m.Name, m.Unit, m.Better)
	}
	seen := map[string]bool{}
	for _, m := range ms {
		if !properName(m.Name) || seen[m.Name] {
			f.addf("metric %q: bad or duplicate name", m.Name)
		}
		seen[m.Name] = true
		f.doc("metric "+m.Name, m.Doc)
	}
}

// loads checks that every kind of load is known and has its parameter.
func (f *faults) loads(w record.Workload) {
	if len(w.Loads) == 0 {
		f.addf("no kind of load")
	}
	for _, k := range w.Loads {
		var ok bool
		switch k {
		case record.Closed:
			ok = declared(w, record.ParamCPUs, record.CPUs) || declared(w, record.ParamClients, record.Int)
		case record.Open:
			ok = declared(w, record.ParamRate, record.Float) && declared(w, record.ParamArrivals, record.Enum)
		case record.Once:
			ok = true
		}
		if !ok {
			f.addf("load %q is unknown, or the parameter that sets it is not declared", k)
		}
	}
	if w.Slices && !slices.Contains(w.Loads, record.Closed) {
		f.addf("slices need a closed loop")
	}
}

func declared(w record.Workload, name string, kind record.ParamKind) bool {
	p, ok := w.Param(name)
	return ok && p.Kind == kind
}

func (f *faults) param(p record.Param) {
	// A parameter of an engine may have a prefix: broker.heap.
	of, own, ok := strings.Cut(p.Name, ".")
	if !properName(of) || ok && !properName(own) {
		f.addf("parameter %q: the name is not lower-case words", p.Name)
	}
	f.doc("parameter "+p.Name, p.Doc)
	if !slices.Contains([]record.Phase{record.Build, record.Server, record.Load}, p.Phase) {
		f.addf("parameter %s: unknown phase %q", p.Name, p.Phase)
	}
	if p.Min > p.Max {
		f.addf("parameter %s: the range %g to %g is empty", p.Name, p.Min, p.Max)
	}
	if (p.Kind == record.Enum) != (len(p.Choices) > 0) {
		f.addf("parameter %s of kind %s has %d choices", p.Name, p.Kind, len(p.Choices))
	}
	if err := canonicalFault(p); err != nil {
		f.addf("parameter %s: default %q: %w", p.Name, p.Default, err)
	}
}

// only checks that the conditions of a parameter are on values that another parameter can have.
func (f *faults) only(w record.Workload, p record.Param) {
	for _, o := range p.Only {
		other, ok := w.Param(o.Param)
		if !ok || o.Param == p.Name {
			f.addf("parameter %s: a condition on %s, which isn't another parameter", p.Name, o.Param)
			continue
		}
		for _, v := range slices.Concat(o.Is, o.Not) {
			if got, err := other.Canonical(v); err != nil || got != v {
				f.addf("parameter %s: a condition on %s=%s, which it cannot be", p.Name, o.Param, v)
			}
		}
	}
}

func canonicalFault(p record.Param) error {
	kinds := []record.ParamKind{record.Text, record.Int, record.Float, record.Size, record.Duration, record.CPUs,
		record.Bool, record.Enum}
	if !slices.Contains(kinds, p.Kind) {
		return fmt.Errorf("unknown kind %q", p.Kind)
	}
	got, err := p.Canonical(p.Default)
	if err == nil && got != p.Default {
		return errors.New("its canonical form is " + got)
	}
	return err
}

package invocation

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/workload"
)

// value is a parameter's flag: each use adds a setting.
type value struct {
	name string
	kind record.ParamKind
	to   *[]Setting
}

func (v value) String() string { return "" }

// Type names the kind of value for help.
func (v value) Type() string { return string(v.kind) }

// Set adds a setting.
func (v value) Set(text string) error {
	*v.to = append(*v.to, Setting{v.name, text})
	return nil
}

// AddFlags adds a hidden flag for each parameter of the workloads, by its own name and by the further ones, unless
// another flag has the name.
func AddFlags(to *pflag.FlagSet, settings *[]Setting, specs []workload.Spec) {
	add := func(name, short string, kind record.ParamKind, doc string) {
		if to.Lookup(name) != nil {
			return
		}
		if short != "" && to.ShorthandLookup(short) != nil {
			short = ""
		}
		f := to.VarPF(value{name, kind, settings}, name, short, doc)
		f.Hidden = true
		if kind == record.Bool {
			f.NoOptDefVal = "true"
		}
	}
	for _, s := range specs {
		for _, f := range s.Command.Flags {
			p, _ := s.Param(f.Param)
			add(f.Name, f.Short, p.Kind, p.Doc)
		}
	}
	for _, s := range specs {
		for _, p := range s.Params {
			add(flagOf(p.Name), shorts()[p.Name], p.Kind, p.Doc)
		}
	}
}

// shorts returns the letters of parameters that many workloads have.
func shorts() map[string]string { return map[string]string{record.ParamClients: "c"} }

// flagOf returns a parameter's flag, with the hyphens that flags have.
func flagOf(param string) string { return strings.ReplaceAll(param, "_", "-") }

// ParamOf returns the parameter of a workload that a flag sets; "": none.
func ParamOf(s workload.Spec, flag string) string {
	for _, f := range s.Command.Flags {
		if f.Name == flag {
			return f.Param
		}
	}
	for _, p := range s.Params {
		if flagOf(p.Name) == flag {
			return p.Name
		}
	}
	return ""
}

// checkOf returns the error of a flag's value that has another meaning in other tools.
func checkOf(s Setting, req plan.Request, specs []workload.Spec) error {
	for _, name := range req.Workloads() {
		spec, _ := workload.Find(specs, name)
		for _, f := range spec.Command.Flags {
			if f.Name != s.Name || f.Check == nil {
				continue
			}
			if err := f.Check(s.Value); err != nil {
				return usage.Wrap(err)
			}
		}
	}
	return nil
}

// letterOf returns the letter of a workload's flag; "" if it has none.
func letterOf(flag string, s workload.Spec) string {
	i := slices.IndexFunc(s.Command.Flags, func(f workload.Flag) bool { return f.Name == flag })
	if i < 0 {
		return ""
	}
	return s.Command.Flags[i].Short
}

// keyOf returns the parameter that a flag sets among the measured workloads.
func (s Settings) keyOf(flag string, req plan.Request, specs []workload.Spec) (string, error) {
	var measured, others []string
	names := []string{flag} // and its letter if that was typed, which may be another tool's
	for _, spec := range specs {
		name := ParamOf(spec, flag)
		switch key := spec.Name + "." + name; {
		case name == "":
		case slices.Contains(req.Workloads(), spec.Name):
			measured = append(measured, key)
		default:
			others = append(others, spec.Name)
			if letter := letterOf(flag, spec); s.Typed.hasLetter(letter) {
				names = append(names, letter)
			}
		}
	}
	switch len(measured) {
	case 1:
		return measured[0], nil
	case 0:
		hint := "plimsoll run " + others[0] + " --" + flag + " …"
		for _, name := range names {
			if use := peer(name, req.Workloads(), specs); use != "" {
				hint = use
			}
		}
		be := "is"
		if len(req.Workloads()) > 1 {
			be = "are"
		}
		return "", usage.Errorf("--%s is a parameter of %s, and %s %s measured\nhint: %s",
			flag, figure.Listed(others), figure.Listed(req.Workloads()), be, hint)
	default:
		if at := record.TuneAt(measured[0]); at != "" {
			return at, nil // of the machine on which they all run
		}
	}
	return "", usage.Errorf("--%s is a parameter of several measured workloads\nhint: %s", flag,
		strings.Join(list.Map(measured, func(key string) string { return "--set " + key + "=…" }), ", or "))
}

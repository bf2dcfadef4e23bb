package completion

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/record"
	"plimsoll/internal/run/invocation"
	"plimsoll/internal/workload"
)

// measured returns the workloads that the arguments of run measure, those of suites and of plans in YAML included; all
// if they name none.
func (k Known) measured(args []string) []workload.Spec {
	if len(args) == 0 {
		return k.Workloads
	}
	words := args
	if req, err := (invocation.Line{Args: args, Dash: -1}).Request(k.Workloads); err == nil {
		words = req.Workloads()
	}
	if found := k.typed(words); len(found) > 0 {
		return found
	}
	return k.Workloads
}

// settable reports whether a parameter can be set: all can.
func settable(record.Param) bool { return true }

// numeric reports whether a parameter's values have an order, so that it can be swept.
func numeric(p record.Param) bool {
	return slices.Contains([]record.ParamKind{record.Int, record.Float, record.Size, record.Duration, record.CPUs}, p.Kind)
}

// single and several say whether a flag takes one value of a parameter or a list.
const (
	single  = false
	several = true
)

// assignments returns the function for flags of the form KEY=VALUE, or KEY=VALUE,VALUE if they take several values.
func (k Known) assignments(takes func(record.Param) bool, several bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
		measured := k.measured(args)
		key, typed, assigned := strings.Cut(toComplete, "=")
		if !assigned {
			return keys(measured, toComplete, takes), begun
		}
		s, p, ok := k.keyed(key, measured)
		if !ok {
			return nil, files
		}
		values, directive := valuesOf(s, p)
		if several {
			return further(key+"=", typed, values), directive | cobra.ShellCompDirectiveNoSpace
		}
		return prefixed(key+"=", values), directive
	}
}

// keys returns the keys that begin as typed: of one workload its parameters, of several the workloads and, behind the
// dot, their parameters.
func keys(measured []workload.Spec, typed string, takes func(record.Param) bool) []string {
	if len(measured) == 1 {
		if bare := keysOf(measured[0], "", typed, takes); len(bare) > 0 {
			return bare
		}
	}
	var out []string
	for _, s := range measured {
		if strings.HasPrefix(typed, s.Name+".") {
			return keysOf(s, s.Name+".", typed, takes)
		}
		out = append(out, cobra.CompletionWithDesc(s.Name+".", s.Doc))
	}
	return out
}

func keysOf(s workload.Spec, prefix, typed string, takes func(record.Param) bool) []string {
	var out []string
	for _, p := range s.Params {
		if key := prefix + p.Name + "="; takes(p) && strings.HasPrefix(key, typed) {
			out = append(out, cobra.CompletionWithDesc(key, p.Doc))
		}
	}
	return out
}

// keyed returns the parameter of a key, without its workload's name if only one workload is measured.
func (k Known) keyed(key string, measured []workload.Spec) (workload.Spec, record.Param, bool) {
	if len(measured) == 1 {
		if p, ok := measured[0].Param(key); ok { // its name may have a dot
			return measured[0], p, true
		}
	}
	name, param, _ := strings.Cut(key, ".")
	s, ok := k.found(name)
	if !ok {
		return s, record.Param{}, false
	}
	p, ok := s.Param(param)
	return s, p, ok
}

// valuesOf returns the values of a parameter: all if they are few, else its default. Text may be the name of a file.
func valuesOf(s workload.Spec, p record.Param) ([]string, cobra.ShellCompDirective) {
	switch {
	case p.Kind == record.Text:
		return nil, files
	case p.Kind == record.Bool:
		return []string{"false", "true"}, names
	case p.Name == record.ParamPreset || p.Name == record.ParamTunePreset:
		var out []string
		for _, c := range p.Choices {
			at := slices.IndexFunc(s.Presets, func(x record.Preset) bool { return x.Name == c && x.By() == p.Name })
			if at >= 0 {
				c = cobra.CompletionWithDesc(c, s.Presets[at].Doc)
			}
			out = append(out, c)
		}
		return out, names
	case len(p.Choices) > 0:
		return slices.Clone(p.Choices), names
	case p.Kind == record.CPUs:
		return []string{"1", record.AllCPUs}, names
	}
	return []string{cobra.CompletionWithDesc(p.Default, "default")}, names
}

// prefixed returns values behind what was typed before them.
func prefixed(prefix string, values []string) []string {
	out := slices.Clone(values)
	for i := range out {
		out[i] = prefix + out[i]
	}
	return out
}

// further returns the values that may follow in a list behind a key, each once. They have no descriptions: bash's
// script compares a comma in a candidate with one in the word only without.
func further(prefix, typed string, values []string) []string {
	at := strings.LastIndex(typed, ",") + 1
	before := strings.Split(typed[:at], ",")
	var out []string
	for _, v := range values {
		v, _, _ = strings.Cut(v, "\t")
		if !slices.Contains(before, v) {
			out = append(out, prefix+typed[:at]+v)
		}
	}
	return out
}

package record

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Only is a condition of a parameter: it has an effect only while another parameter of its workload has one of some
// values, or none of them.
type Only struct {
	Param string   // the other parameter
	Is    []string // its values with an effect, canonical; nil: all except Not
	Not   []string // its values without one; "": it isn't set
	To    string   // what the parameter applies to, such as "a broker started for the run"; "": the values state it
	Hint  string   // what to do instead; "": leave it out
}

// met reports whether the values meet the condition.
func (o Only) met(vals Params) bool {
	v := vals[o.Param]
	return (o.Is == nil || slices.Contains(o.Is, v)) && !slices.Contains(o.Not, v)
}

// Needing returns parameters with a further condition, before those that they have.
func Needing(o Only, params ...Param) []Param {
	out := slices.Clone(params)
	for i, p := range out {
		out[i].Only = append([]Only{o}, p.Only...)
	}
	return out
}

// unmet returns the first condition that the values don't meet; nil if there is none.
func (p Param) unmet(vals Params) *Only {
	for i, o := range p.Only {
		if !o.met(vals) {
			return &p.Only[i]
		}
	}
	return nil
}

// Effective reports whether a parameter may have an effect with these values.
func (p Param) Effective(vals Params) bool { return p.unmet(vals) == nil }

// Unmet returns why a parameter has no effect with these values, and the action to take; "" if it may have one. The
// reason lacks its subject: "applies only with mode=end_to_end, but mode=produce".
func (w Workload) Unmet(p Param, vals Params) (why, hint string) {
	o := p.unmet(vals)
	if o == nil {
		return "", ""
	}
	to := o.values()
	if o.To != "" {
		to = "to " + o.To
	}
	if hint = o.Hint; hint == "" {
		hint = "leave it out"
		if p.Default != "" {
			hint += fmt.Sprintf("; if a suite sets it, --set %s.%s=%s", w.Name, p.Name, p.Default)
		}
	}
	other, _ := w.Param(o.Param)
	but := other.stated(vals)
	switch {
	case vals[o.Param] == "":
		but += " isn't set"
	case but == o.Param:
		but += " is set"
	}
	return fmt.Sprintf("applies only %s, but %s", to, but), hint
}

// values words the values with an effect.
func (o Only) values() string {
	switch {
	case slices.Equal(o.Is, []string{""}):
		return "without " + o.Param
	case o.Is == nil && slices.Equal(o.Not, []string{""}):
		return "with " + o.Param
	case o.Is == nil:
		return "without " + o.Param + "=" + strings.Join(o.Not, " or "+o.Param+"=")
	}
	return "with " + o.Param + "=" + strings.Join(o.Is, " or "+o.Param+"=")
}

// longestStated is the number of characters up to which messages state a value in full.
const longestStated = 40

// stated returns NAME=VALUE, or only the name of a parameter without a value, or with a secret or long one.
func (p Param) stated(vals Params) string {
	v := vals[p.Name]
	long := utf8.RuneCountInString(v) > longestStated || strings.Contains(v, "\n")
	if v == "" || p.Kind == Text && (p.Secret != "" || long) {
		return p.Name
	}
	return p.Name + "=" + v
}

// usual returns the value of a parameter that isn't set.
func (p Param) usual(vals Params) string {
	if p.Derive != nil {
		return p.Derive(vals)
	}
	return p.Default
}

// Ignore gives the parameters that are set without an effect their usual value, and removes them from those set: no
// result is described by a value that it doesn't have.
func (w Workload) Ignore(vals Params, set map[string]string) {
	for _, p := range w.Params {
		if _, given := set[p.Name]; given && !p.Effective(vals) {
			vals[p.Name] = p.usual(vals)
			delete(set, p.Name)
		}
	}
}

// Ineffective returns an error if a parameter was set to another value than its default, and has no effect in any of
// several sets of values. A comparison would report it as a factor that makes no difference.
func (w Workload) Ineffective(set func(name string) bool, all ...Params) error {
	for _, p := range w.Params {
		if len(p.Only) == 0 || !set(p.Name) || slices.ContainsFunc(all, p.Effective) {
			continue
		}
		if i := slices.IndexFunc(all, func(vals Params) bool { return vals[p.Name] != p.usual(vals) }); i >= 0 {
			why, hint := w.Unmet(p, all[i])
			return fmt.Errorf("%s: %s %s\nhint: %s", w.Name, p.stated(all[i]), why, hint)
		}
	}
	return nil
}

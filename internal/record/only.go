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

// Met reports whether the values meet the condition.
func (o Only) Met(vals Params) bool {
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

// Unmet returns why a parameter has no effect with these values, and the action to take; "" if it may have one. The
// reason lacks its subject: "applies only with mode=end_to_end, but mode=produce".
func (w Workload) Unmet(name string, vals Params) (why, hint string) {
	p, _ := w.Param(name)
	for _, o := range p.Only {
		if o.Met(vals) {
			continue
		}
		to := o.values()
		if o.To != "" {
			to = "to " + o.To
		}
		if hint = o.Hint; hint == "" {
			hint = "leave it out"
			if p.Default != "" {
				hint += fmt.Sprintf("; if a suite sets it, --set %s.%s=%s", w.Name, name, p.Default)
			}
		}
		return fmt.Sprintf("applies only %s, but %s", to, w.state(o.Param, vals)), hint
	}
	return "", ""
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

// state words the value of a parameter that is a condition of others.
func (w Workload) state(name string, vals Params) string {
	v := vals[name]
	switch p, _ := w.Param(name); {
	case v == "":
		return name + " isn't set"
	case p.Kind == Text && (p.Secret != "" || utf8.RuneCountInString(v) > longestStated || strings.Contains(v, "\n")):
		return name + " is set"
	}
	return name + "=" + v
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
		if _, given := set[p.Name]; !given {
			continue
		}
		if why, _ := w.Unmet(p.Name, vals); why != "" {
			vals[p.Name] = p.usual(vals)
			delete(set, p.Name)
		}
	}
}

// Effective returns an error if a parameter was set to another value than its default, and has no effect in any of
// several sets of values. A comparison would report it as a factor that makes no difference.
func (w Workload) Effective(set func(name string) bool, all ...Params) error {
	for _, p := range w.Params {
		if len(p.Only) == 0 || !set(p.Name) {
			continue
		}
		var found error
		for _, vals := range all {
			why, hint := w.Unmet(p.Name, vals)
			if why == "" {
				found = nil
				break
			}
			if found == nil && vals[p.Name] != p.usual(vals) {
				found = fmt.Errorf("%s: %s %s\nhint: %s", w.Name, w.given(p, vals), why, hint)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// given words the value of a parameter that was set.
func (w Workload) given(p Param, vals Params) string {
	if stated := w.state(p.Name, vals); stated == p.Name+"="+vals[p.Name] {
		return stated
	}
	return p.Name
}

package run

import (
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Label returns an order's name for display: its workload, the levels of its factors, and its load. It joins the sides
// of a sliced order.
func Label(o record.Order) string {
	var sides []string
	for i := range o.Sides {
		sides = append(sides, sideLabel(o, i))
	}
	return strings.Join(sides, " | ")
}

func sideLabel(o record.Order, i int) string {
	s := o.Sides[i]
	out := s.Workload
	switch o.Role() {
	case record.RoleProfile:
		out = "profile of " + out
	case record.RolePilot:
		out = "pilot of " + out
	case record.RoleExtra:
		out = "extra pair of " + out
	}
	for _, f := range slices.Sorted(maps.Keys(s.Levels)) {
		out += " " + short(f, s.Workload) + "=" + s.Levels[f]
	}
	if s.Load.Unit != "" {
		out += " at " + record.LoadText(s.Load.Key())
	}
	if o.Host != "" {
		out += " on " + o.Host
	}
	return out
}

// named returns the order with the name that its host was given, if any.
func (l *Loop) named(o record.Order) record.Order {
	if name := l.Plan.Names[o.Host]; name != "" {
		o.Host = name
	}
	return o
}

func short(factor, workload string) string { return strings.TrimPrefix(factor, workload+".") }

// stampSecrets adds to a trial's keys a digest of each variable that its parameters refer to, which shows if it
// changed. It does not distinguish cells: tokens are renewed, and give access to the same thing. Contents of files are
// in the parameter itself.
func (l *Loop) stampSecrets(s record.Side, keys map[string]string) {
	for name, digest := range l.Secrets.Digests(s.Params) {
		keys[record.SecretPrefix+name] = digest
	}
}

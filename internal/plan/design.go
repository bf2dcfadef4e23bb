package plan

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

const (
	// fullFactors is the number of two-level factors up to which all combinations are measured
	// (docs/derivations.md#factorial-designs).
	fullFactors = 3
	halfFactors = 4
)

// concerning returns the factors that vary a parameter of a workload.
func concerning(factors []Factor, workload string) []Factor {
	return slices.DeleteFunc(slices.Clone(factors), func(f Factor) bool { return !concerns(f, workload) })
}

// designFor returns the design of the factors; nil for fewer than two.
func designFor(factors []Factor, workload string) *record.Design {
	own := concerning(factors, workload)
	if len(own) < 2 {
		return nil
	}
	d := record.Design{Workload: workload, Kind: record.DesignFull}
	for _, f := range own {
		d.Factors = append(d.Factors, f.Name)
		if len(f.Levels) > 2 {
			d.Kind, d.Why = record.DesignMixed, fmt.Sprintf("%s has %d levels", f.Name, len(f.Levels))
		}
	}
	switch {
	case d.Kind == record.DesignMixed:
	case len(own) > halfFactors:
		d.Kind, d.Why = record.DesignMixed, fmt.Sprintf("it has %d factors", len(own))
	case len(own) > fullFactors:
		d.Kind, d.Relation = record.DesignHalf, record.HalfRelation
	}
	return &d
}

// designed returns the combinations of a workload's factors that its design includes.
func designed(factors []Factor, workload string) []combination {
	all := combinations(factors, workload)
	d := designFor(factors, workload)
	if d == nil || d.Kind != record.DesignHalf {
		return all
	}
	// The last factor varies fastest, so that the bits of a combination's index are its levels.
	var out []combination
	for at, c := range all {
		if bits.OnesCount(uint(at))%2 == 0 {
			out = append(out, c)
		}
	}
	return out
}

// register notes the design of an ask's groups, once for equal ones of a workload.
func (b builder) register() {
	d := designFor(b.factors, b.decl.Name)
	if d == nil || slices.ContainsFunc(b.plan.Designs, func(o record.Design) bool { return o.String() == d.String() }) {
		return
	}
	b.plan.Designs = append(b.plan.Designs, *d)
}

// randomised reports whether the sides of a group are combinations of several factors: each replicate is then a block
// in its own order.
func randomised(p record.Plan, g group) bool {
	first := p.Cells[g.cells[0]]
	return slices.ContainsFunc(p.Designs, func(d record.Design) bool {
		return d.Workload == first.Workload &&
			!slices.ContainsFunc(d.Factors, func(f string) bool { return first.Levels[f] == "" })
	})
}

// impossible returns an error if some but not all combinations of levels cannot be measured at a point of the sweep. A
// factorial needs all of them, and missing ones could not be attributed to a factor.
func (b builder) impossible(point map[string]string, host string) error {
	own := concerning(b.factors, b.decl.Name)
	if len(own) < 2 || b.ask.Optional {
		return nil
	}
	all := designed(b.factors, b.decl.Name)
	var refused []combination
	why := ""
	for _, c := range all {
		trial := b
		trial.plan = &record.Plan{Hosts: b.plan.Hosts, Generators: b.plan.Generators}
		if err := trial.side(point, c, host, 0); err != nil {
			if refused = append(refused, c); why == "" {
				why = usage.FirstLine(err)
			}
		}
	}
	if len(refused) == 0 || len(refused) == len(all) {
		return nil
	}
	names := list.Map(refused, func(c combination) string { return inWords(c, own) })
	return usagef("%d of the %d combinations of %s cannot be measured: %s: %s\nhint: %s", len(refused), len(all),
		listed(own), strings.Join(names, "; "), why, b.instead(own, refused))
}

// inWords returns a combination as text.
func inWords(c combination, factors []Factor) string {
	return strings.Join(list.Map(factors, func(f Factor) string { return f.Name + "=" + c.names[f.Name] }), " ")
}

func listed(factors []Factor) string {
	return strings.Join(list.Map(factors, func(f Factor) string { return f.Name }), ", ")
}

// instead suggests an alternative: one of the factors fixed at a level at which everything else can be measured, else
// the possible states as the levels of one factor.
func (b builder) instead(factors []Factor, refused []combination) string {
	for _, f := range factors {
		for _, l := range f.Levels {
			_, param := l.Set[f.Name]
			if !param || slices.ContainsFunc(refused, func(c combination) bool { return c.names[f.Name] == l.Name }) {
				continue
			}
			text := fmt.Sprintf("--set %s=%s", f.Name, l.Name)
			for _, o := range factors {
				if o.Name != f.Name {
					text += fmt.Sprintf(" --vary %s=%s", o.Name, strings.Join(levelNames(o), ","))
				}
			}
			return text + fmt.Sprintf(", and %s in a separate run; or list the possible states as the levels of one "+
				"factor in a suite", f.Name)
		}
	}
	return "vary them one at a time, or list the possible states as the levels of one factor in a suite"
}

func levelNames(f Factor) []string {
	return list.Map(f.Levels, func(l Level) string { return l.Name })
}

// incomplete returns the plan's designs once it is known which cells were left out.
func incomplete(p record.Plan) []record.Design {
	var out []record.Design
	for _, d := range p.Designs {
		d.Factors = slices.DeleteFunc(slices.Clone(d.Factors), func(name string) bool {
			return !slices.ContainsFunc(p.Factors, func(f record.Factor) bool { return f.Name == name })
		})
		if len(d.Factors) < 2 {
			continue
		}
		if d.Kind != record.DesignMixed && !whole(p, d) {
			d.Kind, d.Relation, d.Why = record.DesignMixed, "", "some of the combinations cannot be measured here"
		}
		out = append(out, d)
	}
	return out
}

// whole reports whether every group that varies the factors of a design has all of its combinations on each host.
func whole(p record.Plan, d record.Design) bool {
	type side struct {
		group int
		host  string
	}
	cells := map[side]int{}
	for _, c := range p.Cells {
		if c.Workload == d.Workload && c.Levels[d.Factors[0]] != "" {
			cells[side{c.Group, c.Host}]++
		}
	}
	want := 1 << len(d.Factors)
	if d.Kind == record.DesignHalf {
		want /= 2
	}
	for _, n := range cells {
		if n != want {
			return false
		}
	}
	return true
}

package judge

import (
	"fmt"
	"slices"

	"plimsoll/internal/record"
)

// matched is one cell that both sides measured. Its trials may be void.
type matched struct {
	place  place
	params map[string]string
	a, b   []record.Trial
}

// match finds the cells that two levels of the axis have in common, and those
// that only one of them has.
func (j judgement) match(trials []record.Trial, a, b string) (both []matched, onlyA, onlyB []place) {
	order, groups := grouped(trials, func(t record.Trial) place { return placeOf(t, j.axis.by, j.axis.varied) })
	for _, p := range order {
		_, at := grouped(groups[p], func(t record.Trial) string { return level(t.Keys, j.axis.by) })
		switch {
		case len(at[a]) > 0 && len(at[b]) > 0:
			both = append(both, matched{p, paramsOf(at[a][0], j.axis.varied), at[a], at[b]})
		case len(at[a]) > 0:
			onlyA = append(onlyA, p)
		case len(at[b]) > 0:
			onlyB = append(onlyB, p)
		}
	}
	return both, onlyA, onlyB
}

// compareCell compares each metric that both sides of a cell have, and notes what of the others
// keeps them apart.
func (j judgement) compareCell(p Pair, m matched, apart *gaps) []Comparison {
	m.a, m.b = withoutErrors(m.a, m.b)
	a, b := valid(m.a), valid(m.b)
	if len(a) == 0 || len(b) == 0 {
		apart.add(notCompared, nothingValid(p, a), j.name(m))
		return nil
	}
	offered := j.offerOf(m)
	decider := offered.decider(a, b)
	if why := undecidedBy(a, b); why != "" {
		apart.add(noVerdict, why, j.name(m))
	}
	seen := j.lookedAt(m, decider)
	var out []Comparison
	for _, metric := range metricsOf(a, b) {
		if why := unlike(p, metric.Name, a, b); why != "" {
			apart.add(notCompared, why, j.name(m))
			continue
		}
		c := j.concludeOn(m, metric, metric.Name == decider, seen)
		offered.limit(&c)
		out = append(out, c)
	}
	return out
}

// concludeOn compares one metric of machines, levels or types.
func (j judgement) concludeOn(m matched, metric record.Metric, primary bool, seen looked) Comparison {
	if c, ok := j.notCrossed(m, metric, primary); ok {
		return c
	}
	if j.axis.by == ByType {
		return j.compareTypes(m, metric, primary)
	}
	return j.compareMetric(m, metric, primary, seen)
}

func nothingValid(p Pair, a []record.Trial) string {
	if len(a) == 0 {
		return "no valid trial of " + p.A
	}
	return "no valid trial of " + p.B
}

// bothValid is an error where one side has no valid trial in any cell.
func bothValid(p Pair, both []matched) error {
	var a, b [][]record.Trial
	for _, m := range both {
		a, b = append(a, m.a), append(b, m.b)
	}
	if err := anyValid(p.A, a); err != nil {
		return err
	}
	return anyValid(p.B, b)
}

func anyValid(side string, cells [][]record.Trial) error {
	e := NoValid{Side: side}
	for _, trials := range cells {
		for _, t := range trials {
			if t.Void == "" {
				return nil
			}
			e.Void++
			if !slices.Contains(e.Reasons, t.Void) {
				e.Reasons = append(e.Reasons, t.Void)
			}
		}
	}
	return e
}

// uncompared warns of the cells that only one side has.
func uncompared(side string, only []place) []string {
	if len(only) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("not compared, only %s has: %s", side, some(texts(only)))}
}

func texts(places []place) []string {
	out := make([]string, len(places))
	for i, p := range places {
		out[i] = p.String()
	}
	return out
}

// emulated says whether any of the sample's trials ran on an emulator.
func (j judgement) emulated(s sample) bool {
	return slices.ContainsFunc(s.a, j.fleet.emulated) || slices.ContainsFunc(s.b, j.fleet.emulated)
}

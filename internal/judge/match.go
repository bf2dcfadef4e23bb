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

// compareCell compares each metric that both sides of a cell have.
func (j judgement) compareCell(p *Pair, m matched) []Comparison {
	a, b := valid(m.a), valid(m.b)
	offered := j.offerOf(m)
	decider := offered.decider(a, b)
	var out []Comparison
	for _, metric := range metricsOf(a) {
		if slices.ContainsFunc(metricsOf(b), func(o record.Metric) bool { return o.Name == metric.Name && o.Unit == metric.Unit }) {
			c := j.compareMetric(m, metric, metric.Name == decider)
			offered.limit(&c)
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		p.Warnings = append(p.Warnings, nothingLeft(p, m))
	}
	return out
}

func nothingLeft(p *Pair, m matched) string {
	why := "no metric in common"
	switch {
	case len(valid(m.a)) == 0:
		why = "no valid trial of " + p.A
	case len(valid(m.b)) == 0:
		why = "no valid trial of " + p.B
	}
	return fmt.Sprintf("not compared, %s: %s", why, m.place)
}

// bothValid is an error where one side has no valid trial in any cell.
func bothValid(p Pair, both []matched) error {
	var a, b []record.Trial
	for _, m := range both {
		a, b = append(a, m.a...), append(b, m.b...)
	}
	if err := anyValid(p.A, a); err != nil {
		return err
	}
	return anyValid(p.B, b)
}

func anyValid(side string, trials []record.Trial) error {
	if len(valid(trials)) > 0 {
		return nil
	}
	e := NoValid{Side: side, Void: len(trials)}
	for _, t := range trials {
		if !slices.Contains(e.Reasons, t.Void) {
			e.Reasons = append(e.Reasons, t.Void)
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

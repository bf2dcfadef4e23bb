package judge

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// sweptLines are the load lines of the sweeps that two sides have in common, one trial for each replicate of a sweep:
// what the rates say together. At each rate by itself two machines that carry it do the same.
func (j judgement) sweptLines(trials []record.Trial) []record.Trial {
	var found []record.Trial
	sides := map[place]map[string]bool{}
	at := func(t record.Trial) place { return placeOf(t, j.axis.by, j.axis.varied) }
	for _, side := range j.axis.levels {
		of := kept(trials, func(t *record.Trial) bool { return level(t.Keys, j.axis.by) == side })
		for _, r := range rampsOf(of) {
			for _, line := range r.lineTrials() {
				found = append(found, line)
				if sides[at(line)] == nil {
					sides[at(line)] = map[string]bool{}
				}
				sides[at(line)][side] = true
			}
		}
	}
	return slices.DeleteFunc(found, func(t record.Trial) bool { return len(sides[at(t)]) < 2 })
}

// lineTrials are a sweep's load lines, by replicate.
func (r ramp) lineTrials() []record.Trial {
	carried := r.carried()
	if carried.Name == "" && r.Param != record.ParamRate {
		return nil
	}
	unit := carried.Unit
	if unit == "" {
		unit = "op/s"
	}
	var order []slot
	probes := map[slot][]record.Trial{}
	lines := map[slot]map[string]roundLine{}
	for _, m := range metricsOf(r.trials()) {
		statistic, ok := statisticOf(m)
		if !ok {
			continue
		}
		rounds, _ := r.having(m.Name, carried.Name).rounds()
		own := map[slot]roundLine{}
		var at []ramp
		for _, round := range rounds {
			if line, reason := roundLineOf(round.probes(carried.Name, m.Name), 0); reason.IsZero() && len(round.Points) >= minRamp {
				own[sweepOf(round.trials()[0])], at = line, append(at, round)
			}
		}
		if 2*len(at) <= len(rounds) {
			continue // most have none, and those few are no sample of all
		}
		for _, round := range at {
			which := sweepOf(round.trials()[0])
			line := own[which]
			if lines[which] == nil {
				order, probes[which], lines[which] = append(order, which), round.trials(), map[string]roundLine{}
			}
			lines[which][statistic] = line
		}
	}
	var out []record.Trial
	for _, which := range order {
		out = append(out, r.lineTrial(probes[which], lines[which], unit))
	}
	return out
}

// lineTrial is one replicate of a sweep as a trial that states its load lines. Its group and cell are the sweep's first, so that it is
// the pair of the same replicate on another machine.
func (r ramp) lineTrial(probes []record.Trial, lines map[string]roundLine, unit string) record.Trial {
	t := standIn(probes, r.lineKeys(probes[0]), record.LoadPoint{Kind: probes[0].Load.Kind, Unit: r.Param, All: true})
	for _, p := range r.trials() {
		t.Group, t.Cell = min(t.Group, p.Group), min(t.Cell, p.Cell)
	}
	t.ID = fmt.Sprintf("%s-r%d-g%d-c%d-swept-%s", t.Plan, t.Replicate, t.Group, t.Cell, r.Param)
	for i, statistic := range chiefFirst(lines) {
		t.Values = append(t.Values, lineValues(statistic, unit, lines[statistic], i == 0)...)
	}
	t.Doubts = note.Texts(partDoubts(probes, "loads"))
	return t
}

// lineKeys are the identity of a sweep's trial without its load. A sweep of rates meets those of `run --load-sweep` of another session.
func (r ramp) lineKeys(t record.Trial) map[string]string {
	keys := maps.Clone(t.Keys)
	w := workloadOf(t)
	delete(keys, w+"."+r.Param)
	if r.Param == record.ParamRate {
		delete(keys, w+"."+record.ParamClients)
	}
	keys[record.KeyLoad] = sweptKey(r.Param)
	return keys
}

// sweptKey names a sweep of loads in the place of any one of them.
func sweptKey(unit string) string {
	if unit == record.ParamRate {
		return record.KeySwept
	}
	return record.KeySwept + " of " + unit
}

// notCrossed is the comparison of load lines of which one is only known to be at least what was measured: it has no ratio. The crossed
// ones alone would be the lower ones, and theirs no better.
func (j judgement) notCrossed(m matched, metric record.Metric, primary bool) (Comparison, bool) {
	if !isLine(metric.Name) {
		return Comparison{}, false
	}
	c := j.begin(m, metric, primary)
	if j.axis.by == ByType {
		c.Claim = claimType
	}
	a, b := having(m.a, metric.Name), having(m.b, metric.Name)
	openA, openB := atLeast(a, metric.Name), atLeast(b, metric.Name)
	if openA+openB == 0 {
		return c, false
	}
	c.A, c.B, c.N = Average(valuesOf(a, metric.Name)), Average(valuesOf(b, metric.Name)), min(len(a), len(b))
	for _, side := range []struct {
		name  string
		value *float64
		open  int
		of    int
	}{{"a", &c.A, openA, len(a)}, {"b", &c.B, openB, len(b)}} {
		if side.open > 0 {
			*side.value = math.NaN()
			c.flag("line-not-crossed", side.open, side.of, side.name)
		}
	}
	return c, true
}

// atLeast counts the trials whose value is only known to be at least what it is.
func atLeast(trials []record.Trial, metric string) int {
	n := 0
	for _, t := range trials {
		if v, ok := t.Value(metric); ok && v.AtLeast {
			n++
		}
	}
	return n
}

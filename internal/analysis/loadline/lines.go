package loadline

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// LineTrials returns a sweep's load lines, by replicate. Objectives are as for LinesOf.
func (r Ramp) LineTrials(objectives map[string]float64) []record.Trial {
	carried := r.Carried()
	if carried.Name == "" && r.Param != record.ParamRate {
		return nil
	}
	unit := carried.Unit
	if unit == "" {
		unit = "op/s"
	}
	var order []trialset.Slot
	probes := map[trialset.Slot][]record.Trial{}
	lines := map[trialset.Slot]map[string]roundLine{}
	for _, m := range trialset.MetricsOf(r.ByPoint()...) {
		statistic, ok := StatisticOf(m)
		if !ok || len(objectives) > 0 && objectives[statistic] == 0 {
			continue
		}
		rounds, _ := r.Having(m.Name, carried.Name).rounds()
		own := map[trialset.Slot]roundLine{}
		var at []Ramp
		for _, round := range rounds {
			if line, reason := roundLineOf(round.probes(carried.Name, m.Name), objectives[statistic]); reason.IsZero() &&
				len(round.Points) >= MinRamp {
				own[trialset.SweepOf(round.First().Trials[0])], at = line, append(at, round)
			}
		}
		if 2*len(at) <= len(rounds) {
			continue // most have none, and those few are no sample of all
		}
		for _, round := range at {
			which := trialset.SweepOf(round.First().Trials[0])
			line := own[which]
			if lines[which] == nil {
				order, probes[which], lines[which] = append(order, which), slices.Concat(round.ByPoint()...), map[string]roundLine{}
			}
			lines[which][statistic] = line
		}
	}
	group, cell := r.place()
	return list.Map(order, func(which trialset.Slot) record.Trial {
		t := r.lineTrial(probes[which], lines[which], unit)
		t.Group, t.Cell = min(t.Group, group), min(t.Cell, cell)
		t.ID = fmt.Sprintf("%s-r%d-g%d-c%d-swept-%s", t.Plan, t.Replicate, t.Group, t.Cell, r.Param)
		return t
	})
}

// place returns the lowest group and cell of a sweep.
func (r Ramp) place() (group, cell int) {
	group, cell = math.MaxInt, math.MaxInt
	for _, p := range r.Points {
		for i := range p.Trials {
			group, cell = min(group, p.Trials[i].Group), min(cell, p.Trials[i].Cell)
		}
	}
	return group, cell
}

// lineTrial returns one replicate of a sweep as a trial with its load lines as values. The caller sets its group and
// cell to the sweep's first, so that it pairs with the same replicate on another machine.
func (r Ramp) lineTrial(probes []record.Trial, lines map[string]roundLine, unit string) record.Trial {
	t := trialset.StandIn(probes, r.lineKeys(probes[0]),
		record.LoadPoint{Kind: probes[0].Load.Kind, Unit: r.Param, All: true})
	for i, statistic := range ChiefFirst(lines) {
		t.Values = append(t.Values, lineValues(statistic, unit, lines[statistic], i == 0)...)
	}
	t.Doubts = note.Texts(trialset.PartDoubts(probes, "loads"))
	return t
}

// lineKeys returns the identity of a sweep's trial without its load. A sweep of rates thereby matches those of `run
// --load-sweep` in another session.
func (r Ramp) lineKeys(t record.Trial) map[string]string {
	keys := maps.Clone(t.Keys)
	w := trialset.WorkloadOf(t)
	delete(keys, w+"."+r.Param)
	if r.Param == record.ParamRate {
		delete(keys, w+"."+record.ParamClients)
	}
	keys[record.KeyLoad] = SweptKey(r.Param)
	return keys
}

// SweptKey returns the key of a whole sweep of loads, in place of one load.
func SweptKey(unit string) string {
	if unit == record.ParamRate {
		return record.KeySwept
	}
	return record.KeySwept + " of " + unit
}

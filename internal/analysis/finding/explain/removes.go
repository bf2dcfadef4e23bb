package explain

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// removals finds single changes, measured in these files on the more expensive side with all else equal, that reduce
// its costs.
func (e *explainer) removals(x *Explanation, s sides) {
	for _, c := range x.Categories {
		if c.Named {
			e.removalsOf(x, s, c, false)
		}
	}
	for _, c := range x.Waits {
		if c.Named && c.Source == fromProfile {
			e.removalsOf(x, s, c, true)
		}
	}
	if !x.Profiled && x.CPU != nil && x.CPU.Excludes(0) {
		e.removalsOf(x, s, *x.CPU, false)
	}
	slices.SortStableFunc(x.Removes, func(a, b Removal) int { return cmp.Compare(b.Share, a.Share) })
}

func (e *explainer) removalsOf(x *Explanation, s sides, part CostPart, waits bool) {
	worse, better, side := s.b, s.a, "b"
	if part.Diff < 0 {
		worse, better, side = s.a, s.b, "a"
	}
	if x.Profiled {
		worse = costing(worse, waits)
	}
	if len(worse) == 0 {
		return
	}
	own := cellsOfCosted(better)
	for _, at := range e.cells(x.Profiled) {
		from := worse[0].trial
		if at.plan != from.Plan || at.machine != from.Keys[record.KeyMachine] || slices.Contains(own, at) {
			continue
		}
		others := e.trialsAt(at, x.Profiled)
		if x.Profiled {
			others = costing(others, waits)
		}
		if len(others) == 0 {
			continue
		}
		change, ok := oneChange(*from, *others[0].trial)
		// another level of the compared dimension is no remedy for it
		if !ok || axis.Level(from.Keys, x.by) != axis.Level(others[0].trial.Keys, x.by) {
			continue
		}
		for _, u := range e.unread[at] {
			x.Doubts = note.With(x.Doubts, u)
		}
		with, without, paired := slotPairs(others, worse, trialIn)
		cost := func(of []profiledTrial) []float64 {
			if part.Category == "" {
				out, _ := totals(of)
				return out
			}
			return categoryCosts(of, waits, part.Category)
		}
		a, b := cost(with), cost(without)
		if min(len(a), len(b)) < estimate.MinReplicates {
			continue
		}
		d := stat.DifferenceOf(a, b, paired, stat.SDFloor*stat.Mean(b))
		iv, gap := d.Interval(explainAlpha), math.Abs(part.Diff)
		r := Removal{Change: change, Side: side, Category: part.Category, Wait: waits, Share: d.Mean / gap,
			N: min(len(a), len(b))}
		if r.Share < .1 || iv.Lo <= 0 {
			continue
		}
		r.Bounds = figure.Between(iv.Lo/gap, iv.Hi/gap)
		r.Removes = r.Share >= removesAll && iv.Lo/gap >= removesHalf
		x.Removes = append(x.Removes, r)
	}
}

// costing returns the trials whose costs of that kind are known.
func costing(of []profiledTrial, waits bool) []profiledTrial {
	return slices.DeleteFunc(slices.Clone(of), func(c profiledTrial) bool {
		return c.costs(waits) == nil || c.costs(waits).PerOp <= 0
	})
}

func cellsOfCosted(of []profiledTrial) []trialCell {
	var out []trialCell
	for _, c := range of {
		if at := trialCellOf(*c.trial); !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// cells returns those with trials of the compared kind, in order.
func (e *explainer) cells(profiled bool) []trialCell {
	if profiled {
		return slices.SortedFunc(maps.Keys(e.profiled), trialCell.compare)
	}
	return e.order
}

func (a trialCell) compare(b trialCell) int {
	return cmp.Or(cmp.Compare(a.plan, b.plan), cmp.Compare(a.cell, b.cell), cmp.Compare(a.machine, b.machine))
}

func (e *explainer) trialsAt(at trialCell, profiled bool) []profiledTrial {
	if profiled {
		return e.profiled[at]
	}
	return unprofiled(e.measured[at])
}

// unprofiled returns trials without their profiles.
func unprofiled(trials []record.Trial) []profiledTrial {
	out := make([]profiledTrial, len(trials))
	for i := range trials {
		out[i].trial = &trials[i]
	}
	return out
}

// oneChange returns the one difference between the cells of two trials of a workload, in words: a factor, which may set
// several parameters, or a parameter; false if there are several, or if they did other work: operations of 1 KiB cost
// less than those of 1 MiB and are no remedy for these.
func oneChange(from, to record.Trial) (change string, ok bool) {
	workload := trialset.WorkloadOf(from)
	if workload != trialset.WorkloadOf(to) {
		return "", false
	}
	var factors, params []string
	for key := range union(from.Keys, to.Keys) {
		if from.Keys[key] == to.Keys[key] {
			continue
		}
		factor, isFactor := strings.CutPrefix(key, record.FactorPrefix)
		param, isParam := strings.CutPrefix(factor, workload+".")
		switch {
		case key == record.KeyLoad, (isFactor || isParam) && record.DefinesWork(workload, param):
			return "", false
		case isFactor:
			factors = append(factors, key)
		case isParam:
			params = append(params, key)
		}
	}
	switch {
	// The other levels of a factor belong to the same group; the same level in another group has another load.
	case len(factors) == 1 && from.Group != to.Group:
		return "", false
	case len(factors) > 1 || len(factors) == 0 && len(params) != 1:
		return "", false
	case len(factors) == 1 && len(params) != 1:
		return strings.TrimPrefix(factors[0], record.FactorPrefix) + "=" + to.Keys[factors[0]], true
	}
	return changeText(workload, params[0], to.Keys[params[0]]), true
}

// union merges the keys of both; the first map's values take precedence.
func union[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(b)
	if out == nil {
		out = map[string]V{}
	}
	maps.Copy(out, a)
	return out
}

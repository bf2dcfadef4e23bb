package judge

import (
	"maps"
	"slices"
	"strconv"

	"plimsoll/internal/finding"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/sequential"
	"plimsoll/internal/trialset"
)

// match finds the cells that two levels of the axis have in common, and those
// that only one of them has.
func (ax axis) match(trials []record.Trial, a, b string) (both []trialset.Matched, onlyA, onlyB []trialset.Key) {
	order, groups := trialset.GroupBy(trials, func(t record.Trial) trialset.Key { return trialset.KeyOf(t, ax.by, ax.varied) })
	in := make(map[trialset.Key]map[string][]record.Trial, len(order))
	for _, p := range order {
		_, in[p] = trialset.GroupBy(groups[p], func(t record.Trial) string { return level(t.Keys, ax.by) })
	}
	allA, allB := ax.wholes(order, in, a), ax.wholes(order, in, b)
	met := map[trialset.Key]bool{} // with whole machines' CPUs, compared with as many of the other side
	for _, p := range order {
		ofA, ofB, whole := in[p][a], in[p][b], trialset.Key{}
		switch {
		case len(ofA) > 0 && len(ofB) == 0:
			whole = allB[p]
			ofB = counted(in[whole][b])
		case len(ofB) > 0 && len(ofA) == 0:
			whole = allA[p]
			ofA = counted(in[whole][a])
		}
		if len(ofA) > 0 && len(ofB) > 0 {
			both = append(both, trialset.Matched{Place: p, Params: trialset.ParamsOf(groups[p][0], ax.varied), A: ofA, B: ofB})
			met[p], met[whole] = true, true
		}
	}
	for _, p := range order {
		switch {
		case met[p]:
		case len(in[p][a]) > 0:
			onlyA = append(onlyA, p)
		case len(in[p][b]) > 0:
			onlyB = append(onlyB, p)
		}
	}
	return both, onlyA, onlyB
}

// wholes finds the places in which a side's load took all of its CPUs by the places of that many: "all" of a machine
// of 64 CPUs is the load of 64.
func (ax axis) wholes(order []trialset.Key, in map[trialset.Key]map[string][]record.Trial, side string) map[trialset.Key]trialset.Key {
	out := map[trialset.Key]trialset.Key{}
	for _, p := range order {
		trials := in[p][side]
		if len(trials) == 0 || !trials[0].Load.All || trialset.CPUsOf(trials[0]) == 0 || slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Load != trials[0].Load }) {
			continue
		}
		out[trialset.KeyOf(counted(trials[:1])[0], ax.by, ax.varied)] = p
	}
	return out
}

// counted are trials of all CPUs with their number in the place of all.
func counted(trials []record.Trial) []record.Trial {
	out := slices.Clone(trials)
	for i := range out {
		t := &out[i]
		t.Load.All = false
		t.Keys = maps.Clone(t.Keys)
		t.Keys[record.KeyLoad] = t.Load.Key()
		if key := trialset.WorkloadOf(*t) + "." + record.ParamCPUs; t.Keys[key] != "" {
			t.Keys[key] = strconv.Itoa(trialset.CPUsOf(*t))
		}
	}
	return out
}

// compareCell compares each metric that both sides of a cell have, and notes what of the others
// keeps them apart.
func (j judgement) compareCell(p finding.Pair, m trialset.Matched, apart *gaps) []finding.Comparison {
	m.A, m.B = withoutErrors(m.A, m.B)
	a, b := trialset.Valid(m.A), trialset.Valid(m.B)
	if len(a) == 0 || len(b) == 0 {
		apart.add(notCompared, nothingValid(p, a), j.name(m))
		return nil
	}
	offered := j.offerOf(p, m)
	deciders := offered.deciders(a, b)
	primary := ""
	if len(deciders) > 0 {
		primary = deciders[0]
	}
	if why := trialset.UndecidedBy(a, b); !why.IsZero() {
		apart.add(noVerdict, why, j.name(m))
	}
	seen := j.lookedAt(m, primary)
	var out []finding.Comparison
	for _, metric := range trialset.MetricsOf(a, b) {
		if why := unlike(p, metric.Name, a, b); !why.IsZero() {
			apart.add(notCompared, why, j.name(m))
			continue
		}
		c := j.concludeOn(m, metric, slices.Contains(deciders, metric.Name), seen)
		c.Primary = metric.Name == primary
		offered.limit(&c, trialset.PrimaryOf(a))
		out = append(out, c)
	}
	return out
}

// concludeOn compares one metric of machines, levels or types.
func (j judgement) concludeOn(m trialset.Matched, metric record.Metric, primary bool, seen sequential.Cut) finding.Comparison {
	if c, ok := j.notCrossed(m, metric, primary); ok {
		return c
	}
	if j.axis.by == trialset.ByType {
		return j.compareTypes(m, metric, primary)
	}
	return j.compareMetric(m, metric, primary, seen)
}

func nothingValid(p finding.Pair, a []record.Trial) note.Note {
	if len(a) == 0 {
		return note.New("no-valid-trial-of", p.A)
	}
	return note.New("no-valid-trial-of", p.B)
}

// bothValid is an error where one side has no valid trial in any cell.
func bothValid(p finding.Pair, both []trialset.Matched) error {
	var a, b [][]record.Trial
	for _, m := range both {
		a, b = append(a, m.A), append(b, m.B)
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
func uncompared(side string, only []trialset.Key) []note.Note {
	if len(only) == 0 {
		return nil
	}
	return []note.Note{note.New("not-compared-alone", side, trialset.FirstFew(texts(only)))}
}

func texts(places []trialset.Key) []string {
	out := make([]string, len(places))
	for i, p := range places {
		out[i] = p.String()
	}
	return out
}

// emulated says whether any of the sample's trials ran on an emulator.
func (j judgement) emulated(s trialset.Sample) bool {
	return slices.ContainsFunc(s.A, j.fleet.Emulated) || slices.ContainsFunc(s.B, j.fleet.Emulated)
}

package factorial

import (
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
)

// layout is the logs of one metric over a factorial on one machine. Sessions that ran the same factorial there are one
// layout.
type layout struct {
	design  design
	machine string
	place   trialset.Key // of the first combination that has a trial
	first   record.Trial
	metric  record.Metric
	alpha   float64
	order   []trialset.Slot             // the blocks
	values  map[trialset.Slot][]float64 // by block and combination; NaN if there is none
	doubts  []note.Note
	trials  int
	taints  int
}

// layouts finds the factorials among trials, in the plans' order. metric "" is the primary one of each.
func layouts(trials []record.Trial, plans map[string]record.Plan, metric string) []*layout {
	byPlan, in := trialset.GroupBy(trials, func(t record.Trial) string { return t.Plan })
	var out []*layout
	at := map[string]*layout{}
	for _, hash := range byPlan {
		p, ok := plans[hash]
		if !ok || p.Imported != nil {
			continue
		}
		for _, cells := range cellsByHost(p) {
			d, why := designOf(p, cells)
			if !why.IsZero() || len(d.factors) == 0 {
				continue
			}
			for _, l := range laid(d, p, in[hash], metric) {
				if known := at[l.key()]; known != nil {
					known.join(l)
					continue
				}
				at[l.key()] = l
				out = append(out, l)
			}
		}
	}
	return out
}

// laid returns the layouts of one group of a plan by machine: cells of one host are on one machine, whatever it was
// called.
func laid(d design, p record.Plan, trials []record.Trial, metric string) []*layout {
	combination := map[int]int{}
	for at, cell := range d.cells {
		combination[cell] = at
	}
	own := trialset.Filter(trials, func(t *record.Trial) bool { _, ok := combination[t.Cell]; return ok })
	machines, byMachine := trialset.GroupByKeys(own, func(t record.Trial) string { return t.Keys[record.KeyMachine] })
	var out []*layout
	for _, m := range machines {
		if l, ok := newLayout(d, p, byMachine[m], metric, combination); ok {
			out = append(out, l)
		}
	}
	return out
}

// newLayout returns false if the trials do not have the metric.
func newLayout(d design, p record.Plan, trials []record.Trial, metric string, combination map[int]int) (*layout, bool) {
	l := &layout{design: d, machine: trials[0].Keys[record.KeyMachine], values: map[trialset.Slot][]float64{},
		alpha: estimate.Alpha}
	first := slices.MinFunc(trials, func(a, b record.Trial) int { return combination[a.Cell] - combination[b.Cell] })
	l.first, l.place = first, trialset.KeyOf(first, "", nil)
	if metric == "" {
		metric = trialset.PrimaryOf(trialset.Valid(trials))
	}
	for _, m := range trialset.MetricsOf(trials) {
		if m.Name == metric {
			l.metric = m
		}
	}
	if l.metric.Name == "" {
		return nil, false
	}
	l.registered(p)
	odd := false
	for _, t := range trials {
		block := l.block(trialset.SlotOf(t), len(d.cells))
		v, ok := trialset.ValueIn(&t, metric)
		if t.Void != "" || !ok || v.AtLeast {
			continue
		}
		if l.trials++; trialset.Tainted(t) {
			l.taints++
		}
		if y := math.Log(v.Value); !math.IsInf(y, 0) && !math.IsNaN(y) {
			block[combination[t.Cell]] = y
		} else {
			odd = true
		}
	}
	if odd {
		l.doubts = append(l.doubts, note.New("not-positive"))
	}
	if l.taints > 0 {
		l.doubts = append(l.doubts, note.New("disturbed-trials-count", l.taints, l.trials))
	}
	return l, true
}

// registered takes the error rate from the plan: of one whose looks may end it, that of each look.
func (l *layout) registered(p record.Plan) {
	var r trialset.Preregistered
	r.Add(p)
	r = r.WithDefaults()
	l.alpha = r.Boundary.Rate
	if r.Sequential > 0 {
		l.doubts = append(l.doubts, note.New("rate-of-one-look", 100*l.alpha))
	}
}

// block returns one replicate's values, made if there are none yet.
func (l *layout) block(s trialset.Slot, combinations int) []float64 {
	if v, ok := l.values[s]; ok {
		return v
	}
	v := make([]float64, combinations)
	for i := range v {
		v[i] = math.NaN()
	}
	l.order, l.values[s] = append(l.order, s), v
	return v
}

// key is the same for layouts that are one: of one factorial on one machine.
func (l *layout) key() string { return keyOf(l.machine, l.question()) }

func keyOf(machine, question string) string { return machine + "\x00" + question }

// question is the same for the layouts of one factorial, on any machine.
func (l *layout) question() string {
	p := l.place
	p.Machine = ""
	parts := []string{p.String(), l.metric.Name, l.metric.Unit, l.design.name()}
	for _, f := range l.design.factors {
		parts = append(parts, f.Name+"="+strings.Join(f.Levels, ","))
	}
	return strings.Join(parts, "\x00")
}

// join takes another session's blocks.
func (l *layout) join(o *layout) {
	for _, s := range o.order {
		l.order, l.values[s] = append(l.order, s), o.values[s]
	}
	l.alpha = min(l.alpha, o.alpha)
	l.trials, l.taints = l.trials+o.trials, l.taints+o.taints
	for _, d := range o.doubts {
		l.doubts = note.With(l.doubts, d)
	}
}

// complete returns the blocks with a value of every combination.
func (l *layout) complete() []trialset.Slot {
	return slices.DeleteFunc(slices.Clone(l.order), func(s trialset.Slot) bool {
		return slices.ContainsFunc(l.values[s], math.IsNaN)
	})
}

// column is the values of some blocks by combination, without those that are not there.
func (l *layout) column(blocks []trialset.Slot) [][]float64 {
	out := make([][]float64, len(l.design.cells))
	for _, s := range blocks {
		for at, v := range l.values[s] {
			if !math.IsNaN(v) {
				out[at] = append(out[at], v)
			}
		}
	}
	return out
}

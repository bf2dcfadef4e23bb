package factorial

import (
	"math"
	"slices"
	"strings"

	"plimsoll/internal/estimate"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// Layout is the logs of one metric over a factorial on one machine. Sessions that ran the same factorial there are one layout.
type Layout struct {
	Design  Design
	Machine string
	Place   trialset.Key // of the first combination that has a trial
	First   record.Trial
	Metric  record.Metric
	Alpha   float64
	order   []trialset.Slot             // the blocks
	Values  map[trialset.Slot][]float64 // by block and combination; NaN where there is none
	doubts  []note.Note
	trials  int
	taints  int
}

// Layouts finds the factorials among trials, in the plans' order. metric "" is the primary one of each.
func Layouts(trials []record.Trial, plans map[string]record.Plan, metric string) []*Layout {
	byPlan, in := trialset.GroupBy(trials, func(t record.Trial) string { return t.Plan })
	var out []*Layout
	at := map[string]*Layout{}
	for _, hash := range byPlan {
		p, ok := plans[hash]
		if !ok || p.Imported != nil {
			continue
		}
		for _, cells := range CellsByHost(p) {
			d, why := DesignOf(p, cells)
			if !why.IsZero() || len(d.Factors) == 0 {
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

// laid are the trials of one group of a plan by machine: cells of one host are on one machine, whatever it was called.
func laid(d Design, p record.Plan, trials []record.Trial, metric string) []*Layout {
	combination := map[int]int{}
	for at, cell := range d.Cells {
		combination[cell] = at
	}
	own := trialset.Filter(trials, func(t *record.Trial) bool { _, ok := combination[t.Cell]; return ok })
	machines, byMachine := trialset.GroupBy(own, func(t record.Trial) string { return t.Keys[record.KeyMachine] })
	var out []*Layout
	for _, m := range machines {
		if l, ok := newLayout(d, p, byMachine[m], metric, combination); ok {
			out = append(out, l)
		}
	}
	return out
}

// newLayout is false where the trials do not have the metric.
func newLayout(d Design, p record.Plan, trials []record.Trial, metric string, combination map[int]int) (*Layout, bool) {
	l := &Layout{Design: d, Machine: trials[0].Keys[record.KeyMachine], Values: map[trialset.Slot][]float64{}, Alpha: estimate.Alpha}
	first := slices.MinFunc(trials, func(a, b record.Trial) int { return combination[a.Cell] - combination[b.Cell] })
	l.First, l.Place = first, trialset.KeyOf(first, "", nil)
	if metric == "" {
		metric = trialset.PrimaryOf(trialset.Valid(trials))
	}
	for _, m := range trialset.MetricsOf(trials) {
		if m.Name == metric {
			l.Metric = m
		}
	}
	if l.Metric.Name == "" {
		return nil, false
	}
	l.registered(p)
	odd := false
	for _, t := range trials {
		block := l.block(trialset.SlotOf(t), len(d.Cells))
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
func (l *Layout) registered(p record.Plan) {
	var r trialset.Preregistered
	r.Add(p)
	r = r.WithDefaults()
	l.Alpha = r.Boundary.T
	if r.Sequential > 0 {
		l.doubts = append(l.doubts, note.New("rate-of-one-look", 100*l.Alpha))
	}
}

// block is one replicate's values, made where there are none yet.
func (l *Layout) block(s trialset.Slot, combinations int) []float64 {
	if v, ok := l.Values[s]; ok {
		return v
	}
	v := make([]float64, combinations)
	for i := range v {
		v[i] = math.NaN()
	}
	l.order, l.Values[s] = append(l.order, s), v
	return v
}

// key is the same for layouts that are one: of one factorial of one machine.
func (l *Layout) key() string { return l.Machine + "\x00" + l.Question() }

// Question is what a layout is of, whatever the machine.
func (l *Layout) Question() string {
	p := l.Place
	p.Machine = ""
	parts := []string{p.String(), l.Metric.Name, l.Metric.Unit, l.Design.Name()}
	for _, f := range l.Design.Factors {
		parts = append(parts, f.Name+"="+strings.Join(f.Levels, ","))
	}
	return strings.Join(parts, "\x00")
}

// join takes another session's blocks.
func (l *Layout) join(o *Layout) {
	for _, s := range o.order {
		l.order, l.Values[s] = append(l.order, s), o.Values[s]
	}
	l.Alpha = min(l.Alpha, o.Alpha)
	l.trials, l.taints = l.trials+o.trials, l.taints+o.taints
	for _, d := range o.doubts {
		l.doubts = note.With(l.doubts, d)
	}
}

// Complete are the blocks with a value of every combination.
func (l *Layout) Complete() []trialset.Slot {
	return slices.DeleteFunc(slices.Clone(l.order), func(s trialset.Slot) bool { return slices.ContainsFunc(l.Values[s], math.IsNaN) })
}

// column is the values of some blocks by combination, without those that are not there.
func (l *Layout) column(blocks []trialset.Slot) [][]float64 {
	out := make([][]float64, len(l.Design.Cells))
	for _, s := range blocks {
		for at, v := range l.Values[s] {
			if !math.IsNaN(v) {
				out[at] = append(out[at], v)
			}
		}
	}
	return out
}

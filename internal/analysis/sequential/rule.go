package sequential

import (
	"maps"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// Settled reports whether every comparison of a group's cells is decided, and after how many pairs the last of them. It
// analyses the primary metric, and only at the plan's interim analyses: pairs after the deciding one change nothing. A
// plan without interim analyses is never settled before its end.
func Settled(p record.Plan, cells []int, trials []record.Trial) (pairs int, settled bool) {
	looks := looksAt(p, cells, trials)
	for _, l := range looks {
		if l.Verdict == stat.GoOn || l.N == 0 {
			return 0, false
		}
		pairs = max(pairs, l.N)
	}
	return pairs, len(looks) > 0
}

// Compares reports whether a group's cells have comparisons at all: those of a half fraction on one host have none,
// since no two of them differ in one factor alone.
func Compares(p record.Plan, cells []int) bool {
	return slices.ContainsFunc(cells, func(b int) bool { return len(baselines(p, cells, b)) > 0 })
}

// Looked is one comparison with the result of its session's interim analyses.
type Looked struct {
	A, B int // cells
	stat.Interim
}

// looksAt decides each comparison of a group. It returns none if the plan has no interim analyses, and none for a group
// that searches, which no analysis ends: the load of a probe was requested, and is no value of its cell.
func looksAt(p record.Plan, cells []int, trials []record.Trial) []Looked {
	boundary, err := trialset.BoundaryOf(p)
	if err != nil || p.Stop == nil || searches(p, cells) {
		return nil
	}
	rule := stat.RuleFor(boundary, p.Margin, p.Quick)
	values := valuesByCell(p, trials)
	var out []Looked
	for _, c := range comparisonsOf(p, cells) {
		out = append(out, Looked{c[0], c[1], rule.DecideValues(pairsOf(values[c[0]], values[c[1]], p.Replicates))})
	}
	return out
}

// searches reports whether the loads of a group's cells are searched for.
func searches(p record.Plan, cells []int) bool {
	return slices.ContainsFunc(cells, func(i int) bool { return p.Cells[i].Search != nil })
}

// comparisonsOf pairs each cell with its baselines: the cell of the first host, and that of the first level of each
// factor, all else being equal.
func comparisonsOf(p record.Plan, cells []int) [][2]int {
	var out [][2]int
	for _, b := range cells {
		for _, a := range baselines(p, cells, b) {
			out = append(out, [2]int{a, b})
		}
	}
	return out
}

// baselines returns the cells that cell b is compared with.
func baselines(p record.Plan, cells []int, b int) []int {
	var out []int
	axes := []string{""} // the host
	for _, f := range p.Factors {
		axes = append(axes, f.Name)
	}
	for _, axis := range axes {
		for _, a := range cells {
			if a == b {
				break // it is the baseline itself
			}
			if likeBut(p.Cells[a], p.Cells[b], axis) {
				out = append(out, a)
				break
			}
		}
	}
	return out
}

// likeBut reports whether two cells are alike in host and levels except for one factor, or except for the host if
// factor is "".
func likeBut(a, b record.Cell, factor string) bool {
	if factor == "" {
		return maps.Equal(a.Levels, b.Levels)
	}
	without := func(c record.Cell) map[string]string {
		levels := maps.Clone(c.Levels)
		delete(levels, factor)
		return levels
	}
	return a.Host == b.Host && maps.Equal(without(a), without(b))
}

// valuesByCell returns the primary values by cell and replicate, of the valid trials that count: a capped trial has the
// cell and the replicate of the one at full load.
func valuesByCell(p record.Plan, trials []record.Trial) map[int]map[int]float64 {
	out := map[int]map[int]float64{}
	for _, t := range trials {
		v, ok := primaryValue(p, t)
		if !ok || !t.Measures() {
			continue
		}
		if out[t.Cell] == nil {
			out[t.Cell] = map[int]float64{}
		}
		out[t.Cell][t.Replicate] = v
	}
	return out
}

// primaryValue returns the value of the registered primary metric, or of the first metric if the trial lacks it.
func primaryValue(p record.Plan, t record.Trial) (float64, bool) {
	if v, ok := t.Value(p.Primary[t.Keys[record.KeyWorkload]]); ok {
		return v.Value, true
	}
	if len(t.Values) == 0 {
		return 0, false
	}
	return t.Values[0].Value, true
}

// Tainted reports whether anything disturbed a trial. It never looks at measured values.
func Tainted(t record.Trial) bool { return trialset.Tainted(t) }

// pairsOf returns the values of the replicates that both sides have, in order.
func pairsOf(a, b map[int]float64, replicates int) (ofA, ofB []float64) {
	for r := range replicates {
		x, okA := a[r]
		y, okB := b[r]
		if okA && okB {
			ofA, ofB = append(ofA, x), append(ofB, y)
		}
	}
	return ofA, ofB
}

// Cut holds the pairs of a comparison that a session's interim analyses have seen: all of its metrics rest on the pairs
// of the analysis that ended it, and on no later ones.
type Cut struct {
	Session bool                   // the pairs come from one session with interim analyses
	Pairs   map[trialset.Slot]bool // analysed pairs; nil for all
	Next    int                    // pairs at the next interim analysis; 0 if there is none, or the comparison is decided

	ratios map[trialset.Slot]float64 // log ratios of the analysed pairs, of the primary metric
	lean   float64                   // stat.Rule.Lean of that metric
	Futile *stat.Futile              // why it ended undecided before the last analysis; nil if it did not
}

// CutAt returns the pairs that the interim analyses of a sample's session have seen, by its primary metric.
func CutAt(s trialset.Sample, metric string, rule stat.Rule) Cut {
	d := s.Differences(metric)
	seen := rule.DecideValues(trialset.ValuesOf(s.A, metric), trialset.ValuesOf(s.B, metric))
	l := Cut{Session: true, Pairs: map[trialset.Slot]bool{}, Next: seen.Next, ratios: map[trialset.Slot]float64{},
		lean: rule.Lean(seen, d), Futile: seen.Futile}
	for i, t := range s.A[:seen.N] {
		l.Pairs[trialset.SlotOf(t)] = true
		l.ratios[trialset.SlotOf(t)] = d[i]
	}
	return l
}

// Lean returns what to add to the mean log ratio of a metric for the estimate that the stop has not selected: of the
// primary metric stat.Rule.Lean, and of others as much of it as goes along with that one, by their regression on it
// over the pairs.
func (l Cut) Lean(s trialset.Sample, metric string) float64 {
	if l.lean == 0 || l.None() || !s.Paired {
		return 0
	}
	primary := make([]float64, s.N())
	for i, t := range s.A {
		primary[i] = l.ratios[trialset.SlotOf(t)]
	}
	return l.lean * stat.Slope(primary, s.Differences(metric))
}

// None reports whether there was no interim analysis yet.
func (l Cut) None() bool { return l.Session && len(l.Pairs) == 0 }

// Of returns the analysed pairs of a sample, or all of them before the first analysis.
func (l Cut) Of(s trialset.Sample) trialset.Sample {
	if !l.Session || l.None() || !s.Paired {
		return s
	}
	out := s
	out.A, out.B = nil, nil
	for i, t := range s.A {
		if l.Pairs[trialset.SlotOf(t)] {
			out.A, out.B = append(out.A, t), append(out.B, s.B[i])
		}
	}
	return out
}

package crossover

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
)

// point is a comparison and the axes on which it has a place.
type point struct {
	c    finding.Comparison
	axes []coordinate
	m    trialset.Matched
}

// coordinate is a place on an axis that both sides share.
type coordinate struct {
	axis, unit string
	value      float64 // over 0
	load       bool    // the axis is the load's level
}

// row is the comparisons along one axis, in its order.
type row struct {
	axis  coordinate
	rest  point
	steps []step
}

// step is a comparison at one place of an axis.
type step struct {
	x float64
	c finding.Comparison
	m trialset.Matched
}

// located returns the comparisons of two sides with their places.
func located(p *finding.Pairing) iter.Seq[point] {
	return func(yield func(point) bool) {
		for i, m := range p.Both {
			axes := axesOf(m)
			for _, c := range p.Cells[i] {
				if !yield(point{c, axes, m}) {
					return
				}
			}
		}
	}
}

// axesOf returns the places of a cell: the level of its load if both sides have the same, and each parameter that is a
// number.
func axesOf(m trialset.Matched) []coordinate {
	axes := loadAxis(m)
	for _, name := range slices.Sorted(maps.Keys(m.Params)) {
		if len(axes) > 0 && name == axes[0].axis && axes[0].load {
			continue
		}
		if v, unit, ok := trialset.ParseNumber(m.Params[name]); ok && v > 0 {
			axes = append(axes, coordinate{axis: name, unit: unit, value: v})
		}
	}
	return axes
}

// loadAxis returns the level of the load. "All CPUs" of two machines need not be one number.
func loadAxis(m trialset.Matched) []coordinate {
	a, b := m.A[0].Load, m.B[0].Load
	if m.Place.Load == "" || a.Unit == "" || a.Unit != b.Unit || a.Level != b.Level || a.Level <= 0 {
		return nil
	}
	return []coordinate{{axis: a.Unit, value: a.Level, load: true}}
}

// without returns the comparison as all points of an axis share it.
func (l point) without(at coordinate) point {
	l.c.Params = trialset.Without(l.c.Params, at.axis)
	if at.load {
		l.c.Load = ""
	}
	return l
}

// key is the same for points that differ in nothing but their place on an axis.
func (l point) key(at coordinate) string {
	return fmt.Sprintf("%q", []string{at.axis, at.unit, l.c.Workload, l.c.Metric, l.c.Per, l.c.Load,
		trialset.ParamsText(l.c.Params)})
}

// rowsOf arranges those to be kept along every axis that they have a place on.
func rowsOf(all iter.Seq[point], keep func(point) bool) []row {
	var order []string
	rows := map[string]*row{}
	for l := range all {
		if !keep(l) {
			continue
		}
		for _, at := range l.axes {
			rest := l.without(at)
			key := rest.key(at)
			if rows[key] == nil {
				rows[key] = &row{axis: at, rest: rest}
				order = append(order, key)
			}
			rows[key].steps = append(rows[key].steps, step{at.value, l.c, l.m})
		}
	}
	var out []row
	for _, key := range order {
		r := rows[key]
		slices.SortStableFunc(r.steps, func(a, b step) int { return cmp.Compare(a.x, b.x) })
		r.steps = slices.CompactFunc(r.steps, func(a, b step) bool { return a.x == b.x })
		out = append(out, *r)
	}
	return out
}

// decided reports whether a comparison has a verdict and an interval.
func decided(l point) bool { return l.c.Verdict != "" && l.c.Bounded() }

// rated reports whether a comparison is one of primary metrics as they were measured.
func rated(l point) bool { return l.c.Primary && l.c.Per == finding.PerMachine && l.c.Ratio > 0 }

// leanings returns the comparisons by estimate, as decided ones.
func leanings(all iter.Seq[point]) iter.Seq[point] {
	return func(yield func(point) bool) {
		for l := range all {
			if !l.c.ByEstimate() {
				continue
			}
			if l.c = l.c.Leaning(); !yield(l) {
				return
			}
		}
	}
}

// runsOf returns how many replicates each cell of a row has at least.
func runsOf(steps []step) int {
	runs := math.MaxInt
	for _, s := range steps {
		runs = min(runs, s.c.N)
	}
	return runs
}

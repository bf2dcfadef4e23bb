package judge

import (
	"maps"
	"slices"

	"plimsoll/internal/finding"
	"plimsoll/internal/trialset"
)

// located is a comparison and the axes on which it has a place.
type located struct {
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

// locate gives each of a cell's comparisons its places: the load's level, where
// it is one number on both sides, and every parameter that is a number.
func locate(m trialset.Matched, cs []finding.Comparison) []located {
	axes := loadAxis(m)
	for _, name := range slices.Sorted(maps.Keys(m.Params)) {
		if len(axes) > 0 && name == axes[0].axis && axes[0].load {
			continue
		}
		if v, unit, ok := trialset.ParseNumber(m.Params[name]); ok && v > 0 {
			axes = append(axes, coordinate{axis: name, unit: unit, value: v})
		}
	}
	var out []located
	for _, c := range cs {
		out = append(out, located{c, axes, m})
	}
	return out
}

// loadAxis is the level of the load. "All CPUs" of two machines need not be one
// number.
func loadAxis(m trialset.Matched) []coordinate {
	a, b := m.A[0].Load, m.B[0].Load
	if m.Place.Load == "" || a.Unit == "" || a.Unit != b.Unit || a.Level != b.Level || a.Level <= 0 {
		return nil
	}
	return []coordinate{{axis: a.Unit, value: a.Level, load: true}}
}

// without is the comparison as all points of an axis share it.
func (l located) without(at coordinate) located {
	l.c.Params = maps.Clone(l.c.Params)
	delete(l.c.Params, at.axis)
	if at.load {
		l.c.Load = ""
	}
	return l
}

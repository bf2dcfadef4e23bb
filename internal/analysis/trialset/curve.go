package trialset

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"

	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// Curve holds the trials of one workload on one machine that differ in one dimension only.
type Curve struct {
	Param  string // the dimension: a parameter's name, or the unit of a load
	Unit   string // of the parameter: "B", "s"; "" for a plain number
	Points []CurvePoint
}

// CurvePoint holds the trials at one value.
type CurvePoint struct {
	X      float64
	Trials []record.Trial
}

// CurveAxis is a dimension along which there may be curves.
type CurveAxis struct {
	Param string
	Load  bool // the load is or follows the parameter
	value func(record.Trial) (x float64, unit string, ok bool)
}

// numberAxis returns the axis of a numeric parameter. Depth and jobs of a disk's load also count as load.
func numberAxis(param string) CurveAxis {
	return CurveAxis{param, param == record.ParamDepth || param == record.ParamJobs,
		func(t record.Trial) (float64, string, bool) {
			return ParseNumber(t.Keys[WorkloadOf(t)+"."+param])
		}}
}

// sizeAxis returns the axis of a size in bytes. Size 0, which stands for the workload's own choice, is left out.
func sizeAxis(param string) CurveAxis {
	return CurveAxis{param, false, func(t record.Trial) (float64, string, bool) {
		n, err := record.ParseSize(t.Keys[WorkloadOf(t)+"."+param])
		return float64(n), "B", err == nil && n > 0
	}}
}

// LoadAxisOf returns the axis of one kind of load, such as clients.
func LoadAxisOf(unit string) CurveAxis {
	return CurveAxis{unit, true, func(t record.Trial) (float64, string, bool) {
		return t.Load.Level, "", t.Load.Unit == unit && t.Load.Level > 0
	}}
}

// SizeAxes returns an axis for each parameter of one workload that is a size in all of its trials. The canonical form
// tells, since a plan does not hold the kinds of parameters.
func SizeAxes(trials []record.Trial) []CurveAxis {
	return axesOf(trials, sizeAxis, func(texts []string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool {
			n, err := record.ParseSize(text)
			return err != nil || record.FormatSize(n) != text
		})
	})
}

// NumberAxes returns an axis for each parameter of one workload with more than one value, if all are numbers over 0.
func NumberAxes(trials []record.Trial) []CurveAxis {
	return numberAxes(trials, func(v float64) bool { return v > 0 })
}

// NumberAxesFromZero returns the axes of NumberAxes, and of parameters of which a value is 0.
func NumberAxesFromZero(trials []record.Trial) []CurveAxis {
	return numberAxes(trials, func(v float64) bool { return v >= 0 })
}

func numberAxes(trials []record.Trial, may func(float64) bool) []CurveAxis {
	return axesOf(trials, numberAxis, func(texts []string) bool {
		return len(texts) > 1 && !slices.ContainsFunc(texts, func(text string) bool {
			v, _, ok := ParseNumber(text)
			return !ok || !may(v)
		})
	})
}

// axesOf returns axes, sorted by name, of the parameters whose distinct values satisfy the given condition.
func axesOf(trials []record.Trial, of func(string) CurveAxis, are func(texts []string) bool) []CurveAxis {
	texts := map[string]map[string]bool{}
	for _, t := range trials {
		for name, text := range ParamsOf(t, nil) {
			if texts[name] == nil {
				texts[name] = map[string]bool{}
			}
			texts[name][text] = true
		}
	}
	var out []CurveAxis
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if are(slices.Collect(maps.Keys(texts[name]))) {
			out = append(out, of(name))
		}
	}
	return out
}

// FamilyAlong returns the key that the trials of a curve share: a trial's key without the dimensions of the axes.
func FamilyAlong(t record.Trial, axes ...CurveAxis) Key {
	w := WorkloadOf(t)
	varied := map[Dimension]bool{}
	for _, a := range axes {
		varied[Dimension{w, w + "." + a.Param}] = true
		if a.Load {
			varied[Dimension{w, record.KeyLoad}] = true
		}
	}
	return KeyOf(t, "", varied)
}

// CurvesAlong returns the curves along the axes that each workload's trials have, in the trials' order.
func CurvesAlong(trials []record.Trial, axes func([]record.Trial) []CurveAxis) []Curve {
	var out []Curve
	order, byWorkload := indicesBy(trials, nil, onceEach(WorkloadOf))
	for _, w := range order {
		for _, a := range axes(oneEach(trials, byWorkload[w])) {
			out = append(out, a.curves(trials, byWorkload[w])...)
		}
	}
	return out
}

// CurvesBy returns the curves of the trials that share a key, each along the axis of its first, in the trials' order.
// Key and axis follow from a trial's Keys and Load alone.
func CurvesBy[K comparable](trials []record.Trial, key func(record.Trial) K,
	axis func(record.Trial) CurveAxis) []Curve {
	order, at := indicesBy(trials, nil, onceEach(key))
	out := make([]Curve, len(order))
	for i, k := range order {
		out[i] = axis(trials[at[k][0]]).curve(trials, at[k])
	}
	return out
}

// oneEach returns one trial of each cell among some, which has the cell's parameters.
func oneEach(trials []record.Trial, some []int) []record.Trial {
	var out []record.Trial
	last := -1
	key := onceEach(func(record.Trial) int { last++; return last })
	for _, i := range some {
		if n := last; key(trials[i]) != n {
			out = append(out, trials[i])
		}
	}
	return out
}

// Curves returns the curves along the axis, in the trials' order.
func (a CurveAxis) Curves(trials []record.Trial) []Curve { return a.curves(trials, nil) }

// curves returns the curves of some of the trials, or of all if they are nil.
func (a CurveAxis) curves(trials []record.Trial, some []int) []Curve {
	var out []Curve
	order, families := a.families(trials, some)
	for _, family := range order {
		if c := a.curve(trials, families[family]); len(c.Points) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func (a CurveAxis) families(trials []record.Trial, some []int) ([]Key, map[Key][]int) {
	type family struct {
		Key
		on bool
	}
	order, at := indicesBy(trials, some, onceEach(func(t record.Trial) family {
		if _, _, ok := a.value(t); !ok {
			return family{}
		}
		return family{FamilyAlong(t, a), true}
	}))
	var keys []Key
	out := make(map[Key][]int, len(at))
	for _, f := range order {
		if f.on {
			keys, out[f.Key] = append(keys, f.Key), at[f]
		}
	}
	return keys, out
}

// Curve returns a family's trials by value, smallest first, or no points if their units differ.
func (a CurveAxis) Curve(family []record.Trial) Curve { return a.curve(family, nil) }

// curve returns the curve of some of the trials, or of all if they are nil.
func (a CurveAxis) curve(trials []record.Trial, some []int) Curve {
	type value struct {
		x    float64
		unit string
		ok   bool
	}
	order, at := indicesBy(trials, some, onceEach(func(t record.Trial) value {
		if x, unit, ok := a.value(t); ok {
			return value{x, unit, true}
		}
		return value{}
	}))
	order = slices.DeleteFunc(order, func(v value) bool { return !v.ok })
	slices.SortFunc(order, func(v, w value) int { return cmp.Compare(v.x, w.x) })
	c := Curve{Param: a.Param}
	for _, v := range order {
		if v.unit != order[0].unit {
			return Curve{Param: a.Param}
		}
		c.Unit, c.Points = v.unit, append(c.Points, CurvePoint{v.x, Chosen(trials, at[v])})
	}
	return c
}

// First returns the point with the smallest value.
func (c Curve) First() CurvePoint { return c.Points[0] }

// Last returns the point with the largest value.
func (c Curve) Last() CurvePoint { return c.Points[len(c.Points)-1] }

// At returns the key of a point's cell.
func (p CurvePoint) At() Key { return KeyOf(p.Trials[0], "", nil) }

// ByPoint returns the trials of each point, smallest value first.
func (c Curve) ByPoint() [][]record.Trial {
	out := make([][]record.Trial, len(c.Points))
	for i, p := range c.Points {
		out[i] = p.Trials
	}
	return out
}

// Trials returns the trials of all points, smallest value first.
func (c Curve) Trials() iter.Seq[*record.Trial] {
	return func(yield func(*record.Trial) bool) {
		for _, p := range c.Points {
			for i := range p.Trials {
				if !yield(&p.Trials[i]) {
					return
				}
			}
		}
	}
}

// Scope returns the keys of the cells of all points, those of the largest value first.
func (c Curve) Scope() []Key {
	return KeysOf(append([][]record.Trial{c.Last().Trials}, c.ByPoint()...)...)
}

// Highest returns the point with the highest average of the metric.
func (c Curve) Highest(metric string) CurvePoint {
	return slices.MaxFunc(c.Points, func(p, q CurvePoint) int { return cmp.Compare(p.Average(metric), q.Average(metric)) })
}

// Average returns the average of the metric over the point's trials.
func (p CurvePoint) Average(metric string) float64 {
	return estimate.Average(ValuesOf(p.Trials, metric))
}

// Estimate returns the average of the metric with its confidence interval.
func (p CurvePoint) Estimate(metric string) estimate.Estimate {
	return estimate.Of(ValuesOf(p.Trials, metric))
}

// Logs returns the logarithms of a metric at each point, and false if one point has none or a value that is not
// positive.
func (c Curve) Logs(metric string) ([]stat.Point, bool) {
	return c.LogsOf(func(p CurvePoint) []float64 { return ValuesOf(p.Trials, metric) })
}

// LogsOf returns the logarithms of the given values at each point, and false if one point has none.
func (c Curve) LogsOf(values func(CurvePoint) []float64) (points []stat.Point, ok bool) {
	ok = true
	for _, p := range c.Points {
		logs := stat.Logs(values(p))
		ok = ok && len(logs) > 0 && !math.IsNaN(stat.Mean(logs))
		points = append(points, stat.Point{Logs: logs})
	}
	return points, ok
}

// Over returns the ratio of a metric to that of another point, by replicate if one plan measured both, or nil if there
// is none.
func (p CurvePoint) Over(base CurvePoint, metric string) *estimate.Estimate {
	return RatioOf(base.Trials, p.Trials, metric)
}

// ParseNumber parses a parameter that is a plain number, a size in bytes or a time in seconds.
func ParseNumber(text string) (v float64, unit string, ok bool) {
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f, "", !math.IsInf(f, 0) && !math.IsNaN(f)
	}
	if n, err := record.ParseSize(text); err == nil {
		return float64(n), "B", true
	}
	if s, err := record.ParseDuration(text); err == nil {
		return s, "s", true
	}
	return 0, "", false
}

// RatioOf returns the ratio of b to a of one machine's cells, by replicate if one plan measured both, or nil if there
// is none.
func RatioOf(a, b []record.Trial, metric string) *estimate.Estimate {
	if metric == "" {
		return nil
	}
	s := PairedBy(a, b, metric, RoundOf)
	r, ok := s.Ratio(metric, stat.OptsFor(stat.Fixed(estimate.Alpha)))
	if !ok {
		return nil
	}
	e := estimate.FromLogs(r.LogRatio, s.N())
	return &e
}

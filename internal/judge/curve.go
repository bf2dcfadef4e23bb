package judge

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// Curve is the trials of one workload on one machine that differ in one dimension only.
type Curve struct {
	Param  string // that differs: a parameter's name, or the unit of a load
	Unit   string // of the parameter: "B", "s"; "" for a plain number
	Points []CurvePoint
}

// CurvePoint is the trials at one value.
type CurvePoint struct {
	X      float64
	Trials []record.Trial
}

// curveAxis is a dimension along which there may be curves.
type curveAxis struct {
	param string
	load  bool // the load is or follows the parameter
	value func(record.Trial) (x float64, unit string, ok bool)
}

// numberAxis returns the axis of a parameter that is a number. Depth and jobs of a disk's load are a load as well.
func numberAxis(param string) curveAxis {
	return curveAxis{param, param == record.ParamDepth || param == record.ParamJobs, func(t record.Trial) (float64, string, bool) {
		return number(t.Keys[workloadOf(t)+"."+param])
	}}
}

// sizeAxis returns the axis of a size in bytes. A size of 0 stands for one that the workload chose, and has no place there.
func sizeAxis(param string) curveAxis {
	return curveAxis{param, false, func(t record.Trial) (float64, string, bool) {
		n, err := record.ParseSize(t.Keys[workloadOf(t)+"."+param])
		return float64(n), "B", err == nil && n > 0
	}}
}

// loadAxisOf returns the axis of one kind of load, such as clients.
func loadAxisOf(unit string) curveAxis {
	return curveAxis{unit, true, func(t record.Trial) (float64, string, bool) {
		return t.Load.Level, "", t.Load.Unit == unit && t.Load.Level > 0
	}}
}

// sizeAxes returns an axis for each parameter of one workload that is a size in all of its trials. The canonical form tells: a plan
// does not hold the kinds of parameters.
func sizeAxes(trials []record.Trial) []curveAxis {
	return axesOf(trials, sizeAxis, func(texts []string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool {
			n, err := record.ParseSize(text)
			return err != nil || record.FormatSize(n) != text
		})
	})
}

// numberAxes returns an axis for each parameter of one workload with more than one value, all of them numbers over 0.
func numberAxes(trials []record.Trial) []curveAxis {
	return axesOf(trials, numberAxis, func(texts []string) bool {
		return len(texts) > 1 && !slices.ContainsFunc(texts, func(text string) bool {
			v, _, ok := number(text)
			return !ok || v <= 0
		})
	})
}

// axesOf returns axes of the parameters, in order of name, whose different values are what is asked for.
func axesOf(trials []record.Trial, of func(string) curveAxis, are func(texts []string) bool) []curveAxis {
	texts := map[string]map[string]bool{}
	for _, t := range trials {
		for name, text := range paramsOf(t, nil) {
			if texts[name] == nil {
				texts[name] = map[string]bool{}
			}
			texts[name][text] = true
		}
	}
	var out []curveAxis
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if are(slices.Collect(maps.Keys(texts[name]))) {
			out = append(out, of(name))
		}
	}
	return out
}

// familyAlong returns what the trials of a curve share: a trial's place without the dimensions of the axes.
func familyAlong(t record.Trial, axes ...curveAxis) place {
	w := workloadOf(t)
	varied := map[dimension]bool{}
	for _, a := range axes {
		varied[dimension{w, w + "." + a.param}] = true
		if a.load {
			varied[dimension{w, record.KeyLoad}] = true
		}
	}
	return placeOf(t, "", varied)
}

// curvesAlong returns the curves along the axes that each workload's trials have, in the trials' order.
func curvesAlong(trials []record.Trial, axes func([]record.Trial) []curveAxis) []Curve {
	var out []Curve
	order, byWorkload := grouped(trials, workloadOf)
	for _, w := range order {
		for _, a := range axes(byWorkload[w]) {
			out = append(out, a.curves(byWorkload[w])...)
		}
	}
	return out
}

func (a curveAxis) curves(trials []record.Trial) []Curve {
	var out []Curve
	for _, family := range a.families(trials) {
		if c := a.curve(family); len(c.Points) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// families returns the trials of each curve along the axis.
func (a curveAxis) families(trials []record.Trial) [][]record.Trial {
	order, at := grouped(a.having(trials), func(t record.Trial) place { return familyAlong(t, a) })
	out := make([][]record.Trial, len(order))
	for i, family := range order {
		out[i] = at[family]
	}
	return out
}

// having returns the trials that have a value on the axis.
func (a curveAxis) having(trials []record.Trial) []record.Trial {
	return kept(trials, func(t *record.Trial) bool {
		_, _, ok := a.value(*t)
		return ok
	})
}

// curve returns a family's trials by value, the smallest first; without points if some are in another unit than others.
func (a curveAxis) curve(family []record.Trial) Curve {
	type value struct {
		x    float64
		unit string
	}
	order, at := grouped(a.having(family), func(t record.Trial) value {
		x, unit, _ := a.value(t)
		return value{x, unit}
	})
	slices.SortFunc(order, func(v, w value) int { return cmp.Compare(v.x, w.x) })
	c := Curve{Param: a.param}
	for _, v := range order {
		if v.unit != order[0].unit {
			return Curve{Param: a.param}
		}
		c.Unit, c.Points = v.unit, append(c.Points, CurvePoint{v.x, at[v]})
	}
	return c
}

func (c Curve) first() CurvePoint { return c.Points[0] }

func (c Curve) last() CurvePoint { return c.Points[len(c.Points)-1] }

// at returns the place of a point's cell.
func (p CurvePoint) at() place { return placeOf(p.Trials[0], "", nil) }

// trials returns those of all points, the smallest value first.
func (c Curve) trials() []record.Trial {
	var out []record.Trial
	for _, p := range c.Points {
		out = append(out, p.Trials...)
	}
	return out
}

// highest returns the point whose metric is the highest on average.
func (c Curve) highest(metric string) CurvePoint {
	return slices.MaxFunc(c.Points, func(p, q CurvePoint) int { return cmp.Compare(p.average(metric), q.average(metric)) })
}

func (p CurvePoint) average(metric string) float64 { return Average(valuesOf(p.Trials, metric)) }

func (p CurvePoint) estimate(metric string) Estimate { return Of(valuesOf(p.Trials, metric)) }

// logs returns the logarithms of a metric at each point; false if there is none at one, or one that is not positive.
func (c Curve) logs(metric string) ([]stat.Point, bool) {
	return c.logsOf(func(p CurvePoint) []float64 { return valuesOf(p.Trials, metric) })
}

func (c Curve) logsOf(values func(CurvePoint) []float64) (points []stat.Point, ok bool) {
	ok = true
	for _, p := range c.Points {
		logs := stat.Logs(values(p))
		ok = ok && len(logs) > 0 && !math.IsNaN(stat.Mean(logs))
		points = append(points, stat.Point{Logs: logs})
	}
	return points, ok
}

// over returns a metric over that of another point, by replicate if one plan measured both; nil if there is none.
func (p CurvePoint) over(base CurvePoint, metric string) *Estimate {
	return ratioOf(base.Trials, p.Trials, metric)
}

package judge

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// Crossing is where along an axis the better side changes. Between Lo and Hi
// neither side is known to be ahead: they are on par there.
type Crossing struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`         // the others, which the points share
	Load     string            `json:"load,omitempty"` // where the load is not the axis
	Metric   string            `json:"metric"`
	Per      string            `json:"per"`
	Minor    []string          `json:"-"` // parameters that tables leave out

	Axis       string  `json:"axis"` // "cpus", "clients", "rate", or a parameter
	Unit       string  `json:"unit"` // of the axis: "B", "s"; "" for a plain number
	At         float64 `json:"at"`   // where the ratio is 1
	Lo         float64 `json:"lo"`
	Hi         float64 `json:"hi"`
	FromBetter string  `json:"from_better"` // the side that is better below, "a" or "b"
	ToBetter   string  `json:"to_better"`

	Runs int `json:"runs,omitempty"` // a cell, where they are too few for intervals: by estimates alone, with Lo and Hi NaN (null)
}

// step is a comparison at one place of an axis.
type step struct {
	x float64
	c finding.Comparison
	m trialset.Matched
}

// crossingsOf finds the crossings of each row of comparisons that differ in
// nothing but their place on one axis. It takes verdicts alone: a side is ahead where
// the comparison is DIFFERENT, and between two such points of opposite winners
// lies one crossing, however the undecided points between them scatter.
//
// Where cells were measured too few times for verdicts, it goes by their estimates, and says so.
func crossingsOf(located []located) []Crossing {
	out := crossingsBy(located)
	for _, c := range crossingsBy(leanings(located)) {
		c.Lo, c.Hi = math.NaN(), math.NaN()
		out = append(out, c)
	}
	return out
}

func crossingsBy(located []located) []Crossing {
	out := []Crossing{}
	for _, row := range rowsOf(located, decided) {
		ahead := -1
		for i, s := range row.steps {
			if s.c.Verdict != trialset.Different {
				continue
			}
			if ahead >= 0 && row.steps[ahead].c.Better != s.c.Better {
				out = append(out, row.crossing(row.steps[ahead:i+1]))
			}
			ahead = i
		}
	}
	return out
}

// row is the comparisons along one axis.
type row struct {
	axis  coordinate
	rest  located
	steps []step
}

// decided says that a comparison has a verdict and an interval.
func decided(l located) bool { return l.c.Verdict != "" && l.c.Lo != nil }

// rowsOf arranges those to be kept along every axis that they have a place on.
func rowsOf(all []located, keep func(located) bool) []row {
	var order []string
	rows := map[string]*row{}
	for _, l := range all {
		if !keep(l) {
			continue
		}
		for _, at := range l.axes {
			rest := l.without(at)
			key := fmt.Sprintf("%q", []string{at.axis, at.unit, rest.c.Workload, rest.c.Metric, rest.c.Per, rest.c.Load, trialset.ParamsText(rest.c.Params)})
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

// crossing interpolates ln of the ratio and of its bounds on ln of the axis,
// between two points whose winners differ. The range on par begins where the bound nearer
// to 1 first reaches it and ends where the other one last does.
func (r row) crossing(steps []step) Crossing {
	var at, lower, upper []float64
	xs := make([]float64, len(steps))
	for i, s := range steps {
		xs[i] = math.Log(s.x)
		at, lower, upper = append(at, math.Log(s.c.Ratio)), append(lower, math.Log(*s.c.Lo)), append(upper, math.Log(*s.c.Hi))
	}
	near, far := lower, upper
	if at[0] < 0 {
		near, far = upper, lower
	}
	first, last := zeros(xs, near), zeros(xs, far)
	from, to := steps[0].c.Better, steps[len(steps)-1].c.Better
	out := Crossing{
		Workload: r.rest.c.Workload, Params: r.rest.c.Params, Minor: r.rest.c.Minor, Load: r.rest.c.Load, Metric: r.rest.c.Metric, Per: r.rest.c.Per,
		Axis: r.axis.axis, Unit: r.axis.unit, At: math.Exp(stat.Mean(zeros(xs, at))),
		Lo: math.Exp(first[0]), Hi: math.Exp(last[len(last)-1]), FromBetter: from, ToBetter: to,
	}
	if runs := runsOf(steps); runs < estimate.MinReplicates {
		out.Runs = runs
	}
	return out
}

// zeros are where the line through the points is 0, in their order.
func zeros(xs, ys []float64) []float64 {
	var out []float64
	for i := range xs {
		switch {
		case ys[i] == 0:
			out = append(out, xs[i])
		case i > 0 && ys[i-1]*ys[i] < 0:
			out = append(out, xs[i-1]+(xs[i]-xs[i-1])*ys[i-1]/(ys[i-1]-ys[i]))
		}
	}
	return out
}

package crossover

import (
	"math"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// Crossing is the place along an axis at which the better side changes. Between Lo and Hi neither side is known to be
// ahead: they are on par.
type Crossing struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`         // the others, which the points share
	Load     string            `json:"load,omitempty"` // if it is not the axis
	Metric   string            `json:"metric"`
	Per      string            `json:"per"`
	Wording  finding.Wording   `json:"-"`

	Axis       string  `json:"axis"` // "cpus", "clients", "rate", or a parameter
	Unit       string  `json:"unit"` // of the axis: "B", "s"; "" for a plain number
	At         float64 `json:"at"`   // the place of ratio 1
	Lo         float64 `json:"lo"`
	Hi         float64 `json:"hi"`
	FromBetter string  `json:"from_better"` // the side that is better below, "a" or "b"
	ToBetter   string  `json:"to_better"`

	// replicates of each cell, if they are too few for intervals: by estimates alone, with Lo and Hi NaN (null)
	Runs int `json:"runs,omitempty"`
}

// crossingsOf finds the crossings of each row of comparisons that differ in nothing but their place on one axis. It
// takes verdicts alone: a side is ahead if the comparison is DIFFERENT, and between two such points of opposite winners
// lies one crossing, however the undecided points between them scatter.
//
// If cells have too few replicates for verdicts, it goes by their estimates, and says so.
func crossingsOf(all []point) []Crossing {
	out := crossingsBy(all)
	for _, c := range crossingsBy(leanings(all)) {
		c.Lo, c.Hi = math.NaN(), math.NaN()
		out = append(out, c)
	}
	return out
}

func crossingsBy(all []point) []Crossing {
	out := []Crossing{}
	for _, row := range rowsOf(all, decided) {
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

// crossing interpolates ln of the ratio and of its bounds on ln of the axis, between two points whose winners differ.
// The range on par begins as the bound nearer to 1 first reaches it, and ends as the other one last does.
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
		Workload: r.rest.c.Workload, Params: r.rest.c.Params, Wording: r.rest.c.Wording, Load: r.rest.c.Load,
		Metric: r.rest.c.Metric, Per: r.rest.c.Per,
		Axis: r.axis.axis, Unit: r.axis.unit, At: math.Exp(stat.Mean(zeros(xs, at))),
		Lo: math.Exp(first[0]), Hi: math.Exp(last[len(last)-1]), FromBetter: from, ToBetter: to,
	}
	if runs := runsOf(steps); runs < estimate.MinReplicates {
		out.Runs = runs
	}
	return out
}

// zeros returns the places at which the line through the points is 0, in their order.
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

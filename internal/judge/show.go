package judge

import (
	"fmt"
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

const (
	// minReplicates is how many independent values an interval needs.
	minReplicates = 3
	// maxCV is the spread of replicates as a fraction that is not yet doubtful.
	maxCV = 0.10
)

// Show says what trials say by themselves: for each cell and metric an
// estimate with its 95 % interval, every trial, the doubts, the effects of the
// plans' factors, and how throughput follows the number of CPUs.
func Show(trials []record.Trial, machines []record.Machine, plans []record.PlanLine) Shown {
	shown := Shown{Machines: fleetOf(machines), Workloads: []Cell{}, Warnings: []string{}}
	trials = inPlanOrder(trials)
	effects := effectsOf(trials, machines, plans)
	order, groups := grouped(trials, func(t record.Trial) place { return placeOf(t, "", nil) })
	byHash := plansByHash(plans)
	scalings := scalingsOf(trials, fleetOf(machines))
	for _, p := range order {
		for _, c := range cellsOf(groups[p], fleetOf(machines)) {
			c.Minor = minorOf(groups[p][0], byHash)
			c.Effects = effects[effectKey{p, c.Metric}]
			if found := scalings[p]; c.Primary {
				c.Scaling, c.NoScaling = found.scaling, found.reason
			}
			shown.Workloads = append(shown.Workloads, c)
		}
	}
	return shown
}

// cellsOf makes one Cell for each metric of one cell's trials; one without a
// metric where all trials are void and measured nothing.
func cellsOf(trials []record.Trial, f fleet) []Cell {
	ok := valid(trials)
	metrics := metricsOf(ok)
	if len(metrics) == 0 {
		metrics = append(metricsOf(trials), record.Metric{})[:1]
	}
	var out []Cell
	for _, m := range metrics {
		c := Cell{
			Machine: trials[0].Keys[record.KeyMachine], Workload: workloadOf(trials[0]),
			Params: paramsOf(trials[0], nil), Load: loadOf(trials[0]),
			Metric: m.Name, Primary: m.Name == primaryOf(trials), Unit: m.Unit, Better: m.Better,
			Void: len(trials) - len(ok), Trials: trialValues(trials, m.Name, f),
		}
		c.estimate(valuesOf(ok, m.Name))
		out = append(out, c)
	}
	return out
}

func trialValues(trials []record.Trial, metric string, f fleet) []TrialValue {
	out := make([]TrialValue, len(trials))
	for i, t := range trials {
		out[i] = TrialValue{ID: t.ID, Replicate: t.Replicate, Start: t.Start, Void: t.Void, Doubts: f.doubts(t)}
		if v, ok := t.Value(metric); ok {
			out[i].Value = &v.Value
		}
	}
	return out
}

// estimate sets a cell's value, interval and doubts from its valid trials.
func (c *Cell) estimate(values []float64) {
	c.N, c.Doubts = len(values), []string{}
	if c.N == 0 {
		c.Doubts = append(c.Doubts, "no valid trial")
		return
	}
	c.Value = average(values)
	if c.N < minReplicates {
		c.Doubts = append(c.Doubts, fmt.Sprintf("fewer than %d replicates: no interval", minReplicates))
		return
	}
	iv := interval(values)
	c.Lo, c.Hi = &iv.Lo, &iv.Hi
	if cv := stat.CV(values); cv > maxCV {
		c.Doubts = append(c.Doubts, fmt.Sprintf("replicates vary by %.0f %%", 100*cv))
	}
}

// average is the geometric mean, the arithmetic one where a value is not positive, and 0 of
// no values.
func average(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	if g := stat.GeoMean(values); !math.IsNaN(g) {
		return g
	}
	return stat.Mean(values)
}

// interval is the 95 % interval of average.
func interval(values []float64) stat.Interval {
	const alpha = 0.05
	logs := stat.Logs(values)
	if math.IsNaN(stat.Mean(logs)) {
		return stat.TInterval(values, alpha, stat.SDFloor*math.Abs(stat.Mean(values)))
	}
	iv := stat.TInterval(logs, alpha, stat.SDFloor)
	return stat.Interval{Lo: math.Exp(iv.Lo), Hi: math.Exp(iv.Hi)}
}

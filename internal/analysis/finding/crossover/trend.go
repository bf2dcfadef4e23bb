package crossover

import (
	"iter"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// Trend is how the ratio of two sides changes from the smallest to the largest of the sizes that both measured.
type Trend struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"` // the others, which the sizes share
	Load     string            `json:"load"`
	Metric   string            `json:"metric"`
	Wording  finding.Wording   `json:"-"`

	Axis  string  `json:"axis"` // the parameter that is the size
	From  float64 `json:"from"` // bytes
	To    float64 `json:"to"`
	First float64 `json:"first"` // the ratio of b to a at From
	Last  float64 `json:"last"`  // at To
	Ratio float64 `json:"ratio"` // Last over First, the same per vCPU, core, dollar and watt
	figure.Bounds
}

// minSizes is how many sizes make a trend: of two there is only the ratio.
const minSizes = 3

// trendsOf finds the trend of each row of sizes. A ratio of ratios averages nothing, so it stands beside a crossing as
// well.
func trendsOf(all iter.Seq[point]) []Trend {
	out := []Trend{}
	for _, r := range rowsOf(all, rated) {
		if r.axis.unit != "B" || len(r.steps) < minSizes {
			continue
		}
		first, last := r.steps[0], r.steps[len(r.steps)-1]
		t := Trend{
			Workload: r.rest.c.Workload, Params: r.rest.c.Params, Wording: r.rest.c.Wording, Load: r.rest.c.Load,
			Metric: r.rest.c.Metric,
			Axis:   r.axis.axis, From: first.x, To: last.x, First: first.c.Ratio, Last: last.c.Ratio, Ratio: last.c.Ratio /
				first.c.Ratio,
		}
		t.Bounds = growth(first.m, last.m, t.Metric)
		out = append(out, t)
	}
	return out
}

// growth returns the interval of a trend: each side's own growth, by replicate, so that slow drift cancels, and then
// the two against each other.
func growth(first, last trialset.Matched, metric string) figure.Bounds {
	a, b := growths(first.A, last.A, metric), growths(first.B, last.B, metric)
	r := stat.WelchRatio(a, b, stat.Opts{Boundary: stat.Fixed(estimate.Alpha), SDFloor: stat.SDFloor})
	return estimate.FromLogs(r, r.N).Bounds
}

// growths returns the log ratios of one machine's trials of two cells. If no replicate pairs them, trials are
// independent, and any pairing of them is as good as another.
func growths(first, last []record.Trial, metric string) []float64 {
	s := trialset.PairedBy(trialset.Counting(first), trialset.Counting(last), metric, trialset.RoundOf)
	s.A, s.B = s.A[:s.N()], s.B[:s.N()]
	return s.Differences(metric)
}

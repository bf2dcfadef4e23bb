package sweep

import (
	"cmp"
	"slices"

	"plimsoll/internal/estimate"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// Sensitivity is whether what is carried depends strongly on a parameter that is a number, or on the clients, all else equal, of
// workloads that ingest bytes: the document of
// `depends` in `show --json`. It stands with the primary metric of the cell of the largest value.
type Sensitivity struct {
	Param   string             `json:"param"`
	Unit    string             `json:"unit"`   // of the parameter: "B", "s"; "" for a plain number
	Metric  string             `json:"metric"` // what is carried
	Points  []SensitivityPoint `json:"points"` // the smallest value first
	Spread  estimate.Estimate  `json:"lowest_over_highest"`
	Verdict string             `json:"verdict"` // Sensitive, Insensitive, SensitivityUndecided
}

// SensitivityPoint is what is carried at one value.
type SensitivityPoint struct {
	X float64 `json:"x"`
	estimate.Estimate
	N int `json:"n"`
}

// Whether what is carried depends strongly on a parameter.
const (
	Sensitive            = "strongly"
	Insensitive          = "not strongly"
	SensitivityUndecided = "undecided"
)

// strongly is the share of the highest that the lowest must carry for a parameter not to matter much. It is ours: a fifth less is a
// difference that people who size systems plan for.
const strongly = .8

// FewLarge holds few clients with large records against many with small ones, all else equal: the document of `few_large` in `show --json`.
// It stands with the primary metric of the cell of few.
type FewLarge struct {
	Metric string            `json:"metric"`
	Param  string            `json:"param"` // the size
	Few    Shape             `json:"few"`
	Many   Shape             `json:"many"`
	Ratio  estimate.Estimate `json:"ratio"`            // few over many
	Better string            `json:"better,omitempty"` // "few", "many"; "" where the interval holds 1
}

// Shape is one way to make a load.
type Shape struct {
	Clients float64 `json:"clients"`
	Size    float64 `json:"size"` // bytes
	Value   float64 `json:"value"`
}

// SensitivitiesOf gives each curve of a number to the cell of its largest value, of closed loads.
func SensitivitiesOf(trials []record.Trial) map[trialset.Key][]Sensitivity {
	out := map[trialset.Key][]Sensitivity{}
	for _, c := range trialset.CurvesAlong(closedIngest(trials), sensitivityAxes) {
		if d := sensitivityOf(c); d != nil {
			out[c.Last().At()] = append(out[c.Last().At()], *d)
		}
	}
	for _, all := range out {
		slices.SortFunc(all, func(a, b Sensitivity) int { return cmp.Compare(a.Param, b.Param) })
	}
	return out
}

// closedIngest returns the valid trials of closed loads, of workloads that ingest bytes.
func closedIngest(trials []record.Trial) []record.Trial {
	closed := trialset.Filter(trialset.Valid(trials), func(t *record.Trial) bool { return t.Load.Kind == record.Closed && t.Probe == 0 })
	_, byWorkload := trialset.GroupBy(closed, trialset.WorkloadOf)
	return trialset.Filter(closed, func(t *record.Trial) bool {
		return len(trialset.Having(byWorkload[trialset.WorkloadOf(*t)], trialset.Ingest)) > 0
	})
}

// dependable returns the axes of parameters that are numbers, and of the clients, which make the load as well.
func sensitivityAxes(trials []record.Trial) []trialset.CurveAxis {
	out := slices.DeleteFunc(trialset.NumberAxes(trials), func(a trialset.CurveAxis) bool { return a.Param == record.ParamClients })
	for i := range out {
		out[i].Load = false
	}
	return append(out, trialset.LoadAxisOf(record.ParamClients))
}

// dependence returns nil if there is one value, or no rate that is positive throughout.
func sensitivityOf(c trialset.Curve) *Sensitivity {
	logs, ok := c.Logs(trialset.Ingest)
	if len(c.Points) < 2 || !ok {
		return nil
	}
	d := &Sensitivity{Param: c.Param, Unit: c.Unit, Metric: trialset.Ingest, Spread: estimate.Spread(logs), Verdict: SensitivityUndecided}
	for _, p := range c.Points {
		d.Points = append(d.Points, SensitivityPoint{p.X, p.Estimate(trialset.Ingest), len(trialset.ValuesOf(p.Trials, trialset.Ingest))})
	}
	switch {
	case d.Spread.Lo != nil && *d.Spread.Lo >= strongly:
		d.Verdict = Insensitive
	case d.Spread.Below(strongly):
		d.Verdict = Sensitive
	}
	return d
}

// FewLargeOf finds, in each family that differs in clients and one size, the fewest clients with the largest size and the most with the smallest.
func FewLargeOf(trials []record.Trial) map[trialset.Key]*FewLarge {
	out := map[trialset.Key]*FewLarge{}
	clients := trialset.LoadAxisOf(record.ParamClients)
	loaded := trialset.Filter(closedIngest(trials), func(t *record.Trial) bool { return t.Load.Unit == record.ParamClients })
	_, byWorkload := trialset.GroupBy(loaded, trialset.WorkloadOf)
	for _, ts := range byWorkload {
		for _, size := range trialset.SizeAxes(ts) {
			_, families := trialset.GroupBy(ts, func(t record.Trial) trialset.Key { return trialset.FamilyAlong(t, size, clients) })
			for _, family := range families {
				if f, few := fewLarge(size.Curve(family), clients.Curve(family)); f != nil {
					out[few] = f
				}
			}
		}
	}
	return out
}

// fewLarge returns nil if not both were measured, or they are one.
func fewLarge(sizes, clients trialset.Curve) (f *FewLarge, few trialset.Key) {
	if len(sizes.Points) < 2 || len(clients.Points) < 2 {
		return nil, few
	}
	pick := func(size trialset.CurvePoint, level float64) trialset.CurvePoint {
		return trialset.CurvePoint{X: size.X, Trials: trialset.Filter(size.Trials, func(t *record.Trial) bool { return t.Load.Level == level })}
	}
	least, most := clients.First().X, clients.Last().X
	small, large := pick(sizes.First(), most), pick(sizes.Last(), least)
	if len(small.Trials) == 0 || len(large.Trials) == 0 {
		return nil, few
	}
	r := large.Over(small, trialset.Ingest)
	if r == nil {
		return nil, few
	}
	f = &FewLarge{
		Metric: trialset.Ingest, Param: sizes.Param, Ratio: *r,
		Few: Shape{least, large.X, large.Average(trialset.Ingest)}, Many: Shape{most, small.X, small.Average(trialset.Ingest)},
	}
	switch {
	case r.Above(1):
		f.Better = "few"
	case r.Below(1):
		f.Better = "many"
	}
	return f, large.At()
}

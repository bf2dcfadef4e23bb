package judge

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// Depends says whether what is carried depends strongly on a parameter that is a number, or on the clients, all else equal, of
// workloads that ingest bytes: the document of
// `depends` in `show --json`. It stands with the primary metric of the cell of the largest value.
type Depends struct {
	Param   string         `json:"param"`
	Unit    string         `json:"unit"`   // of the parameter: "B", "s"; "" for a plain number
	Metric  string         `json:"metric"` // what is carried
	Points  []DependsPoint `json:"points"` // the smallest value first
	Spread  Estimate       `json:"lowest_over_highest"`
	Verdict string         `json:"verdict"` // DependsStrongly, DependsNot, DependsUndecided
}

// DependsPoint is what is carried at one value.
type DependsPoint struct {
	X float64 `json:"x"`
	Estimate
	N int `json:"n"`
}

// Whether what is carried depends strongly on a parameter.
const (
	DependsStrongly  = "strongly"
	DependsNot       = "not strongly"
	DependsUndecided = "undecided"
)

// strongly is the share of the highest that the lowest must carry for a parameter not to matter much. It is ours: a fifth less is a
// difference that people who size systems plan for.
const strongly = .8

// FewLarge holds few clients with large records against many with small ones, all else equal: the document of `few_large` in `show --json`.
// It stands with the primary metric of the cell of few.
type FewLarge struct {
	Metric string   `json:"metric"`
	Param  string   `json:"param"` // the size
	Few    Shape    `json:"few"`
	Many   Shape    `json:"many"`
	Ratio  Estimate `json:"ratio"`            // few over many
	Better string   `json:"better,omitempty"` // "few", "many"; "" where the interval holds 1
}

// Shape is one way to make a load.
type Shape struct {
	Clients float64 `json:"clients"`
	Size    float64 `json:"size"` // bytes
	Value   float64 `json:"value"`
}

// dependsOn gives each sweep of a number to the cell of its largest value, of closed loads.
func dependsOn(trials []record.Trial) map[place][]Depends {
	out := map[place][]Depends{}
	_, byWorkload := grouped(valid(trials), workloadOf)
	for _, ts := range byWorkload {
		ts = kept(ts, func(t *record.Trial) bool { return t.Load.Kind == record.Closed && t.Probe == 0 })
		if len(having(ts, ingest)) == 0 {
			continue
		}
		for _, param := range dependable(ts) {
			_, families := grouped(ts, func(t record.Trial) place { return withoutParam(t, param) })
			for _, family := range families {
				if d, last := dependence(param, family); d != nil {
					at := placeOf(last, "", nil)
					out[at] = append(out[at], *d)
				}
			}
		}
	}
	for _, all := range out {
		slices.SortFunc(all, func(a, b Depends) int { return cmp.Compare(a.Param, b.Param) })
	}
	return out
}

// dependable are the parameters that are numbers, and the clients, which make the load as well.
func dependable(trials []record.Trial) []string {
	out := slices.DeleteFunc(numericParams(trials), func(p string) bool { return p == record.ParamClients })
	return append(out, record.ParamClients)
}

// withoutParam is a trial's place without a parameter; clients are the load.
func withoutParam(t record.Trial, param string) place {
	w := workloadOf(t)
	varied := map[dimension]bool{{w, w + "." + param}: true}
	if param == record.ParamClients {
		varied[dimension{w, record.KeyLoad}] = true
	}
	return placeOf(t, "", varied)
}

// rungsBy are a family's trials by the values of a parameter.
func rungsBy(family []record.Trial, param string) []runged {
	if param != record.ParamClients {
		return rungsOf(family, param)
	}
	order, at := grouped(kept(family, func(t *record.Trial) bool { return t.Load.Unit == record.ParamClients }), func(t record.Trial) float64 { return t.Load.Level })
	var out []runged
	for _, x := range order {
		out = append(out, runged{x: x, trials: at[x]})
	}
	slices.SortFunc(out, func(a, b runged) int { return cmp.Compare(a.x, b.x) })
	return out
}

// dependence judges one sweep; last is a trial of its largest value. It is nil where there is one value, or no rate that is positive throughout.
func dependence(param string, family []record.Trial) (d *Depends, last record.Trial) {
	rungs := rungsBy(family, param)
	if len(rungs) < 2 {
		return nil, last
	}
	d = &Depends{Param: param, Unit: rungs[0].unit, Metric: ingest, Points: []DependsPoint{}}
	var points []stat.Point
	for _, r := range rungs {
		values := valuesOf(r.trials, d.Metric)
		logs := stat.Logs(values)
		if len(logs) == 0 || math.IsNaN(stat.Mean(logs)) || r.unit != d.Unit {
			return nil, last
		}
		points = append(points, stat.Point{Logs: logs})
		d.Points = append(d.Points, DependsPoint{r.x, Of(values), len(values)})
	}
	d.Spread = Spread(points)
	switch {
	case d.Spread.Lo == nil:
		d.Verdict = DependsUndecided
	case *d.Spread.Lo >= strongly:
		d.Verdict = DependsNot
	case *d.Spread.Hi < strongly:
		d.Verdict = DependsStrongly
	default:
		d.Verdict = DependsUndecided
	}
	return d, rungs[len(rungs)-1].trials[0]
}

// fewLargeOf finds, in each family that differs in clients and one size, the fewest clients with the largest size and the most with the smallest.
func fewLargeOf(trials []record.Trial) map[place]*FewLarge {
	out := map[place]*FewLarge{}
	_, byWorkload := grouped(valid(trials), workloadOf)
	for _, ts := range byWorkload {
		ts = kept(ts, func(t *record.Trial) bool {
			return t.Load.Kind == record.Closed && t.Load.Unit == record.ParamClients && t.Probe == 0
		})
		if len(having(ts, ingest)) == 0 {
			continue
		}
		for _, param := range sizeParams(ts) {
			w := workloadOf(ts[0])
			varied := map[dimension]bool{{w, w + "." + param}: true, {w, w + "." + record.ParamClients}: true, {w, record.KeyLoad}: true}
			_, families := grouped(ts, func(t record.Trial) place { return placeOf(t, "", varied) })
			for _, family := range families {
				if f, few := fewLarge(family, param); f != nil {
					out[placeOf(few, "", nil)] = f
				}
			}
		}
	}
	return out
}

// fewLarge is nil where not both were measured, or they are one.
func fewLarge(family []record.Trial, param string) (f *FewLarge, few record.Trial) {
	sizes := sizesOf(family, param)
	if len(sizes) < 2 {
		return nil, few
	}
	clients := rungsBy(family, record.ParamClients)
	if len(clients) < 2 {
		return nil, few
	}
	pick := func(s sized, level float64) []record.Trial {
		return kept(s.trials, func(t *record.Trial) bool { return t.Load.Level == level })
	}
	large, small := sizes[len(sizes)-1], sizes[0]
	least, most := clients[0].x, clients[len(clients)-1].x
	a, b := pick(small, most), pick(large, least)
	if len(a) == 0 || len(b) == 0 {
		return nil, few
	}
	r := ratioOf(a, b, ingest)
	if r == nil {
		return nil, few
	}
	f = &FewLarge{Metric: ingest, Param: param, Ratio: *r,
		Few: Shape{least, large.size, Average(valuesOf(b, ingest))}, Many: Shape{most, small.size, Average(valuesOf(a, ingest))}}
	switch {
	case r.Lo == nil:
	case *r.Lo > 1:
		f.Better = "few"
	case *r.Hi < 1:
		f.Better = "many"
	}
	return f, b[0]
}

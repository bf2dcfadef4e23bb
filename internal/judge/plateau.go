package judge

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// Plateau is how a rate follows a parameter that is a number, all else equal, and from where on more of it brings nothing.
type Plateau struct {
	Param string    `json:"param"`
	Unit  string    `json:"unit"`          // of the parameter: "B", "s"; "" for a plain number
	Shape string    `json:"shape"`         // stat.Shape
	Slope float64   `json:"slope"`         // of ln rate over ln parameter, below the bend where there is one: 1 is in proportion
	At    *Estimate `json:"at,omitempty"`  // where it levels off; a bound that what was swept does not give is null
	Top   *Estimate `json:"top,omitempty"` // the rate from there on
	Lift  *Lift     `json:"lift,omitempty"`
}

// Lift is what a larger size carries where a count no longer helps: whether each operation costs, or each byte.
type Lift struct {
	Param string   `json:"param"` // the size
	From  float64  `json:"from"`  // bytes
	To    float64  `json:"to"`
	Ratio float64  `json:"ratio"` // of bytes a second, To over From
	Lo    *float64 `json:"lo"`    // nil below three replicates
	Hi    *float64 `json:"hi"`
	Limit string   `json:"limit"` // "operations", "bytes", "" undecided
}

// What binds where a count no longer helps.
const (
	limitOperations = "operations"
	limitBytes      = "bytes"
)

// plateausOf gives each sweep of a numeric parameter to the cell of its largest value.
func plateausOf(trials []record.Trial) map[place][]Plateau {
	out := map[place][]Plateau{}
	_, byWorkload := grouped(valid(trials), workloadOf)
	for _, ts := range byWorkload {
		for _, param := range numericParams(ts) {
			_, families := grouped(ts, func(t record.Trial) place { return sweptBy(t, param) })
			for _, family := range families {
				if found, last := plateauOf(param, family, ts); found != nil {
					at := placeOf(last[0], "", nil)
					out[at] = append(out[at], *found)
				}
			}
		}
	}
	for _, found := range out {
		slices.SortFunc(found, func(a, b Plateau) int { return cmp.Compare(a.Param, b.Param) })
	}
	return out
}

// sweptBy is what the trials of one sweep share. Depth and jobs are a load as well, which changes with them.
func sweptBy(t record.Trial, param string) place {
	w := workloadOf(t)
	varied := map[dimension]bool{{w, w + "." + param}: true}
	if param == record.ParamDepth || param == record.ParamJobs {
		varied[dimension{w, record.KeyLoad}] = true
	}
	return placeOf(t, "", varied)
}

// numericParams are those with more than one value, all of them numbers over 0.
func numericParams(trials []record.Trial) []string {
	values := map[string]map[string]bool{}
	numeric := map[string]bool{}
	for _, t := range trials {
		for name, text := range paramsOf(t, nil) {
			if values[name] == nil {
				values[name], numeric[name] = map[string]bool{}, true
			}
			v, _, ok := number(text)
			values[name][text], numeric[name] = true, numeric[name] && ok && v > 0
		}
	}
	var out []string
	for name, ok := range numeric {
		if ok && len(values[name]) > 1 {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// runged is the trials of one value of a parameter.
type runged struct {
	x      float64
	unit   string
	trials []record.Trial
}

func rungsOf(family []record.Trial, param string) []runged {
	order, at := grouped(family, func(t record.Trial) string { return paramsOf(t, nil)[param] })
	var out []runged
	for _, text := range order {
		if v, unit, ok := number(text); ok {
			out = append(out, runged{v, unit, at[text]})
		}
	}
	slices.SortFunc(out, func(a, b runged) int { return cmp.Compare(a.x, b.x) })
	return out
}

// plateauOf judges one sweep; last is the trials of its largest value. It is nil where there are too few values or trials, or no
// rate that is positive throughout.
func plateauOf(param string, family, all []record.Trial) (found *Plateau, last []record.Trial) {
	rungs := rungsOf(family, param)
	if len(rungs) == 0 {
		return nil, nil
	}
	last = rungs[len(rungs)-1].trials
	metric := rateOf(last)
	if metric == "" {
		return nil, nil
	}
	var points []stat.Rung
	for _, r := range rungs {
		logs := stat.Logs(valuesOf(r.trials, metric))
		if len(logs) == 0 || math.IsNaN(stat.Mean(logs)) || r.unit != rungs[0].unit {
			return nil, nil
		}
		points = append(points, stat.Rung{X: r.x, Logs: logs})
	}
	b, ok := stat.FitBend(points)
	if !ok {
		return nil, nil
	}
	p := &Plateau{Param: param, Unit: rungs[0].unit, Shape: string(b.Shape), Slope: b.Slope}
	if b.Shape == stat.LevelsOff {
		at := Estimate{Value: b.At}
		if b.AtLo > 0 {
			at.Lo = &b.AtLo
		}
		if !math.IsInf(b.AtHi, 1) {
			at.Hi = &b.AtHi
		}
		top := Bounded(b.Top, stat.Interval{Lo: b.TopLo, Hi: b.TopHi})
		p.At, p.Top = &at, &top
	}
	if p.Unit == "" && b.Shape != stat.Straight {
		p.Lift = liftOf(last, all, metric)
	}
	return p, last
}

// liftOf holds the cell where a count no longer helps against those that differ from it in a larger size alone.
func liftOf(last, all []record.Trial, metric string) *Lift {
	if m := primaryMetric(last); m.Unit != "B/s" {
		return nil
	}
	at := placeOf(last[0], "", nil)
	for _, param := range sizeParams(all) {
		family := kept(all, func(t *record.Trial) bool { return familyWithout(*t, param) == familyWithout(last[0], param) })
		sizes := sizesOf(family, param)
		here := slices.IndexFunc(sizes, func(s sized) bool { return placeOf(s.trials[0], "", nil) == at })
		if here < 0 || here == len(sizes)-1 {
			continue
		}
		largest := sizes[len(sizes)-1]
		r := ratioOf(last, largest.trials, metric)
		if r == nil {
			continue
		}
		l := &Lift{Param: param, From: sizes[here].size, To: largest.size, Ratio: r.Value, Lo: r.Lo, Hi: r.Hi}
		switch {
		case r.Lo == nil:
		case *r.Lo > 1+Margin:
			l.Limit = limitOperations
		case *r.Hi < 1+Margin:
			l.Limit = limitBytes
		}
		return l
	}
	return nil
}

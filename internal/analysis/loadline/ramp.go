package loadline

import (
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// MinRamp is the least number of different loads in a sweep of load: one at which nothing waits, and one on either side
// of the line.
const MinRamp = 3

// Ramp is a curve along a load ("rate", "clients" or "cpus") of trials that are valid and have values.
type Ramp struct {
	trialset.Curve
	void     []float64        // loads, ascending, without a valid trial
	over     map[float64]bool // loads that the target did not carry in a trial
	Searched []record.Trial   // all trials of the searches, if the loads were searched for; else nil
	asked    record.Search    // likewise, the parameters of the search
}

// RampsOf returns the curves of load, in the trials' order.
func RampsOf(trials []record.Trial) []Ramp {
	type family struct {
		trialset.Key
		unit string
	}
	loaded := trialset.Filter(trials, func(t *record.Trial) bool { return t.Load.Unit != "" && t.Load.Level > 0 })
	axis := func(t record.Trial) trialset.CurveAxis { return trialset.LoadAxisOf(t.Load.Unit) }
	key := func(t record.Trial) family { return family{trialset.FamilyAlong(t, axis(t)), t.Load.Unit} }
	var out []Ramp
	for _, c := range trialset.CurvesBy(loaded, key, axis) {
		if r := newRamp(c); len(r.Points) >= MinRamp {
			out = append(out, r)
		}
	}
	return out
}

// newRamp returns the ramp of the valid trials of a curve of load.
func newRamp(c trialset.Curve) Ramp {
	r := Ramp{Curve: trialset.Curve{Param: c.Param, Unit: c.Unit}, over: map[float64]bool{}}
	for _, p := range c.Points {
		r.over[p.X] = slices.ContainsFunc(p.Trials, func(t record.Trial) bool { return t.Over })
		measured := trialset.Filter(p.Trials, func(t *record.Trial) bool { return t.Void == "" && len(t.Values) > 0 })
		if len(measured) == 0 {
			r.void = append(r.void, p.X)
			continue
		}
		r.Points = append(r.Points, trialset.CurvePoint{X: p.X, Trials: measured})
	}
	return r
}

// rounds returns the replicates that form a sweep by themselves. If none does, as when each load is a plan of its own,
// all trials together are one, and whole is false.
func (r Ramp) rounds() (out []Ramp, whole bool) {
	at := map[trialset.Slot]int{}
	for _, p := range r.Points {
		for i := range p.Trials {
			slot := trialset.SweepOf(p.Trials[i])
			k, ok := at[slot]
			if !ok {
				k = len(out)
				at[slot], out = k, append(out, Ramp{Curve: trialset.Curve{Param: r.Param, Unit: r.Unit}})
			}
			out[k].add(p.X, p.Trials[i:i+1:i+1])
		}
	}
	out = slices.DeleteFunc(out, func(round Ramp) bool { return len(round.Points) < MinRamp })
	if len(out) == 0 {
		return []Ramp{r}, false
	}
	return out, true
}

// add adds trials at a load that is not below the others.
func (r *Ramp) add(x float64, trials []record.Trial) {
	if last := len(r.Points) - 1; last >= 0 && r.Points[last].X == x {
		r.Points[last].Trials = append(r.Points[last].Trials, trials...)
		return
	}
	r.Points = append(r.Points, trialset.CurvePoint{X: x, Trials: trials})
}

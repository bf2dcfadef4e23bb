package loadline

import (
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
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
	order, families := trialset.GroupBy(loaded, func(t record.Trial) family {
		return family{trialset.FamilyAlong(t, trialset.LoadAxisOf(t.Load.Unit)), t.Load.Unit}
	})
	var out []Ramp
	for _, f := range order {
		if r := newRamp(f.unit, families[f]); len(r.Points) >= MinRamp {
			out = append(out, r)
		}
	}
	return out
}

func newRamp(unit string, trials []record.Trial) Ramp {
	measured := trialset.Filter(trials, func(t *record.Trial) bool { return t.Void == "" && len(t.Values) > 0 })
	r := Ramp{Curve: trialset.LoadAxisOf(unit).Curve(measured), over: map[float64]bool{}}
	valid := map[float64]bool{}
	for _, p := range r.Points {
		valid[p.X] = true
	}
	for _, p := range trialset.LoadAxisOf(unit).Curve(trials).Points {
		r.over[p.X] = slices.ContainsFunc(p.Trials, func(t record.Trial) bool { return t.Over })
		if !valid[p.X] {
			r.void = append(r.void, p.X)
		}
	}
	return r
}

// rounds returns the replicates that form a sweep by themselves. If none does, as when each load is a plan of its own,
// all trials together are one, and whole is false.
func (r Ramp) rounds() (out []Ramp, whole bool) {
	order, rounds := trialset.GroupBy(r.Trials(), trialset.SweepOf)
	for _, at := range order {
		if round := newRamp(r.Param, rounds[at]); len(round.Points) >= MinRamp {
			out = append(out, round)
		}
	}
	if len(out) == 0 {
		return []Ramp{r}, false
	}
	return out, true
}

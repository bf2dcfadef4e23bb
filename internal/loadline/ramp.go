package loadline

import (
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// MinRamp is how many different loads make a sweep of load: one at which nothing
// waits, and one on either side of the line.
const MinRamp = 3

// Ramp is a curve along a load, of trials that are valid and have values: "rate", "clients" or "cpus".
type Ramp struct {
	trialset.Curve
	void     []float64        // loads, ascending, that have no valid trial
	over     map[float64]bool // loads at which a trial was not carried
	Searched []record.Trial   // if the loads were searched for, all of the searches' trials; else nil
	asked    record.Search    // likewise, what they were asked for
}

// RampsOf finds the curves of load, in the trials' order.
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
	for _, p := range trialset.LoadAxisOf(unit).Curve(trials).Points {
		r.over[p.X] = slices.ContainsFunc(p.Trials, func(t record.Trial) bool { return t.Over })
		if !slices.ContainsFunc(r.Points, func(q trialset.CurvePoint) bool { return q.X == p.X }) {
			r.void = append(r.void, p.X)
		}
	}
	return r
}

// rounds are the replicates that swept by themselves. Where none did, as when each
// load is a plan of its own, all trials together are one, and whole is false.
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

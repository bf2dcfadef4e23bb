package judge

import (
	"slices"

	"plimsoll/internal/record"
)

// minRamp is how many different loads make a sweep of load: one at which nothing
// waits, and one on either side of the line.
const minRamp = 3

// ramp is a curve along a load, of trials that are valid and have values: "rate", "clients" or "cpus".
type ramp struct {
	Curve
	void     []float64        // loads, ascending, that have no valid trial
	over     map[float64]bool // loads at which a trial was not carried
	searched []record.Trial   // if the loads were searched for, all of the searches' trials; else nil
	asked    record.Search    // likewise, what they were asked for
}

// rampsOf finds the curves of load, in the trials' order.
func rampsOf(trials []record.Trial) []ramp {
	type family struct {
		place
		unit string
	}
	loaded := kept(trials, func(t *record.Trial) bool { return t.Load.Unit != "" && t.Load.Level > 0 })
	order, families := grouped(loaded, func(t record.Trial) family {
		return family{familyAlong(t, loadAxisOf(t.Load.Unit)), t.Load.Unit}
	})
	var out []ramp
	for _, f := range order {
		if r := newRamp(f.unit, families[f]); len(r.Points) >= minRamp {
			out = append(out, r)
		}
	}
	return out
}

func newRamp(unit string, trials []record.Trial) ramp {
	measured := kept(trials, func(t *record.Trial) bool { return t.Void == "" && len(t.Values) > 0 })
	r := ramp{Curve: loadAxisOf(unit).curve(measured), over: map[float64]bool{}}
	for _, p := range loadAxisOf(unit).curve(trials).Points {
		r.over[p.X] = slices.ContainsFunc(p.Trials, func(t record.Trial) bool { return t.Over })
		if !slices.ContainsFunc(r.Points, func(q CurvePoint) bool { return q.X == p.X }) {
			r.void = append(r.void, p.X)
		}
	}
	return r
}

// rounds are the replicates that swept by themselves. Where none did, as when each
// load is a plan of its own, all trials together are one, and whole is false.
func (r ramp) rounds() (out []ramp, whole bool) {
	order, rounds := grouped(r.trials(), sweepOf)
	for _, at := range order {
		if round := newRamp(r.Param, rounds[at]); len(round.Points) >= minRamp {
			out = append(out, round)
		}
	}
	if len(out) == 0 {
		return []ramp{r}, false
	}
	return out, true
}

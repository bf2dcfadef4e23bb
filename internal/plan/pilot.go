package plan

import (
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

const (
	// DefaultPilotS is how long a pilot trial measures, in seconds: twice what its
	// windows need to be judged (stat.SteadyFrom).
	DefaultPilotS = 60
	// sdTrials is what trials are taken to scatter by between each other, of which one
	// pair says nothing (METHOD section 2).
	sdTrials  = 0.01
	maxPilots = 2 // the second twice as long, where the first did not settle
)

// times are how long a trial warms up and measures, in seconds.
type times struct{ warmup, duration float64 }

// setPilot gives a sequential plan its pilot: where asked for, and where nobody
// said how long to warm up and to measure.
func setPilot(p *record.Plan, req Request) error {
	silent := req.DurationS == 0 && req.WarmupS < 0
	asked := req.PilotS > 0
	switch {
	case asked && !silent:
		return usagef("a pilot chooses how long to warm up and to measure, and that is stated too\nhint: leave out one of them")
	case req.PilotS > maxSeconds:
		return usagef("a pilot of %g s: must be at most a week", req.PilotS)
	case !silent || req.PilotS < 0 || p.Quick && !asked:
		return nil
	}
	p.Pilot = &record.Pilot{DurationS: or(req.PilotS, DefaultPilotS)}
	c := Follow(*p)
	for _, g := range c.groups {
		if c.hasPilot(g) {
			return nil
		}
	}
	p.Pilot = nil
	return noPilot(req)
}

// noPilot refuses a pilot that was asked for where there is no use for one.
func noPilot(req Request) error {
	if req.PilotS <= 0 {
		return nil
	}
	return usagef("nothing here has use for a pilot: it chooses the times of comparisons whose replicates are not stated and whose sides are trials of their own, not slices or work that is done once\nhint: leave out the pilot")
}

// hasPilot says whether a group begins with a pilot. Sides that alternate in slices warm
// up alike, and work that is done once has no times.
func (c *Course) hasPilot(g group) bool {
	first := c.plan.Cells[g.cells[0]]
	return c.plan.Pilot != nil && len(g.cells) > 1 && !first.Sliced && first.Load.Kind != record.Once
}

// times are those of a group's trials: what its pilot chose, or the plan's.
func (c *Course) times(at int) times {
	if chosen := c.progressOf(at).chosen; chosen != nil {
		return *chosen
	}
	return times{c.plan.WarmupS, c.plan.DurationS}
}

// judgePilot chooses the times that fit all sides of a group (METHOD sections 1 and 3): the warm-up ends
// where the last of them became steady, the length is the longest that any of
// them is best measured for. again says that the pilot is run twice, the second one twice as long, since
// a side of the first did not settle. Where no side said anything of itself, nothing is chosen.
func (c *Course) judgePilot(trials []record.Trial) (chosen *times, again bool) {
	first, last := pilotOf(trials, -1), pilotOf(trials, -2)
	again = slices.ContainsFunc(first, func(w record.SteadyState) bool { return !steady(w) })
	if len(last) == 0 {
		last = first
	}
	for _, w := range last {
		if chosen == nil {
			chosen = &times{}
		}
		warmup := math.Ceil(c.plan.WarmupS + w.SteadyS)
		best := stat.TrialSeconds(warmup, w.SD, w.Tau, sdTrials)
		chosen.warmup, chosen.duration = max(chosen.warmup, warmup), max(chosen.duration, math.Ceil(best))
	}
	return chosen, again
}

func steady(w record.SteadyState) bool { return stat.SteadyState{Kept: w.Kept}.Holds() }

// pilotOf is what the trials of one pilot say of themselves.
func pilotOf(trials []record.Trial, replicate int) []record.SteadyState {
	var out []record.SteadyState
	for _, t := range trials {
		if t.Pilot && t.Replicate == replicate && t.Void == "" && t.Steady != nil {
			out = append(out, *t.Steady)
		}
	}
	return out
}

package plan

import (
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

const (
	// sdTrials is the assumed standard deviation between trials, about which one pair says nothing
	// (docs/derivations.md#machine-types).
	sdTrials  = 0.01
	maxPilots = 2 // the second twice as long, if the first did not become steady
)

// times are how long a trial warms up and measures, in seconds.
type times struct{ warmup, duration float64 }

// setPilot gives a sequential plan the pilot that was requested.
func setPilot(p *record.Plan, req Request) error {
	switch {
	case req.PilotS == 0:
		return nil
	case req.DurationS > 0 || req.WarmupS >= 0:
		return usagef("a pilot chooses warm-up and duration, but these are set too\nhint: leave out one of them")
	case req.PilotS > maxSeconds:
		return usagef("a pilot of %g s: must be at most a week", req.PilotS)
	}
	p.Pilot = &record.Pilot{DurationS: req.PilotS}
	c := Follow(*p)
	for _, g := range c.groups {
		if c.hasPilot(g) {
			return nil
		}
	}
	p.Pilot = nil
	return noPilot(req)
}

// noPilot rejects a requested pilot if there is no use for one.
func noPilot(req Request) error {
	if req.PilotS == 0 {
		return nil
	}
	return usagef("no use for a pilot here: it chooses the times of comparisons without a fixed number of replicates " +
		"whose sides are separate runs, neither sliced nor of a command that runs once\nhint: leave out the pilot")
}

// hasPilot reports whether a group begins with a pilot. Sides that alternate in slices warm up alike, and work that is
// done once has no times.
func (c *Course) hasPilot(g group) bool {
	first := c.plan.Cells[g.cells[0]]
	return c.plan.Pilot != nil && len(g.cells) > 1 && !first.Sliced && first.Load.Kind != record.Once && first.Times == nil
}

// times returns the times of a group's trials: chosen by its pilot, its own, or the plan's.
func (c *Course) times(at int) times {
	if chosen := c.progressOf(at).chosen; chosen != nil {
		return *chosen
	}
	return cellTimes(c.plan, c.plan.Cells[c.groups[at].cells[0]])
}

// cellTimes returns the times of a cell's trials without a pilot.
func cellTimes(p record.Plan, c record.Cell) times {
	if c.Times != nil {
		return times{c.Times.WarmupS, c.Times.DurationS}
	}
	return times{p.WarmupS, p.DurationS}
}

// judgePilot chooses times that fit all sides of a group (docs/derivations.md#machine-types): the
// warm-up ends when the last of them became steady, and the duration is the longest that is optimal for any of them.
// again reports that a side of the first pilot did not become steady, so that it is repeated with twice the duration.
// Without any steady-state data, nothing is chosen.
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

func pilotOf(trials []record.Trial, replicate int) []record.SteadyState {
	var out []record.SteadyState
	for _, t := range trials {
		if t.Pilot && t.Replicate == replicate && t.Void == "" && t.Steady != nil {
			out = append(out, *t.Steady)
		}
	}
	return out
}

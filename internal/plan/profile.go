package plan

import (
	"slices"

	"plimsoll/internal/record"
)

// checkProfile rejects profiling without a fixed load.
func checkProfile(r Request) error {
	if r.Profile && r.searches() {
		return usagef("a search for a load line has runs at many loads, but a profile needs one load\nhint: set the load " +
			"to profile instead, for example --set WORKLOAD.rate=N at the load line")
	}
	return nil
}

// step is one action of a round: a turn as planned, or the same while it is profiled.
type step struct {
	turn
	pos      int // position of the turn in its round
	profiled bool
}

// steps returns those of a round in order: all sides are measured before the first is profiled, so that the sides of a
// pair stay adjacent in time. Pilots, extra pairs and searches are not profiled.
func (c *Course) steps(r round) []step {
	var out []step
	for pos, t := range c.inTurn(r) {
		out = append(out, step{turn: t, pos: pos})
	}
	if !c.plan.Profile || r.kind != ordinaryRound || c.searched(r.group) {
		return out
	}
	for _, s := range slices.Clone(out) {
		s.profiled = true
		out = append(out, s)
	}
	return out
}

// openStep reports whether a step may run now, as far as its group is concerned.
func (c *Course) openStep(s step, replicate int) bool {
	if !s.profiled {
		return c.openAny(s.turn, replicate)
	}
	return slices.ContainsFunc(s.turn, func(cell int) bool { return c.toProfile(cell, replicate) })
}

// stepLeft reports whether a step is still to come if all goes well.
func (c *Course) stepLeft(s step, replicate int) bool {
	return c.openStep(s, replicate) ||
		s.profiled && slices.ContainsFunc(s.turn, func(cell int) bool { return c.fullOpen(cell, replicate) })
}

// toProfile reports whether a measured replicate is still to be profiled: a void profile is retried once, and a cell
// without a valid one is not tried again.
func (c *Course) toProfile(cell, replicate int) bool {
	where := slot{cell, replicate}
	return !c.lost[cell] && c.valid[where] > 0 && !spent(c.profiled[where]) && !c.unprofiled[cell].spent()
}

func (c *Course) addProfiled(where slot, t record.Trial) {
	c.profiled[where] = append(c.profiled[where], t)
	if t.Void == "" {
		c.unprofiled[where.cell] = voids{all: -maxReplicates} // profiling works
	} else if c.unprofiled[where.cell].all >= 0 {
		c.unprofiled[where.cell] = c.unprofiled[where.cell].with(t)
	}
}

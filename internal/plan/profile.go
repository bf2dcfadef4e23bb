package plan

import (
	"slices"

	"plimsoll/internal/record"
)

// checkProfile refuses to profile what has no load yet.
func checkProfile(r Request) error {
	if r.Profile && r.searches() {
		return usagef("a search for a load line has trials at many loads, and a profile is of one\nhint: set the load to be profiled instead, such as --set WORKLOAD.rate=N at the line that was found")
	}
	return nil
}

// step is one thing to do in a round: a turn as it stands in the plan, or the same while it is profiled.
type step struct {
	turn
	pos      int // of the turn in its round
	profiled bool
}

// steps are those of a round in their order: all sides are measured before the first is profiled, so that the sides
// of a pair stay side by side in time. Pilots, extra pairs and searches are not profiled.
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

// openStep says whether a step may be done now, as far as its group is concerned.
func (c *Course) openStep(s step, replicate int) bool {
	if !s.profiled {
		return c.openAny(s.turn, replicate)
	}
	return slices.ContainsFunc(s.turn, func(cell int) bool { return c.toProfile(cell, replicate) })
}

// stepLeft says whether a step is still to come if all goes well.
func (c *Course) stepLeft(s step, replicate int) bool {
	return c.openStep(s, replicate) ||
		s.profiled && slices.ContainsFunc(s.turn, func(cell int) bool { return c.fullOpen(cell, replicate) })
}

// toProfile says whether a replicate that has been measured is still to be profiled: a void profile is tried once more, and a
// cell that never gave a valid one is not tried again.
func (c *Course) toProfile(cell, replicate int) bool {
	where := slot{cell, replicate}
	made := c.profiled[where]
	told := slices.ContainsFunc(made, func(t record.Trial) bool { return t.Void == "" || t.Over })
	return c.valid[where] > 0 && !told && len(made) < attempts && c.unprofiled[cell] < attempts
}

func (c *Course) addProfiled(where slot, t record.Trial) {
	c.profiled[where] = append(c.profiled[where], t)
	switch {
	case t.Void == "":
		c.unprofiled[where.cell] = -maxReplicates // it can be done
	case c.unprofiled[where.cell] >= 0:
		c.unprofiled[where.cell]++
	}
}

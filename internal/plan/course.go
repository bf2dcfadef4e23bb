package plan

import (
	"slices"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// Course is a plan and the trials done so far, as a run that goes on keeps
// them: what it asks for next is what Next says of the same trials, without
// counting them all again.
type Course struct {
	plan        record.Plan
	hash        string
	groups      []group
	alone       []bool      // by the group's place: it has nothing to compare, so that no look ends it
	of          map[int]int // the group's place by cell
	valid, void map[slot]int
	over        map[slot]bool // the target did not carry the load: it would not do so now
	cellValid   map[int]int
	cellVoid    map[int]int
	progress    []progress              // by the group's place
	searches    map[slot][]record.Trial // the probes of each search, in the order in which they were made
	full        map[int][]record.Trial  // at full load, of cells whose safe rate is verified
	near        map[slot][]record.Trial // near that rate
	profiled    map[slot][]record.Trial
	unprofiled  map[int]int     // by cell: void profiled trials, as long as none was valid
	lasted      map[int]float64 // by cell: seconds of the last valid trial
	early       bool            // each comparison is taken to end with its first look
}

// slot is where one trial of the plan belongs.
type slot struct{ cell, replicate int }

// progress is how far a group is.
type progress struct {
	trials  []record.Trial
	stale   bool   // trials have come since the rest was found out
	settled bool   // all of its comparisons are decided
	begun   int    // replicates
	extra   int    // pairs that stand in for tainted ones
	chosen  *times // by the pilot; nil: not yet, or there is none
	second  bool   // whether the pilot is run again
}

// Follow begins a plan.
func Follow(p record.Plan) *Course {
	c := &Course{plan: p, hash: Hash(p), groups: groupsOf(p), of: map[int]int{},
		valid: map[slot]int{}, void: map[slot]int{}, over: map[slot]bool{}, cellValid: map[int]int{}, cellVoid: map[int]int{}, searches: map[slot][]record.Trial{}, full: map[int][]record.Trial{}, near: map[slot][]record.Trial{},
		profiled: map[slot][]record.Trial{}, unprofiled: map[int]int{}, lasted: map[int]float64{}}
	c.progress = make([]progress, len(c.groups))
	c.alone = make([]bool, len(c.groups))
	for i, g := range c.groups {
		c.alone[i] = p.Stop != nil && !judge.Compares(p, g.cells)
		for _, cell := range g.cells {
			c.of[cell] = i
		}
	}
	return c
}

// Add takes trials that are done. Those of other plans do not count.
func (c *Course) Add(trials ...record.Trial) {
	for _, t := range trials {
		at, ours := c.of[t.Cell]
		if t.Plan != c.hash || !ours {
			continue
		}
		where := slot{t.Cell, t.Replicate}
		if t.Probe > 0 {
			c.searches[where] = append(c.searches[where], t)
			continue
		}
		if t.Profiled {
			c.addProfiled(where, t)
			continue
		}
		if t.Capped > 0 {
			c.near[where] = append(c.near[where], t)
			continue
		}
		if c.plan.Cells[t.Cell].Safe {
			c.full[t.Cell] = append(c.full[t.Cell], t)
		}
		switch {
		case t.Over:
			c.over[where] = true
			c.cellVoid[t.Cell]++
		case t.Void != "":
			c.void[where]++
			c.cellVoid[t.Cell]++
		default:
			c.valid[where]++
			c.lasted[t.Cell] = t.DurationS
			c.cellValid[t.Cell]++
		}
		p := &c.progress[at]
		p.trials, p.stale = append(p.trials, t), true
		if !t.Extra {
			p.begun = max(p.begun, t.Replicate+1)
		}
	}
}

// progressOf finds out how far a group is, once after every trial of it.
func (c *Course) progressOf(at int) *progress {
	p := &c.progress[at]
	if !p.stale {
		return p
	}
	g := c.groups[at]
	p.stale = false
	if c.hasPilot(g) {
		p.chosen, p.second = c.judgePilot(p.trials)
	}
	if c.plan.Stop == nil || c.alone[at] || c.searched(g) {
		return p
	}
	n, settled := judge.Settled(c.plan, g.cells, p.trials)
	p.settled = settled
	if !settled {
		n = c.plan.Replicates
	}
	p.extra = extraPairs(p.trials, n)
	return p
}

// replicates is how many of its replicates a group needs, as far as one can say now.
func (c *Course) replicates(at int) int {
	switch {
	case c.plan.Stop == nil:
		return c.plan.Replicates
	case c.alone[at], c.searched(c.groups[at]):
		return c.plan.Stop.Alone
	case c.early:
		return c.plan.Stop.Looks[0]
	case c.progressOf(at).settled && c.plan.Profile:
		return c.progress[at].begun // of the last, profiles may be wanting
	case c.progressOf(at).settled:
		return 0
	}
	return c.plan.Replicates
}

func (c *Course) open(cell, replicate int) bool {
	if c.plan.Cells[cell].Search != nil {
		_, more := c.probe(cell, replicate)
		return more
	}
	_, more := c.capped(cell, replicate)
	return more || c.fullOpen(cell, replicate)
}

// fullOpen says whether the load as it stands in the plan is still to be run.
func (c *Course) fullOpen(cell, replicate int) bool {
	where := slot{cell, replicate}
	dead := c.cellValid[cell] == 0 && c.cellVoid[cell] >= attempts
	return c.valid[where] == 0 && !c.over[where] && c.void[where] < attempts && !dead
}

// openAny says whether a turn is still to be run: a sliced one for the sake of
// any of its sides.
func (c *Course) openAny(t turn, replicate int) bool {
	return slices.ContainsFunc(t, func(cell int) bool { return c.open(cell, replicate) })
}

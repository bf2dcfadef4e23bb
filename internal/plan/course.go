package plan

import (
	"slices"
	"time"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/record"
)

// Course is a plan and the trials done so far, maintained incrementally by a run: its Next equals the function Next of
// the same trials.
type Course struct {
	plan       record.Plan
	hash       string
	groups     []group
	alone      []bool      // by group index: nothing to compare, so no interim analysis ends it
	of         map[int]int // cell -> group index
	valid      map[slot]int
	void       map[slot]voids
	over       map[slot]bool // the target could not sustain the load, and would not now
	cellValid  map[int]int
	cellVoid   map[int]voids
	progress   []progress              // by group index
	searches   map[slot][]record.Trial // probes of each search, in order
	chosen     map[slot]choice
	lines      map[lineOf]locatedLine
	took       map[slot]float64        // seconds of each search so far
	ended      time.Time               // of the last probe
	full       map[int][]record.Trial  // at full load, of cells whose safe rate is verified
	near       map[slot][]record.Trial // near that rate
	profiled   map[slot][]record.Trial
	unprofiled map[int]voids   // by cell: void profiled trials, as long as none was valid
	lasted     map[int]float64 // by cell: seconds of the last valid trial
	early      bool            // assume that each comparison ends at its first interim analysis
	lost       map[int]bool    // cells whose host is lost
}

// slot identifies one trial of the plan.
type slot struct{ cell, replicate int }

// progress is the state of a group.
type progress struct {
	trials  []record.Trial
	stale   bool   // trials were added since the rest was computed
	settled bool   // all of its comparisons are decided
	begun   int    // replicates begun
	extra   int    // pairs that replace disturbed ones
	chosen  *times // by the pilot; nil: not yet, or no pilot
	second  bool   // repeat the pilot
}

// Follow returns the Course of a plan without trials.
func Follow(p record.Plan) *Course {
	c := &Course{plan: p, hash: Hash(p), groups: groupsOf(p), of: map[int]int{},
		valid: map[slot]int{}, void: map[slot]voids{}, over: map[slot]bool{}, cellValid: map[int]int{},
		cellVoid: map[int]voids{}, searches: map[slot][]record.Trial{},
		chosen: map[slot]choice{}, lines: map[lineOf]locatedLine{},
		took: map[slot]float64{}, full: map[int][]record.Trial{},
		near:     map[slot][]record.Trial{},
		profiled: map[slot][]record.Trial{}, unprofiled: map[int]voids{}, lasted: map[int]float64{}, lost: map[int]bool{}}
	c.progress = make([]progress, len(c.groups))
	c.alone = make([]bool, len(c.groups))
	for i, g := range c.groups {
		for _, cell := range g.cells {
			c.of[cell] = i
		}
	}
	c.compare()
	return c
}

// compare determines the groups in which there is nothing to compare.
func (c *Course) compare() {
	for i, g := range c.groups {
		c.alone[i] = c.plan.Stop != nil && !sequential.Compares(c.plan, c.left(g))
		c.progress[i].stale = true
	}
}

// Lose goes on without a host: its cells are not measured any more, and no comparison waits for them.
func (c *Course) Lose(host string) {
	for i, cell := range c.plan.Cells {
		if cell.On(host) {
			c.lost[i] = true
		}
	}
	c.compare()
}

// left returns the cells of a group whose host is not lost.
func (c *Course) left(g group) []int {
	return slices.DeleteFunc(slices.Clone(g.cells), func(cell int) bool { return c.lost[cell] })
}

// Add adds finished trials. It ignores those of other plans.
func (c *Course) Add(trials ...record.Trial) {
	for _, t := range trials {
		at, ours := c.of[t.Cell]
		if t.Plan != c.hash || !ours {
			continue
		}
		where := slot{t.Cell, t.Replicate}
		if t.Probe > 0 {
			c.searches[where] = append(c.searches[where], t)
			c.timed(where, t)
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
			c.cellVoid[t.Cell] = c.cellVoid[t.Cell].with(t)
		case t.Void != "":
			c.void[where] = c.void[where].with(t)
			c.cellVoid[t.Cell] = c.cellVoid[t.Cell].with(t)
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

// progressOf returns the state of a group, recomputing it if it is stale.
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
	n, settled := sequential.Settled(c.plan, c.left(g), p.trials)
	p.settled = settled
	if !settled {
		n = c.plan.Replicates
	}
	p.extra = extraPairs(p.trials, n)
	return p
}

// replicates returns how many replicates a group needs, as far as is known.
func (c *Course) replicates(at int) int {
	switch {
	case c.plan.Stop == nil:
		return c.plan.Replicates
	case c.alone[at], c.searched(c.groups[at]):
		return c.plan.Stop.Alone
	case c.early:
		return c.plan.Stop.Looks[0]
	case c.progressOf(at).settled && c.plan.Profile:
		return c.progress[at].begun // of the last one, profiles may be missing
	case c.progressOf(at).settled:
		return 0
	}
	return c.plan.Replicates
}

func (c *Course) open(cell, replicate int) bool {
	if c.lost[cell] {
		return false
	}
	if c.plan.Cells[cell].Search != nil {
		_, more := c.probe(cell, replicate)
		return more
	}
	_, more := c.capped(cell, replicate)
	return more || c.fullOpen(cell, replicate)
}

// fullOpen reports whether the load as planned is still to be run.
func (c *Course) fullOpen(cell, replicate int) bool {
	where := slot{cell, replicate}
	dead := c.cellValid[cell] == 0 && c.cellVoid[cell].spent()
	return c.valid[where] == 0 && !c.over[where] && !c.void[where].spent() && !dead && !c.lost[cell]
}

// openAny reports whether a turn is still to be run; a sliced one if any of its sides is.
func (c *Course) openAny(t turn, replicate int) bool {
	return slices.ContainsFunc(t, func(cell int) bool { return c.open(cell, replicate) })
}

// Extent returns the extent of a plan if all goes well: the maximum, or with early the minimum, if each comparison
// stops at its first interim analysis.
func Extent(p record.Plan, early bool, overhead Overhead) Span {
	c := Follow(p)
	c.early = early
	return c.Remaining(overhead)
}

// markRepeating marks the cells whose short runs can follow each other inside one child.
func markRepeating(p *record.Plan, decls []record.Workload) {
	for i := range p.Cells {
		c := &p.Cells[i]
		decl, err := Find(decls, c.Workload)
		c.Repeats = err == nil && decl.Repeats && c.Load.Kind == record.Once && c.Search == nil && !c.Safe && !c.Remote &&
			len(c.Cluster) == 0
	}
}

// maxSlicedSides bounds how many sides share one child: each keeps its own buffers in memory.
const maxSlicedSides = 4

// markSliced marks the groups whose sides can alternate inside one child (docs/method.md#interleaving).
func markSliced(p *record.Plan, decls []record.Workload) {
	groups := map[int][]int{}
	for i, c := range p.Cells {
		groups[c.Group] = append(groups[c.Group], i)
	}
	for _, members := range groups {
		first := p.Cells[members[0]]
		decl, _ := Find(decls, first.Workload)
		// A command that meters energy is run about once a second: it cannot distinguish slices.
		ok := decl.Slices && len(members) > 1 && len(members) <= maxSlicedSides && p.Energy == ""
		for _, i := range members {
			ok = ok && p.Cells[i].Load == first.Load && p.Cells[i].Host == first.Host &&
				tunedAlike(p.Cells[i].Params, first.Params)
		}
		for _, i := range members {
			p.Cells[i].Sliced = ok
		}
	}
}

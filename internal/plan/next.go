package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// attempts is how often one trial of the plan is tried before its slot is
// given up: a disturbance passes, a wrong command does not.
const attempts = 2

// Next says which trial comes next, or that the plan is done. It depends on
// nothing but its arguments: given the trials of a file it resumes that file.
//
// All groups run once in each replicate; the sides of a group run side by side
// in permuted blocks, so that each side goes first equally often (METHOD,
// amendment "Order"). A void trial is tried once more at once; a cell that
// never gave a valid trial in that many attempts is not tried again.
//
// Where the plan has looks (Plan.Stop), a group ends with the first at which all
// of its comparisons are decided.
func Next(p record.Plan, done []record.Trial) (record.Order, bool) {
	s := tally(p, done)
	groups := groupsOf(p)
	for r := range p.Replicates {
		for _, g := range groups {
			if s.enough(p, g, r) {
				continue
			}
			for pos, t := range g.turns(p, r) {
				if s.openAny(t, r) {
					return makeOrder(p, g, r, pos, t, s), true
				}
			}
		}
	}
	return record.Order{}, false
}

// Remaining counts the orders still to come if all go well, and the seconds
// they measure and warm up.
func Remaining(p record.Plan, done []record.Trial) (orders int, seconds float64) {
	s := tally(p, done)
	groups := groupsOf(p)
	for r := range p.Replicates {
		for _, g := range groups {
			if s.enough(p, g, r) {
				continue
			}
			for _, t := range g.turns(p, r) {
				if s.openAny(t, r) {
					orders++
					seconds += Seconds(p, sidesOf(p, t))
				}
			}
		}
	}
	return orders, seconds
}

// Seconds is how long the sides of an order warm up and measure together. A
// load of kind Once takes as long as it takes, and counts for nothing.
func Seconds(p record.Plan, sides []record.Side) float64 {
	total := 0.0
	for _, s := range sides {
		if s.Load.Kind != record.Once {
			total += p.WarmupS + p.DurationS
		}
	}
	return total
}

func sidesOf(p record.Plan, t turn) []record.Side {
	var out []record.Side
	for _, i := range t {
		c := p.Cells[i]
		out = append(out, record.Side{Cell: i, Workload: c.Workload, Params: c.Params, Load: c.Load, Levels: c.Levels})
	}
	return out
}

// state is what the trials done so far say of the plan's slots.
type state struct {
	valid, void map[[2]int]int // [cell, replicate]
	cellValid   map[int]int
	cellVoid    map[int]int
	trials      map[int][]record.Trial // of the plan, by cell
	enoughAt    map[int]int            // of groups already asked about: replicates from which on they are done
}

func tally(p record.Plan, done []record.Trial) state {
	s := state{map[[2]int]int{}, map[[2]int]int{}, map[int]int{}, map[int]int{}, map[int][]record.Trial{}, map[int]int{}}
	hash := Hash(p)
	for _, t := range done {
		if t.Plan != hash {
			continue
		}
		slot := [2]int{t.Cell, t.Replicate}
		s.trials[t.Cell] = append(s.trials[t.Cell], t)
		if t.Void == "" {
			s.valid[slot]++
			s.cellValid[t.Cell]++
		} else {
			s.void[slot]++
			s.cellVoid[t.Cell]++
		}
	}
	return s
}

// enough tells whether a group goes without a replicate, since it is decided or
// has nothing to compare.
func (s state) enough(p record.Plan, g group, replicate int) bool {
	if p.Stop == nil {
		return false
	}
	at, asked := s.enoughAt[g.id]
	if !asked {
		at = s.last(p, g)
		s.enoughAt[g.id] = at
	}
	return replicate >= at
}

// last is the number of replicates that a group needs as far as one can say now.
func (s state) last(p record.Plan, g group) int {
	if len(g.cells) < 2 {
		return p.Stop.Alone
	}
	var trials []record.Trial
	for _, cell := range g.cells {
		trials = append(trials, s.trials[cell]...)
	}
	if _, settled := judge.Settled(p, g.cells, trials); settled {
		return 0
	}
	return p.Replicates
}

func (s state) open(cell, replicate int) bool {
	slot := [2]int{cell, replicate}
	dead := s.cellValid[cell] == 0 && s.cellVoid[cell] >= attempts
	return s.valid[slot] == 0 && s.void[slot] < attempts && !dead
}

// openAny says whether a turn is still to be run: a sliced one for the sake of
// any of its sides.
func (s state) openAny(t turn, replicate int) bool {
	return slices.ContainsFunc(t, func(cell int) bool { return s.open(cell, replicate) })
}

// group is the cells of one comparison, which stand side by side in a plan.
type group struct {
	id    int
	cells []int
}

// turn is the cells of one child process: one, or all of a sliced group.
type turn []int

func groupsOf(p record.Plan) []group {
	var out []group
	for i, c := range p.Cells {
		if i == 0 || c.Group != p.Cells[i-1].Group {
			out = append(out, group{id: c.Group})
		}
		g := &out[len(out)-1]
		g.cells = append(g.cells, i)
	}
	return out
}

// turns gives the order of a group's turns in one replicate: every k
// replicates of k sides are a Latin square, its rows in random order.
func (g group) turns(p record.Plan, replicate int) []turn {
	if p.Cells[g.cells[0]].Sliced {
		return []turn{g.cells}
	}
	k := len(g.cells)
	block, within := replicate/k, replicate%k
	rng := rand.New(rand.NewPCG(p.Seed, uint64(g.id)<<32|uint64(block)))
	base, shifts := rng.Perm(k), rng.Perm(k)
	out := make([]turn, k)
	for i := range k {
		out[i] = turn{g.cells[base[(i+shifts[within])%k]]}
	}
	return out
}

func makeOrder(p record.Plan, g group, replicate, pos int, t turn, s state) record.Order {
	hash := Hash(p)
	attempt := s.void[[2]int{t[0], replicate}]
	return record.Order{
		ID:   fmt.Sprintf("%s-r%d-g%d-c%d-a%d", hash, replicate, g.id, t[0], attempt),
		Plan: hash, Replicate: replicate, Group: g.id, Position: pos, Attempt: attempt,
		Seed:    rand.NewPCG(p.Seed^uint64(replicate), uint64(g.id)).Uint64(),
		WarmupS: p.WarmupS, DurationS: p.DurationS, Host: p.Cells[t[0]].Host,
		Sides: sidesOf(p, t),
	}
}

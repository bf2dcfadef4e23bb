package plan

import (
	"math/rand/v2"
	"slices"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// attempts is how often to try one trial of the plan before giving up: a disturbance passes, a wrong command does not.
const attempts = 2

// mostAway bounds the further attempts at one trial whose host was lost meanwhile, which says nothing about the
// command.
const mostAway = 2

// voids counts the void trials of a slot or a cell.
type voids struct{ all, away int }

func (v voids) with(t record.Trial) voids {
	v.all++
	if t.Away {
		v.away++
	}
	return v
}

// spent reports whether there were as many attempts as may be.
func (v voids) spent() bool { return v.all >= attempts+min(v.away, mostAway) }

// spent reports whether these attempts at one trial were as many as may be: one is conclusive, or enough were void.
func spent(made []record.Trial) bool {
	var v voids
	for _, t := range made {
		if t.Conclusive() {
			return true
		}
		v = v.with(t)
	}
	return v.spent()
}

// Next returns the next trial, or false if the plan is done. It depends only on its arguments: given the trials of a
// file it resumes that file.
//
// All groups run once in each replicate; the sides of a group run side by side in permuted blocks, so that each side
// goes first equally often (docs/method.md#interleaving). A void trial is retried once immediately, and up to twice
// more if its host was lost meanwhile; a cell without a valid trial in that many attempts is not tried again.
//
// If the plan has interim analyses (Plan.Stop), a group ends with the first at which all of its comparisons are
// decided, and then gets the extra pairs that replace disturbed ones. If it has a pilot, each group begins with that.
func Next(p record.Plan, done []record.Trial) (record.Order, bool) {
	c := Follow(p)
	c.Add(done...)
	return c.Next()
}

// Next returns the next order that may start beside those that are running, as the function Next does. It returns false
// if none may: the plan is done if nothing is running. Only if the plan's hosts run concurrently (Plan.Together) may
// anything start beside another order: on another host, in the same round of the same group.
func (c *Course) Next(running ...record.Order) (record.Order, bool) {
	for r := range c.rounds() {
		open := false
		for _, s := range c.steps(r) {
			if !c.openStep(s, r.replicate) {
				continue
			}
			open = true
			if c.mayBegin(s.turn, r, running) {
				return c.batched(c.order(r, s)), true
			}
		}
		if open {
			break
		}
	}
	return record.Order{}, false
}

// mayBegin reports whether a turn can start beside the running orders.
func (c *Course) mayBegin(t turn, r round, running []record.Order) bool {
	for _, o := range running {
		same := o.Group == r.group.id && o.Replicate == r.replicate
		if !c.plan.Together || !same || o.Host == c.plan.Cells[t[0]].Host {
			return false
		}
	}
	return true
}

// Overhead returns the seconds that an order takes besides warm-up and measurement. It is called once for each order,
// in their order on each host.
type Overhead func(record.Order) float64

// Remaining returns the extent of the orders still to come if all go well; overhead may be nil.
func (c *Course) Remaining(overhead Overhead) Span {
	var out Span
	for r := range c.rounds() {
		byHost := map[string]*Span{}
		var sum, longest Span
		for _, s := range c.steps(r) {
			if !c.stepLeft(s, r.replicate) {
				continue
			}
			o := c.order(r, s)
			n := 1
			if more := c.probesLeft(s.turn[0], r.replicate); more > 1 && !s.profiled {
				n = more
			}
			host := byHost[o.Host]
			if host == nil {
				host = &Span{}
				byHost[o.Host] = host
			}
			for range n {
				took := spanOf(o, overhead)
				if most := c.searchLeft(s.turn[0], r.replicate); most > 0 {
					took.Load = most / float64(n)
				}
				host.add(took)
				sum.add(took)
			}
			if host.Total() > longest.Total() {
				longest = *host
			}
		}
		out.Trials += sum.Trials
		if c.plan.Together {
			sum = longest
		}
		out.Load, out.Overhead = out.Load+sum.Load, out.Overhead+sum.Overhead
	}
	return out
}

// Span is the extent of orders: their number, and the seconds that they warm up and measure, and take besides.
type Span struct {
	Trials         int
	Load, Overhead float64
}

// Total returns the seconds of a span.
func (s Span) Total() float64 { return s.Load + s.Overhead }

func (s *Span) add(t Span) {
	s.Trials, s.Load, s.Overhead = s.Trials+t.Trials, s.Load+t.Load, s.Overhead+t.Overhead
}

func spanOf(o record.Order, overhead Overhead) Span {
	out := Span{Trials: 1, Load: Seconds(o)}
	if overhead != nil {
		out.Overhead = overhead(o)
	}
	return out
}

// Seconds returns how long the sides of an order warm up and measure together. The duration of a load of kind Once is
// unknown and counts as 0.
func Seconds(o record.Order) float64 {
	total := 0.0
	for _, s := range o.Sides {
		if s.Load.Kind != record.Once {
			total += o.WarmupS + o.DurationS
		}
	}
	return total
}

// group is the cells of one comparison, which are adjacent in a plan.
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

// turns returns the order of a group's turns in one round, counted from 0: every k rounds of k sides form a Latin
// square with its rows in random order. Combinations of several factors have a new random order in each round, so that
// none always follows the same one. Hosts in blocks run block by block.
func (g group) turns(p record.Plan, index int) []turn {
	if p.Cells[g.cells[0]].Sliced {
		return []turn{g.cells}
	}
	k := len(g.cells)
	block, within := index/k, index%k
	rng := rand.New(rand.NewPCG(p.Seed, uint64(g.id)<<32|uint64(block)))
	base, shifts := rng.Perm(k), rng.Perm(k)
	ofRound := rand.New(rand.NewPCG(p.Seed, uint64(g.id)<<32|uint64(index)))
	out := make([]turn, k)
	if randomised(p, g) {
		for i, at := range ofRound.Perm(k) {
			out[i] = turn{g.cells[at]}
		}
		return inBlocks(p, out, ofRound)
	}
	for i := range k {
		out[i] = turn{g.cells[base[(i+shifts[within])%k]]}
	}
	return inBlocks(p, out, ofRound)
}

func (c *Course) order(r round, s step) record.Order {
	t, pos := s.turn, s.pos
	attempt := c.void[slot{t[0], r.replicate}].all
	if len(t) > 1 { // a file may have lost one side of a pair
		for _, cell := range t {
			where := slot{cell, r.replicate}
			attempt = max(attempt, c.void[where].all+c.valid[where])
		}
	}
	o := record.Order{
		Slot: record.Slot{Plan: c.hash, Cell: t[0], Replicate: r.replicate, Group: r.group.id, Position: pos,
			Attempt: attempt, Pilot: r.kind == pilotRound, Extra: r.kind == extraRound},
		Seed:    rand.NewPCG(c.plan.Seed^uint64(r.replicate), uint64(r.group.id)).Uint64(),
		WarmupS: r.times.warmup, DurationS: r.times.duration, Host: c.plan.Cells[t[0]].Host,
		GeneratorCores: c.plan.GeneratorCores, Energy: c.plan.Energy,
	}
	for _, i := range t {
		cell := c.plan.Cells[i]
		o.Sides = append(o.Sides, record.Side{Cell: i, Workload: cell.Workload, Params: cell.Params, Load: cell.Load,
			Levels: cell.Levels})
	}
	if c.plan.Cells[t[0]].Search != nil {
		c.aim(&o, t[0], r)
	}
	if s.profiled {
		o.Profiled, o.Attempt = true, len(c.profiled[slot{t[0], r.replicate}])
		if c.plan.Cells[t[0]].Load.Kind == record.Once {
			o.LastedS = c.lasted[t[0]]
		}
	} else if k, ok := c.capped(t[0], r.replicate); ok && !c.fullOpen(t[0], r.replicate) {
		k.slowDown(&o)
	}
	o.Cluster = c.plan.Cells[t[0]].Cluster
	if c.plan.Cells[t[0]].Remote {
		o.Sources = c.plan.Generators
	}
	o.ID = o.Slot.ID()
	return o
}

// setStop makes a plan sequential if the number of replicates is not fixed and there is something to compare. Its
// replicates are then the maximum of a comparison (docs/method.md#when-a-comparison-stops).
func setStop(p *record.Plan, req Request) error {
	if !compares(*p) {
		return noPilot(req)
	}
	table := stat.Repeated
	if p.Quick {
		table = stat.Early
	}
	most := or(req.Limit, mostPairs(*p))
	b, err := table(p.Alpha, most)
	if err != nil {
		return usagef("%v", err)
	}
	p.Stop = &record.Stop{Looks: b.Looks, Early: p.Quick, Alone: min(p.Replicates, most), Futile: stat.FutileBelow}
	p.Replicates = most
	return setPilot(p, req)
}

// mostPairs returns the pairs that a session is planned for if only its time is bounded: as many as fit into it with no
// overhead, since a session that might be analysed more often than it can be has wider intervals than it needs.
func mostPairs(p record.Plan) int {
	if p.MaxS == 0 {
		return stat.UsualPairs
	}
	pair := 2 * (p.WarmupS + p.DurationS)
	if slices.ContainsFunc(p.Cells, func(c record.Cell) bool { return c.Load.Kind == record.Once }) {
		return stat.MostPairs
	}
	return min(max(int(p.MaxS/pair), stat.UsualPairs), stat.MostPairs)
}

func compares(p record.Plan) bool {
	return slices.ContainsFunc(groupsOf(p), func(g group) bool { return sequential.Compares(p, g.cells) })
}

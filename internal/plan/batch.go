package plan

import (
	"slices"

	"plimsoll/internal/record"
)

// mostTurns bounds the runs of a batch, and so what is lost with its process.
const mostTurns = 1000

// batched returns the order with the runs that follow it in the plan, as long as all commands are short. To start a
// process for each would take longer than the runs. A batch does not go past an interim analysis.
//
// A comparison's sides get a process each until both are known to be short. The runs of a command with nothing to
// compare it with share one from the first on, which ends the batch if it is long.
func (c *Course) batched(o record.Order) record.Order {
	if !c.plan.Cells[o.Sides[0].Cell].Repeats {
		return o
	}
	b := batch{course: c, order: o, sides: map[int]int{}, until: map[int]int{}}
	for r := range c.rounds() {
		for _, s := range c.steps(r) {
			if c.openStep(s, r.replicate) && !b.add(r, s) {
				return b.closed()
			}
		}
	}
	return b.closed()
}

// batch collects the runs of an order.
type batch struct {
	course *Course
	order  record.Order // of the first run
	kind   roundKind
	sides  map[int]int // cell -> index into the order's sides
	until  map[int]int // group -> first replicate that is not in the batch
	turns  []record.Turn
}

// add adds an open step, and reports whether the batch can go on after it.
func (b *batch) add(r round, s step) bool {
	if !b.takes(r, s) {
		return false
	}
	o := b.course.order(r, s)
	cell := s.turn[0]
	if len(b.turns) == 0 {
		if o.ID != b.order.ID {
			return false // another order is running, and this one begins meanwhile
		}
		b.kind, b.sides[cell] = r.kind, 0
	}
	if _, has := b.until[r.group.id]; !has {
		b.until[r.group.id] = b.course.looksAfter(r)
	}
	if _, has := b.sides[cell]; !has {
		b.sides[cell] = len(b.order.Sides)
		b.order.Sides = append(slices.Clip(b.order.Sides), o.Sides[0])
	}
	b.turns = append(b.turns, record.Turn{Side: b.sides[cell], Replicate: o.Replicate, Group: o.Group,
		Position: o.Position, Attempt: o.Attempt})
	return len(b.turns) < mostTurns
}

// takes reports whether a step can follow those in the batch, or begin one.
func (b *batch) takes(r round, s step) bool {
	c := b.course
	cell := c.plan.Cells[s.turn[0]]
	if len(s.turn) > 1 || c.plan.Profile || r.kind == pilotRound || !cell.Repeats {
		return false
	}
	lasted, known := c.lasted[s.turn[0]]
	if lasted >= record.ShortRunS || !known && len(r.group.cells) > 1 {
		return false
	}
	if len(b.turns) == 0 {
		return true
	}
	if until, has := b.until[r.group.id]; has && r.replicate >= until {
		return false
	}
	_, has := b.sides[s.turn[0]]
	return r.kind == b.kind && (known || has) && cell.Host == b.order.Host &&
		tunedAlike(cell.Params, b.order.Sides[0].Params)
}

// closed returns the order with its runs; as it was if it has one.
func (b *batch) closed() record.Order {
	if len(b.turns) > 1 {
		b.order.Turns = b.turns
	}
	return b.order
}

// looksAfter returns the number of replicates at the first interim analysis after a round, or how many there are.
func (c *Course) looksAfter(r round) int {
	at := c.of[r.group.cells[0]]
	if c.plan.Stop != nil && r.kind == ordinaryRound && !c.alone[at] {
		for _, look := range c.plan.Stop.Looks {
			if look > r.replicate {
				return look
			}
		}
	}
	return r.replicate + mostTurns
}

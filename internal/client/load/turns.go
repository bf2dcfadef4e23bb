package load

import "sync"

// minOps is the minimum number of operations of a slice, if they are long.
const minOps = 4

// turns passes the CPUs between the sides of a sliced comparison. One side runs at a time; its turn is over once
// each of its lanes has finished the operation in progress at the end of the slice. Lanes without a turn are parked.
type turns struct {
	mu     sync.Mutex
	now    func() int64
	seed   uint64
	sides  []side
	least  int64 // shortest slice, ns
	config Config
	turned func(side int) // see Generator.OnTurn; nil: nobody wants to know

	missing  int   // sides that have not been started
	measure  int64 // planned start of measuring
	end      int64 // planned end of it
	measured bool  // this block is measured
	over     bool

	order   []int // sides, in the order of this block
	at      int   // index of the running side in that order
	block   int
	turn    int   // number of this turn, from 1
	running int   // lanes of the running side that have not ended their slice
	until   int64 // end of this slice
	slice   int64 // length of each slice of this block
}

// side is one of the generators that take turns.
type side struct {
	change  *sync.Cond
	present int   // lanes that have not left
	ns, ops int64 // time and operations of its slices so far
}

// slice is a lane's part in a turn.
type slice struct {
	number int // of the latest turn that this lane has taken part in
	active bool
	first  int64 // start of its first operation
	taken  int64 // l.taken before it
}

func newTurns(gens []*Generator, least int64, seed uint64) *turns {
	t := &turns{now: gens[0].clock.Now, seed: seed, least: least, config: gens[0].config, missing: len(gens)}
	for _, g := range gens {
		t.sides = append(t.sides, side{change: sync.NewCond(&t.mu), present: len(g.lanes)})
	}
	return t
}

// join records that another side has been started; the first turn begins when all have.
func (t *turns) join(zero int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.missing--
	measure, end := t.config.window(zero, len(t.sides))
	t.measure, t.end = max(t.measure, measure), max(t.end, end)
	if t.missing == 0 {
		t.advance(max(zero, t.now()))
	}
}

// wake makes every parked lane check again.
func (t *turns) wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.sides {
		s.change.Broadcast()
	}
}

// enter parks until it is lane l's turn. It returns false if the trial is over.
func (t *turns) enter(l *Lane) (until int64, measured, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.over && !l.gen.stopped() {
		if t.mayEnter(l) {
			l.turn.number = t.turn
			return t.until, t.measured, true
		}
		t.sides[l.gen.side].change.Wait()
	}
	return 0, false, false
}

// tryEnter is enter without the wait.
func (t *turns) tryEnter(l *Lane) (until int64, measured, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over || !t.mayEnter(l) {
		return 0, false, false
	}
	l.turn.number = t.turn
	return t.until, t.measured, true
}

func (t *turns) isOver() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.over
}

func (t *turns) mayEnter(l *Lane) bool {
	return t.missing == 0 && t.order[t.at] == l.gen.side && l.turn.number < t.turn
}

// finish records that a lane has ended its slice of ns and ops operations.
func (t *turns) finish(side int, ns, ops int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sides[side].ns += ns
	t.sides[side].ops += ops
	t.drop()
}

// leave removes a lane from all further turns. If it had not begun its slice of this turn, the turn does not wait
// for it.
func (t *turns) leave(l *Lane) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sides[l.gen.side].present--
	if !t.over && t.mayEnter(l) {
		t.drop()
	}
}

func (t *turns) drop() {
	t.running--
	if t.running == 0 {
		t.advance(t.now())
	}
}

// advance gives the turn to the next side that still has lanes.
func (t *turns) advance(now int64) {
	for !t.over {
		t.at++
		if t.at >= len(t.order) {
			t.nextBlock(now)
		}
		s := t.sides[t.order[t.at]]
		if s.present > 0 && !t.over {
			now = t.tellTurn(now)
			t.turn++
			t.running = s.present
			t.until = now + t.slice
			s.change.Broadcast()
			return
		}
	}
	t.tellTurn(now)
	for _, s := range t.sides {
		s.change.Broadcast()
	}
}

// tellTurn reports the turn that begins, and returns the time after that.
func (t *turns) tellTurn(now int64) int64 {
	if t.turned == nil {
		return now
	}
	side := -1
	if t.measured && !t.over {
		side = t.order[t.at]
	}
	t.turned(side)
	return t.now()
}

// nextBlock begins a block. Measuring begins and ends between blocks, when every side has had the same time, at the
// boundary nearest to the planned end.
func (t *turns) nextBlock(now int64) {
	t.slice = max(t.least, minOps*t.longest())
	t.order, t.at = blockOrder(t.order[:0], t.seed, t.block, len(t.sides)), 0
	t.block++
	present := 0
	for _, s := range t.sides {
		present += s.present
	}
	length := t.slice * int64(len(t.order))
	t.over = present == 0 || t.measured && now+length/2 >= t.end
	t.measured = now >= t.measure
}

// longest returns the longest mean operation time of any side, in nanoseconds.
func (t *turns) longest() int64 {
	var ns int64
	for _, s := range t.sides {
		if s.ops > 0 {
			ns = max(ns, s.ns/s.ops)
		}
	}
	return ns
}

// blockOrder appends the order of a block: a random permutation of the sides, then its mirror image, so that a
// linear drift favours no side. Every second block begins with the mirror image of the previous one: ABBA is
// followed by BAAB.
func blockOrder(order []int, seed uint64, block, sides int) []int {
	r := Random(Mix(seed ^ uint64(block/2)))
	for i := range sides {
		order = append(order, i)
	}
	for i := sides - 1; i > 0; i-- {
		j := r.Below(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	for i := sides - 1; i >= 0; i-- {
		order = append(order, order[i])
	}
	if block%2 == 1 {
		for i := range sides {
			order[i], order[sides+i] = order[sides+i], order[i]
		}
	}
	return order
}

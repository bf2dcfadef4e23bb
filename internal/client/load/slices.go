package load

import (
	"fmt"
	"time"

	"plimsoll/internal/record"
)

// NewSliced returns one generator for each of two or more sides whose lanes take turns inside one process, in blocks
// of ABBA and BAAB, so that all sides meet the same states of the machine. slice is the length of a turn, about 15
// ms; it is increased, for all sides alike, if four operations do not fit.
// Only closed loops can be sliced, and all sides have one warm-up, one duration and one step. Warm-up and duration
// are each side's own running time: the whole takes as long as the sides one after another. The first turn begins
// when every generator has been started. A lane of a sliced generator must call Leave when its goroutine ends.
func NewSliced(cfgs []Config, slice time.Duration, seed uint64) ([]*Generator, error) {
	if len(cfgs) < 2 {
		return nil, fmt.Errorf("load: slices of %d sides\nhint: give 2 sides or more, or an unsliced load", len(cfgs))
	}
	if slice <= 0 || slice > maxTrial {
		return nil, fmt.Errorf("load: slices of %v\nhint: give about 15ms", slice)
	}
	gens := make([]*Generator, len(cfgs))
	for i, c := range cfgs {
		if err := checkSide(c, cfgs[0]); err != nil {
			return nil, fmt.Errorf("side %d: %w", i, err)
		}
		g, err := New(c)
		if err != nil {
			return nil, fmt.Errorf("side %d: %w", i, err)
		}
		gens[i] = g
	}
	t := newTurns(gens, int64(slice), seed)
	for i, g := range gens {
		g.side, g.turns = i, t
	}
	return gens, nil
}

// OnTurn has f called between any two turns of a sliced generator's sides, with the side whose measured turn begins; -1
// in the warm-up and at the end. No lane runs meanwhile, so f must be short, and must not allocate. It is called before
// Start.
func (g *Generator) OnTurn(f func(side int)) { g.turns.turned = f }

func checkSide(c, first Config) error {
	if c.Load.Kind != record.Closed {
		return fmt.Errorf("load: slices of kind %q\nhint: only closed loops can be sliced: run the sides as a pair "+
			"of runs", c.Load.Kind)
	}
	if c.Warmup != first.Warmup || c.Duration != first.Duration || c.Step != first.Step {
		return fmt.Errorf("load: slices of unequal times\nhint: give every side the same warm-up, duration and step")
	}
	return nil
}

func (l *Lane) takeTurn() (intended int64, ok bool) {
	l.endSlice()
	until, measured, ok := l.gen.turns.enter(l)
	if !ok {
		return 0, false
	}
	return l.beginSlice(l.clock.Now(), until, measured), true
}

func (l *Lane) dueTurn(now int64) (intended int64, ok bool) {
	if l.turn.active {
		if now < l.until && !l.gen.stopped() {
			l.flying++
			l.taken++
			return now, true
		}
		if l.flying == 0 {
			l.endSlice()
		}
		return 0, false
	}
	until, measured, ok := l.gen.turns.tryEnter(l)
	if !ok {
		return 0, false
	}
	return l.beginSlice(now, until, measured), true
}

// nextTurn polls every millisecond while other sides run; an event loop with nothing in flight should rather wait in
// Take.
func (l *Lane) nextTurn(now int64) (at int64, ok bool) {
	if l.turn.active && now < l.until {
		return now, true
	}
	return now + 1e6, !l.gen.turns.isOver()
}

// beginSlice takes the slice's first operation, even if the lane woke after the slice's end, so that every turn of
// every lane has one.
func (l *Lane) beginSlice(now, until int64, measured bool) (intended int64) {
	l.turn.active, l.turn.first, l.turn.taken = true, now, l.taken
	l.last, l.until = now, until
	if measured {
		l.from, l.ended = now, now
		l.rec.zero = now - l.ran
		if l.start == 0 {
			l.start = now
		}
	}
	l.flying++
	l.taken++
	return now
}

// endSlice passes the turn on, if the lane has one.
func (l *Lane) endSlice() {
	if !l.turn.active {
		return
	}
	if l.from != Never {
		l.ran += l.ended - l.from
	}
	l.turn.active = false
	l.until, l.from = 0, Never
	l.gen.turns.finish(l.gen.side, l.last-l.turn.first, l.taken-l.turn.taken)
}

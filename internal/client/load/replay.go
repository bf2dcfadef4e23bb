package load

import (
	"cmp"
	"slices"
)

// Operation is an operation of a closed loop's client whose times are known, in nanoseconds after the load's start.
type Operation struct {
	Start, End int64 // End is Never if it got no answer
	Failed     bool
}

// Replay returns what a closed loop's generator measures of clients whose operations are known: its own lanes account
// for them, without a clock or a target. One lane has each client to itself, or one event loop has all.
func Replay(c Config, clients [][]Operation) (Result, error) {
	g, err := New(c)
	if err != nil {
		return Result{}, err
	}
	const zero = 1 // no intended time is 0
	g.Start(zero)
	over := int64(zero)
	for _, ops := range clients {
		for _, op := range ops {
			if op.End != Never {
				over = max(over, zero+op.End)
			}
		}
	}
	for i, l := range g.lanes {
		mine := clients[i : i+1]
		if len(g.lanes) == 1 {
			mine = clients
		}
		l.replay(mine, zero, over)
	}
	return g.Result(), nil
}

// replay drives the lane as an event loop does that learns at the time over which operations got no answer.
func (l *Lane) replay(clients [][]Operation, zero, over int64) {
	const ends, begins = 0, 1 // at one time, what ends makes room for what begins
	type event struct {
		at   int64
		what int
		op   Operation
	}
	var events []event
	for _, ops := range clients {
		for _, op := range ops {
			op.Start += zero
			if op.End != Never {
				op.End += zero
				events = append(events, event{op.End, ends, op})
			}
			events = append(events, event{op.Start, begins, op})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.what, b.what))
	})
	var open []Operation
	for _, e := range events {
		switch {
		case e.what == begins:
			if _, ok := l.Due(e.at); ok && e.op.End == Never {
				open = append(open, e.op)
			}
		case e.op.Failed:
			l.fail(e.op.Start, e.op.End, Status)
		default:
			l.DoneAt(e.op.Start, e.op.Start, e.op.End, 1, 0)
		}
	}
	l.last = max(over, l.end)
	for _, op := range open {
		l.Unanswered(op.Start)
	}
	from, to := l.Window()
	for _, ops := range clients {
		if !slices.ContainsFunc(ops, func(op Operation) bool {
			return op.End != Never && zero+op.End > from && zero+op.Start < to
		}) {
			l.Starved(1)
		}
	}
	l.Leave()
}

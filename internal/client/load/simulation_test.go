package load

import (
	"testing"
	"time"
)

// simulation drives sliced generators, whose turns see made-up times, through
// synchronous lanes whose operations take ops[side].
type simulation struct {
	t     *testing.T
	gens  []*Generator
	ops   []time.Duration
	quit  int // lane 0 of side 0 leaves in the middle of this turn of its own; 0 is never
	now   int64
	doing map[*Lane]int64 // intended times
	turns [][]int64       // when each side's lanes began their slices
}

func (s *simulation) run() {
	s.now = testZero
	s.doing, s.turns = map[*Lane]int64{}, make([][]int64, len(s.gens))
	s.gens[0].turns.now = func() int64 { return s.now }
	for _, g := range s.gens {
		g.Start(s.now)
	}
	for {
		progress, over, next := false, true, int64(Never)
		for side, g := range s.gens {
			for i, l := range g.lanes {
				if l.out {
					continue
				}
				progress = s.step(side, l) || progress
				if at, busy := s.doing[l]; busy {
					next = min(next, at+int64(s.ops[side]))
				}
				if s.quit > 0 && side == 0 && i == 0 && len(s.turns[0]) == s.quit {
					delete(s.doing, l)
					l.Leave()
					progress = true
				}
				_, more := l.Next(s.now)
				over = over && !more
			}
		}
		oneSide(s.t, s.doing)
		if over {
			return
		}
		if progress { // a turn may have been passed on at this very time
			continue
		}
		if next == Never {
			s.t.Fatalf("no lane is at work after turns at %v", s.turns)
		}
		s.now = next
	}
}

// step lets a lane do whatever it can at this time.
func (s *simulation) step(side int, l *Lane) (progress bool) {
	if at, busy := s.doing[l]; busy && at+int64(s.ops[side]) == s.now {
		delete(s.doing, l)
		l.last = s.now
		l.done(at, at, s.now, 1, 10)
		progress = true
	}
	if _, busy := s.doing[l]; busy {
		return progress
	}
	at, ok := l.Due(s.now)
	if ok {
		s.doing[l] = at
		if at == l.turn.first {
			s.turns[side] = append(s.turns[side], at)
		}
	}
	return progress || ok
}

func oneSide(t *testing.T, doing map[*Lane]int64) {
	t.Helper()
	for l := range doing {
		for other := range doing {
			if l.gen != other.gen {
				t.Fatalf("sides %d and %d ran at once", l.gen.side, other.gen.side)
			}
		}
	}
}

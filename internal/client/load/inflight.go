package load

// inflight is the set of intended times that a lane has taken and not finished: open addressing with linear probing.
// It grows only when a new maximum is in flight.
type inflight struct {
	slots []int64 // 0 is free: no intended time is 0
	n     int
}

func newInflight() inflight { return inflight{slots: make([]int64, 256)} }

func (s *inflight) home(k int64) int { return int(Mix(uint64(k))) & (len(s.slots) - 1) }

func (s *inflight) add(k int64) {
	if 2*s.n >= len(s.slots) {
		old := s.slots
		s.slots = make([]int64, 2*len(old))
		for _, k := range old {
			if k != 0 {
				s.put(k)
			}
		}
	}
	s.put(k)
	s.n++
}

func (s *inflight) put(k int64) {
	i := s.home(k)
	for s.slots[i] != 0 {
		i = (i + 1) & (len(s.slots) - 1)
	}
	s.slots[i] = k
}

// remove reports whether k was in the set.
func (s *inflight) remove(k int64) bool {
	mask := len(s.slots) - 1
	i := s.home(k)
	for s.slots[i] != k {
		if s.slots[i] == 0 {
			return false
		}
		i = (i + 1) & mask
	}
	s.n--
	// Close the gap, so that no probe ends early (Knuth, vol. 3, algorithm 6.4R).
	for j := (i + 1) & mask; s.slots[j] != 0; j = (j + 1) & mask {
		if (j-s.home(s.slots[j]))&mask >= (j-i)&mask {
			s.slots[i] = s.slots[j]
			i = j
		}
	}
	s.slots[i] = 0
	return true
}

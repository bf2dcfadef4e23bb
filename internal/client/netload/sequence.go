package netload

// window is how many datagrams behind the newest one a late datagram is still recognized.
const window = 1 << 16

// sequence recognizes new, late and duplicate datagrams by their numbers, which begin with 0.
type sequence struct {
	next uint64 // above all that arrived
	seen [window / 64]uint64

	received, duplicated, reordered, untraceable int64
}

// add counts a datagram, and reports whether it is new.
func (s *sequence) add(n uint64) bool {
	switch {
	case n >= s.next:
		s.advance(n)
		s.mark(n)
		s.received++
		return true
	case s.next-n > window:
		s.untraceable++
		return false
	case s.marked(n):
		s.duplicated++
		return false
	}
	s.mark(n)
	s.received++
	s.reordered++
	return true
}

// advance forgets the numbers that leave the window as n enters it.
func (s *sequence) advance(n uint64) {
	if n-s.next >= window {
		clear(s.seen[:])
	} else {
		for at := s.next; at < n; at++ {
			s.seen[at%window/64] &^= 1 << (at % 64)
		}
	}
	s.next = n + 1
}

func (s *sequence) mark(n uint64)        { s.seen[n%window/64] |= 1 << (n % 64) }
func (s *sequence) marked(n uint64) bool { return s.seen[n%window/64]&(1<<(n%64)) != 0 }

// into adds the counts to an account.
func (s *sequence) into(a *Account) {
	a.Received, a.Duplicated, a.Reordered, a.Untraceable = s.received, s.duplicated, s.reordered, s.untraceable
}

package netload

// window is how many datagrams behind the newest one a late datagram is still recognized.
const window = 1 << 16

// sequence recognizes new, late and duplicate datagrams by their numbers, which begin with 0, and accounts for them.
type sequence struct {
	*Account
	next uint64 // above all that arrived
	seen [window / 64]uint64
}

// add counts a datagram of so many bytes, and reports whether it is new.
func (s *sequence) add(n uint64, bytes int) bool {
	switch {
	case n >= s.next:
		s.advance(n)
		s.mark(n)
		s.got(bytes)
		return true
	case s.next-n > window:
		s.Untraceable++
		return false
	case s.marked(n):
		s.Duplicated++
		return false
	}
	s.mark(n)
	s.got(bytes)
	s.Reordered++
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

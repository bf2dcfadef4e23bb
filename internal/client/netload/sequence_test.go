package netload

import (
	"math/rand/v2"
	"testing"
)

// TestSequence: lost, late and repeated datagrams are told apart.
func TestSequence(t *testing.T) {
	var s sequence
	for _, n := range []uint64{0, 1, 3, 2, 2, 5, 5, 0} { // 4 is lost
		s.add(n)
	}
	if s.received != 5 || s.reordered != 1 || s.duplicated != 3 || s.next != 6 {
		t.Errorf("%+v", s)
	}
}

// TestSequenceFarApart: a gap larger than the window forgets all that was before it, and counts it as neither.
func TestSequenceFarApart(t *testing.T) {
	var s sequence
	s.add(0)
	s.add(3 * window)
	s.add(1)
	s.add(2*window + 7)
	s.add(2*window + 7)
	if s.received != 3 || s.untraceable != 1 || s.reordered != 1 || s.duplicated != 1 {
		t.Errorf("received %d, untraceable %d, reordered %d, duplicated %d", s.received, s.untraceable, s.reordered,
			s.duplicated)
	}
}

// TestSequenceAgainstASet: shuffled numbers with gaps and repetitions, against a map.
func TestSequenceAgainstASet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var s sequence
	seen := map[uint64]bool{}
	var duplicated, reordered int64
	next := uint64(0)
	for i := range uint64(300_000) {
		n := i + random.Uint64N(50)
		switch {
		case seen[n]:
			duplicated++
		case n < next:
			reordered++
		}
		seen[n] = true
		next = max(next, n+1)
		s.add(n)
	}
	if s.received != int64(len(seen)) || s.duplicated != duplicated || s.reordered != reordered || s.untraceable != 0 {
		t.Errorf("received %d of %d, duplicated %d of %d, reordered %d of %d", s.received, len(seen), s.duplicated,
			duplicated, s.reordered, reordered)
	}
}

func TestStamp(t *testing.T) {
	b := filled(100, 7)
	stamp(b, 12345)
	if n, ok := stamped(b); n != 12345 || !ok || checked(b, 12345) != nil || checked(b, 12346) == nil {
		t.Errorf("%d, %t", n, ok)
	}
	b[99]++
	if _, ok := stamped(b); ok || checked(b, 12345) == nil {
		t.Error("a block of two halves is accepted")
	}
}

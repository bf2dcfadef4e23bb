package netload

import (
	"math/rand/v2"
	"testing"
)

// TestSequence: lost, late and repeated datagrams are told apart.
func TestSequence(t *testing.T) {
	s := sequence{Account: &Account{}}
	for _, n := range []uint64{0, 1, 3, 2, 2, 5, 5, 0} { // 4 is lost
		s.add(n, 100)
	}
	if s.Received != 5 || s.Reordered != 1 || s.Duplicated != 3 || s.next != 6 {
		t.Errorf("%+v", s)
	}
}

// TestSequenceFarApart: a gap larger than the window forgets all that was before it, and counts it as neither.
func TestSequenceFarApart(t *testing.T) {
	s := sequence{Account: &Account{}}
	s.add(0, 100)
	s.add(3*window, 100)
	s.add(1, 100)
	s.add(2*window+7, 100)
	s.add(2*window+7, 100)
	if s.Received != 3 || s.Untraceable != 1 || s.Reordered != 1 || s.Duplicated != 1 {
		t.Errorf("received %d, untraceable %d, reordered %d, duplicated %d", s.Received, s.Untraceable, s.Reordered,
			s.Duplicated)
	}
}

// TestSequenceAgainstASet: shuffled numbers with gaps and repetitions, against a map.
func TestSequenceAgainstASet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := sequence{Account: &Account{}}
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
		s.add(n, 100)
	}
	if s.Received != int64(len(seen)) || s.Duplicated != duplicated || s.Reordered != reordered || s.Untraceable != 0 {
		t.Errorf("received %d of %d, duplicated %d of %d, reordered %d of %d", s.Received, len(seen), s.Duplicated,
			duplicated, s.Reordered, reordered)
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

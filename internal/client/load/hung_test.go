package load

import (
	"testing"
	"time"

	"plimsoll/internal/record"
)

// TestHung: clients that never had an answer are told from those of which an operation is merely slow.
func TestHung(t *testing.T) {
	g, err := New(Config{Load: record.LoadPoint{Kind: record.Closed, Level: 3}, Lanes: 3, Duration: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	g.Start(g.Clock().Now())
	for i := range 3 {
		g.Lane(i).Take()
	}
	if _, hung := g.Hung(); hung {
		t.Error("nobody has had an answer")
	}
	intended := g.Lane(0).Now()
	time.Sleep(time.Millisecond)
	g.Lane(0).Done(intended, intended, 1, 0)
	if _, hung := g.Hung(); hung {
		t.Error("a client with an answer may have another one")
	}
	g.Lane(0).Leave()
	if slowest, hung := g.Hung(); !hung || slowest < time.Millisecond {
		t.Errorf("%v, %t: two clients have had none", slowest, hung)
	}
}

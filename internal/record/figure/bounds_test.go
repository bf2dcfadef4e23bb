package figure

import (
	"math"
	"testing"
)

func TestExcludes(t *testing.T) {
	for _, c := range []struct {
		lo, hi, v float64
		want      bool
	}{
		{1.1, 1.2, 1, true}, {.8, .9, 1, true}, {.9, 1.1, 1, false}, {1, 1.2, 1, false}, {.8, 1, 1, false},
		{2, math.Inf(1), 1, false}, {math.NaN(), .5, 1, false},
	} {
		if got := Between(c.lo, c.hi).Excludes(c.v); got != c.want {
			t.Errorf("%g to %g excludes %g: %v, want %v", c.lo, c.hi, c.v, got, c.want)
		}
	}
}

// TestNoEnds: half of an interval is none, and a missing one reads as no number.
func TestNoEnds(t *testing.T) {
	for _, b := range []Bounds{{}, Between(math.Inf(-1), 3), Between(2, math.NaN())} {
		if lo, hi := b.Ends(); b.Bounded() || b.Lo != nil || b.Hi != nil || !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Errorf("%v: %g to %g", b, lo, hi)
		}
	}
}

// TestFalling: the ends of an interval change places, and its middle stays between them.
func TestFalling(t *testing.T) {
	for name, e := range map[string]Estimate{
		"inverse": Between(2, 8).Around(4).Inverse(16), "complement": Between(-7, -1).Around(-3).Complement(),
	} {
		if lo, hi := e.Ends(); lo != 2 || e.Value != 4 || hi != 8 {
			t.Errorf("%s: %g in %g to %g", name, e.Value, lo, hi)
		}
	}
}

package agent

import (
	"testing"

	"plimsoll/internal/record"
)

// The side made first may get other memory than the next: that must not stay
// with one side.
func TestEachSideIsMadeAtEachPlaceEquallyOften(t *testing.T) {
	for sides := 1; sides <= 4; sides++ {
		made := make([]side, sides)
		at := map[[2]int]int{}
		for replicate := range 3 * sides {
			tr := &trial{order: record.Order{Slot: record.Slot{Replicate: replicate}}}
			for i := range made {
				tr.sides = append(tr.sides, &made[i])
			}
			for place, s := range tr.inTurn() {
				for i := range made {
					if s == &made[i] {
						at[[2]int{i, place}]++
					}
				}
			}
		}
		for i := range sides {
			for place := range sides {
				if n := at[[2]int{i, place}]; n != 3 {
					t.Errorf("of %d sides, side %d was made %d times at place %d, want 3", sides, i, n, place)
				}
			}
		}
	}
}

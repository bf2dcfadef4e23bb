package trialset

import (
	"testing"

	"plimsoll/internal/record"
)

// TestBoundaryOfAnyPlan: a session file may have any plan, also one that no version has written.
func TestBoundaryOfAnyPlan(t *testing.T) {
	for name, c := range map[string]struct {
		stop *record.Stop
		rate float64
		fail bool
	}{
		"a fixed number":     {nil, .05, false},
		"no analyses":        {&record.Stop{}, .05, false},
		"up to 30":           {&record.Stop{Looks: []int{5, 30}}, .0098, false},
		"up to 1,000":        {&record.Stop{Looks: []int{5, 1000}}, .0039, false},
		"more than there is": {&record.Stop{Looks: []int{5, 100000}}, 0, true},
		"negative":           {&record.Stop{Looks: []int{-7}}, 0, true},
	} {
		b, err := BoundaryOf(record.Plan{Alpha: .05, Stop: c.stop})
		if (err != nil) != c.fail || b.Rate != c.rate {
			t.Errorf("%s: %+v, %v", name, b, err)
		}
	}
}

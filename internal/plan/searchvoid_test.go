package plan

import (
	"testing"

	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/record"
)

// TestSearchBeyondTheGenerator: loads over 300/s, or all open loops, void their trials because of the generator each
// time. The search ends, and claims no line beyond its measurements.
func TestSearchBeyondTheGenerator(t *testing.T) {
	for _, most := range []float64{0, 300} {
		p := searchPlan(t, func(r *Request) { r.Replicates = 1 })
		var done []record.Trial
		for o, ok := Next(p, nil); ok; o, ok = Next(p, done) {
			got := serverOf(o, 1000)
			if got.Load.Kind == record.Open && got.Load.Level > most {
				got.Void = "the generator was late"
			}
			if done = append(done, got); len(done) > 60 {
				t.Fatalf("at most %v/s can be made: the search does not end", most)
			}
		}
		line := headroom.Chief(judge.Show(done, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}).Workloads[0])
		switch {
		case most == 0 && line != nil:
			t.Errorf("no rate could be measured, and yet the line is %+v", line)
		case most > 0 && (line == nil || line.Crossed || line.MaxSustained > most || line.MaxSustained < .8*most):
			t.Errorf("up to %v/s the line was not reached: %+v", most, line)
		}
	}
}

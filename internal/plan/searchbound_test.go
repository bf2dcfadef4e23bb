package plan

import (
	"testing"

	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/record"
)

// TestSearchEndsWithAWrongCapacity: the second search's closed loop reports 20 times the throughput, so that all of its
// probes lie where base probes would.
func TestSearchEndsWithAWrongCapacity(t *testing.T) {
	for _, sweep := range []bool{false, true} {
		p := searchPlan(t, func(r *Request) { r.Replicates, r.Measure[0].Search.Sweep = 2, sweep })
		var done []record.Trial
		probes := map[int]int{}
		for o, ok := Next(p, nil); ok; o, ok = Next(p, done) {
			got := serverOf(o, 1000)
			if o.Replicate == 1 && o.Sides[0].Load.Kind == record.Closed {
				for i := range got.Values {
					if got.Values[i].Name == record.Throughput {
						got.Values[i].Value = 20_000
					}
				}
			}
			done = append(done, got)
			// and the run that confirms its line
			if probes[o.Replicate]++; probes[o.Replicate] > 1+mostProbes(*p.Cells[0].Search) {
				t.Fatalf("sweep %v: the search does not end: %d probes", sweep, len(done))
			}
		}
		line := headroom.Chief(judge.Show(done, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}).Workloads[0])
		if line == nil || line.N != 2 || line.MaxSustained < 450 || line.MaxSustained > 650 {
			t.Errorf("sweep %v: %+v", sweep, line)
		}
	}
}

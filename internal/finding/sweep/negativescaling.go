package sweep

import (
	"strings"

	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// NegativeScalingOf finds readings of sweeps of load that go backwards: throughput or latency
// that is lower at a higher load by more than noise. Each is a doubt of the cell of the
// higher load. Of throughput over CPUs a Scaling speaks where there is one: past its peak
// it may fall.
func NegativeScalingOf(ramps []loadline.Ramp, scalings map[trialset.Key]ScalingFinding) map[trialset.Key][]note.Note {
	out := map[trialset.Key][]note.Note{}
	for _, r := range ramps {
		for _, m := range trialset.MetricsOf(r.Trials()) {
			rate := m.Name == record.Throughput || m.Name == record.IOPS
			if _, latency := loadline.StatisticOf(m); !latency && !rate || rate && scalings[r.Last().At()].Scaling != nil {
				continue
			}
			if at, n := r.DeepestFall(m.Name); !n.IsZero() {
				out[at] = append(out[at], n)
			}
		}
	}
	return out
}

// IsBytes says whether a unit counts bytes, which no rate of operations is to be
// held against.
func IsBytes(unit string) bool { return strings.HasPrefix(unit, "B") }

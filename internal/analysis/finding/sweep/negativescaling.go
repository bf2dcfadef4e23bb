package sweep

import (
	"strings"

	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// negativeScalingOf finds throughput or latency that is lower at a higher load by more than noise, and notes it at the
// cell of the higher load. A Scaling, if there is one, covers throughput over CPUs: past its peak it may fall.
func negativeScalingOf(ramps []loadline.Ramp, scalings map[trialset.Key]ScalingFinding) map[trialset.Key][]note.Note {
	out := map[trialset.Key][]note.Note{}
	for _, r := range ramps {
		for _, m := range trialset.MetricsOf(r.ByPoint()...) {
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

// IsBytes reports whether a unit counts bytes, which rates of operations cannot be compared with.
func IsBytes(unit string) bool { return strings.HasPrefix(unit, "B") }

package judge

import (
	"testing"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/record"
)

// TestAKilledBrokerHasATimeline without a database that is watched.
func TestAKilledBrokerHasATimeline(t *testing.T) {
	killed := trial("m1", 0, 1000, func(t *record.Trial) {
		t.Keys[record.KeyWorkload], t.DurationS, t.MonoNs = "pgbench", 60, 1e12
	}, measured(record.FaultInSync, "s", record.Lower, 9))
	o := finding.Readers{
		Events: []record.Event{event(killed, 30.9, record.EventBrokerKilled, "broker 2")},
		Windows: func(record.Trial, func(record.Series) bool) (map[string][]int64, error) {
			return seconds60(map[int]int64{31: 100, 32: 0, 33: 200}, nil), nil
		},
	}
	line := bottleneck.KindTimeline.Of(shownOf([]record.Trial{killed}, o))
	if line == nil || line.Killed != 1 || line.Unwatched || len(line.Dips) != 1 || len(line.Dips[0].Beside) != 1 || line.Dips[0].Beside[0].What != bottleneck.BesideBroker {
		t.Errorf("%+v", line)
	}
	whole := trial("m1", 0, 1000, func(t *record.Trial) { t.Keys[record.KeyWorkload] = "pgbench" })
	if line := bottleneck.KindTimeline.Of(shownOf([]record.Trial{whole}, o)); line != nil {
		t.Errorf("of a run without a fault: %+v", line)
	}
}

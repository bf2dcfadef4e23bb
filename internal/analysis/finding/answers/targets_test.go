package answers

import (
	"math"
	"testing"

	"plimsoll/internal/record"
)

// TestTargetsOf: counts are of all trials, as failures are in failed ones; latencies are of valid ones, as metrics are.
func TestTargetsOf(t *testing.T) {
	trial := func(void string, p99 float64, failed map[string]int64) record.Trial {
		return record.Trial{Void: void, Generator: &record.LoadUse{Targets: []record.TargetUse{
			{Line: "GET /a", Done: 30, P50: p99 / 2, P99: p99}, {Line: "POST /b", Done: 10, P50: 1, P99: 2, Failed: failed}}}}
	}
	if targetsOf([]record.Trial{{}, {Generator: &record.LoadUse{}}}) != nil {
		t.Error("targets of trials without any")
	}
	got := targetsOf([]record.Trial{trial("", 0.01, nil), trial("", 0.03, nil), trial("bad", 9,
		map[string]int64{"422": 3})})
	a, b := got.Targets[0], got.Targets[1]
	if len(got.Targets) != 2 || got.N != 3 || a.Done != 90 || a.Share != 0.75 || b.Failed["422"] != 3 ||
		a.P99 < 0.01 || a.P99 > 0.03 {
		t.Errorf("%+v", got)
	}
	got = targetsOf([]record.Trial{trial("bad", 9, map[string]int64{"422": 3})})
	if math.Abs(got.Targets[0].P99-9) > 1e-9 {
		t.Errorf("%+v", got)
	}
}

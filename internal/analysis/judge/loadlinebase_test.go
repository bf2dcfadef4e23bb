package judge

import (
	"testing"

	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record"
)

// TestBaseIsAMedian: one bad reading of three at low load moves nothing.
func TestBaseIsAMedian(t *testing.T) {
	sweep := append([]reading{{50, 50, 5, .1}}, knee()...)
	if l := headroom.Chief(lineIn(t, rateSweep("m1", 0, sweep))); l == nil || !close9(*l.BaseLatency, .011) {
		t.Errorf("%+v, want a base of 11 ms, the middle of 9, 11 and 100 ms", l)
	}
}

// TestSendLagIsADoubt: without an objective it voids nothing.
func TestSendLagIsADoubt(t *testing.T) {
	late := func(from, lag float64) change {
		return func(t *record.Trial) {
			t.Generator = &record.LoadUse{Done: 20_000, Offered: 20_000, ControlP99: .0002}
			if t.Load.Level >= from {
				t.Generator.SendLagP99 = lag
			}
		}
	}
	const want = "schedule lag was 1 ms at p99, over 5% of the base latency of 10 ms (0.200 ms in a control thread)"
	for name, c := range map[string]struct {
		trials []record.Trial
		doubt  bool
	}{
		"late below the line":      {rateSweep("m1", 0, knee(), late(600, .001)), true},
		"late by less than 5%":     {rateSweep("m1", 0, knee(), late(600, .0004)), false},
		"late above the line only": {rateSweep("m1", 0, knee(), late(1000, .001)), false},
		"no generator":             {rateSweep("m1", 0, knee()), false},
	} {
		if l := headroom.Chief(lineIn(t, c.trials)); l == nil || flagged(l.Doubts, want) != c.doubt {
			t.Errorf("%s: %+v", name, l)
		}
	}
	for _, f := range loadline.LinesOf(loadline.RampsOf(rateSweep("m1", 0, knee(), late(600, .001))),
		map[string]float64{"p99": .02}) {
		if l := f.Lines["p99"]; flagged(l.Doubts, "schedule lag was") {
			t.Errorf("with an objective: %q", l.Doubts)
		}
	}
}

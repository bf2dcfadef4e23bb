package standby

import (
	"testing"
	"time"

	"plimsoll/internal/workload/serveruse"
)

// TestStillness: a standby that lacks nothing, or gets further, is not still, however little either writes.
func TestStillness(t *testing.T) {
	var l stillness
	for _, c := range []struct {
		at, own, flushed int64
		want             time.Duration
	}{
		{1, 100, 100, 0}, {60, 100, 100, 0}, {61, 200, 100, 1}, {90, 300, 100, 30}, {91, 300, 101, 0}, {95, 900, 101, 4},
		{99, 900, 900, 0}, {200, 901, 900, 101},
	} {
		if got := l.since(sample{at: c.at, own: c.own, flushed: c.flushed}); got != c.want {
			t.Errorf("at %d: %d, want %d", c.at, got, c.want)
		}
	}
}

func TestFigures(t *testing.T) {
	const s = int64(time.Second)
	f := Follower{Copy: &Copy{}, samples: []sample{
		{at: s, own: 900, sent: 1000, replayed: 900, flushLag: -1, replayLag: -1},
		{at: 2 * s, own: 2500, sent: 2000, replayed: 1500, flushLag: s / 100, replayLag: s / 50},
		{at: 3 * s, own: 3000, sent: 4000, replayed: 2900, flushLag: s / 50, replayLag: -1},
	}}
	f.meter = serveruse.Begin(func() []serveruse.Server { return nil })
	f.meter.End()
	got := map[string]float64{}
	for _, v := range f.Values(s, 3*s) {
		got[v.Name] = v.Value
	}
	for name, want := range map[string]float64{metricSent: 1500, metricBehind: 1000, metricFlushLag: .015,
		metricReplayLag: .02} {
		if v := got[name]; v < want-1e-9 || v > want+1e-9 {
			t.Errorf("%s is %g, want %g", name, v, want)
		}
	}
	for _, track := range f.Tracks(s, s, 2) {
		want := map[string][2]int64{"standby.sent": {1000, 2000}, "standby.behind": {0, 1000}}[track.Name]
		if [2]int64(track.Values) != want {
			t.Errorf("%s: %v, want %v", track.Name, track.Values, want)
		}
	}
	if len(f.Values(4*s, 5*s)) > 0 {
		t.Error("figures of a time without a sample")
	}
	var none *Follower
	none.End()
	if none.Values(0, s) != nil || none.Tracks(0, s, 1) != nil || none.Doubts() != nil || none.Err() != nil ||
		none.Close() != nil {
		t.Error("no standby has figures")
	}
}

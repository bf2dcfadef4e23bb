package run

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent/joint"
)

// TestOneClock: generators whose clocks are hours apart, of which one begins 2 s late, load on the target's clock.
func TestOneClock(t *testing.T) {
	const hour = int64(time.Hour)
	target, g1, g2 := &player{t: t, ahead: 7 * hour}, &player{t: t, latencyNs: 1e6, count: 1000, ahead: -hour},
		&player{t: t, latencyNs: 1e6, count: 10, ahead: 3 * hour, late: 2e9}
	before := target.now()
	trials, err := band(t, 1, target, g1, g2).Run(t.Context(), nil)
	if err != nil || trials[0].Void != "" {
		t.Fatalf("%+v, %v", trials, err)
	}
	for i, want := range []record.SourceClock{{OffsetS: 8 * 3600}, {OffsetS: 4 * 3600, LateS: 2}} {
		got := trials[0].Sources[i]
		if math.Abs(got.OffsetS-want.OffsetS) > got.ErrorS || got.ErrorS <= 0 || math.Abs(got.LateS-want.LateS) > 1 {
			t.Errorf("generator %d: %+v, want %+v", i+1, got, want)
		}
	}
	if d := strings.Join(trials[0].Doubts, "\n"); d != `generator "g2": its measured time began 2 s after that of the `+
		`first generator` {
		t.Errorf("notes %q", d)
	}
	l := target.served
	if l.StartNs < before || l.StartNs > target.now() || l.EndNs-l.StartNs < 3.9e9 || l.Ops != 1010 || l.StepNs != 1e9 {
		t.Errorf("the target is told %+v", l)
	}
	if want := []int64{500, 500, 5, 5}; !reflect.DeepEqual(l.Windows, want) {
		t.Errorf("operations by second are %v, want %v", l.Windows, want)
	}
}

// TestOffsetsOfClocks: the shortest round trip counts, and a drift that the round trips do not explain is in the bound.
func TestOffsetsOfClocks(t *testing.T) {
	const target, source = 100, 1000 // ahead of our own clock
	read := func(c *hostClock, ahead, there, back int64, times int) {
		for range times {
			c.asked = 50
			c.take(50+there+ahead, time.Duration(50+there+back))
		}
	}
	for name, c := range map[string]struct{ slow, fast, drift, shift, bound int64 }{
		"no drift": {40, 4, 0, target - source, 8}, "drift": {40, 4, 300, target - source, 292},
		"noise": {4, 4, 10, target - source, 8},
	} {
		var a, b hostClock
		for clock, ahead := range map[*hostClock]int64{&a: target, &b: source} {
			read(clock, ahead, c.slow, c.slow, readings-1)
			read(clock, ahead, c.fast, c.fast, 1)
		}
		read(&a, target+c.drift, 4, 4, 1)
		read(&b, source, 4, 4, 1)
		if shift, bound := b.onto(a); shift != c.shift || bound != c.bound {
			t.Errorf("%s: %d within %d, want %d within %d", name, shift, bound, c.shift, c.bound)
		}
	}
	var a, b hostClock
	read(&a, target, 4, 4, readings)
	read(&b, source, 0, 20, readings) // the way there is faster than the way back
	if shift, bound := b.onto(a); shift == target-source || max(shift-(target-source), target-source-shift) > bound {
		t.Errorf("an unequal way: %d within %d", shift, bound)
	}
}

// TestVagueClocks: from a tenth of a step of series on a run says so.
func TestVagueClocks(t *testing.T) {
	for name, c := range map[string]struct {
		clock record.SourceClock
		notes int
	}{"exact": {record.SourceClock{ErrorS: .09, LateS: .9}, 0}, "vague": {record.SourceClock{ErrorS: .2}, 1},
		"late": {record.SourceClock{LateS: 1.1}, 1}} {
		if got := clockDoubts(c.clock, 10); len(got) != c.notes {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestValuesOfAll: means by their weights, rates as sums, quantiles of all events, and what one source alone has.
func TestValuesOfAll(t *testing.T) {
	value := func(name, unit string, v float64) record.Value {
		return record.Value{Metric: record.Metric{Name: name, Unit: unit}, Value: v}
	}
	g1 := &player{t: t, latencyNs: 1e6, count: 1000,
		weights: map[string]float64{"mean": 30, "share": 100, "deadlocks": 100}, more: []record.Value{value("mean", "s", 1),
			value("share", "%", 10), value("per_minute", "1/min", 7), value("lone", "%", 1)}}
	g2 := &player{t: t, latencyNs: 1e6, count: 1000, weights: map[string]float64{"mean": 10, "share": 0, "deadlocks": 300},
		more: []record.Value{value("mean", "s", 5), value("per_minute", "1/min", 8), value("deadlocks", "%", 4)}}
	trials, err := band(t, 1, &player{t: t}, g1, g2).Run(t.Context(), nil)
	if err != nil || trials[0].Void != "" {
		t.Fatalf("%+v, %v", trials, err)
	}
	for name, want := range map[string]float64{"mean": 2, "share": 10, "per_minute": 15, "deadlocks": 3} {
		if v, ok := trials[0].Value(name); !ok || math.Abs(v.Value-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, v.Value, want)
		}
	}
	if _, ok := trials[0].Value("lone"); ok {
		t.Error("a share without a weight stands for all")
	}
}

// TestWarmUpOfAll: of a warm-up the steps count in which all sources were at it.
func TestWarmUpOfAll(t *testing.T) {
	heat := func(start int64, counts ...int64) from {
		data, err := session.EncodeWindows(counts)
		if err != nil {
			t.Fatal(err)
		}
		return from{Series: record.Series{Name: joint.HeatSeries, StepNs: 100, Enc: record.EncWindows, Data: data},
			info: &joint.Part{HeatNs: start}}
	}
	for name, c := range map[string]struct {
		parts []from
		want  []int64
	}{
		"at once":       {[]from{heat(1000, 1, 2, 3), heat(1040, 10, 20, 30)}, []int64{11, 22, 33}},
		"one late":      {[]from{heat(1210, 10, 20, 30), heat(1000, 1, 2, 3, 4)}, []int64{13, 24}},
		"never at once": {[]from{heat(1000, 1, 2), heat(9000, 1, 2)}, nil},
	} {
		data, err := addedWindows(c.parts)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := session.DecodeWindows(data); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
	if _, err := addedWindows([]from{heat(math.MinInt64, 1), heat(math.MaxInt64, 1)}); err == nil {
		t.Error("windows that are years apart add up")
	}
}

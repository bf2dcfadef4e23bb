package session

import (
	"math"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/record"
)

func TestAddPercentiles(t *testing.T) {
	h := hdrhistogram.New(1, 1e10, 3)
	for i := int64(1); i <= 10_000; i++ {
		if err := h.RecordValue(i * 1000); err != nil {
			t.Fatal(err)
		}
	}
	data, err := EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	series := []record.Series{{Name: "send_lag", Enc: record.EncHistogram, Data: "?"},
		{Name: LatencySeries, Enc: record.EncHistogram, Data: data}}
	timed := record.Trial{Values: []record.Value{{Metric: record.Metric{Name: record.LatencyP99}, Value: 1}}}
	if err := AddPercentiles(&timed, series, []string{"p95", "p99", "p999"}); err != nil {
		t.Fatal(err)
	}
	p95, _ := timed.Value("latency_p95")
	p999, _ := timed.Value("latency_p999")
	if p99, _ := timed.Value(record.LatencyP99); len(timed.Values) != 3 || p99.Value != 1 ||
		math.Abs(p95.Value/9.5e-3-1) > .001 || math.Abs(p999.Value/9.99e-3-1) > .001 || p95.Unit != "s" ||
		p95.Better != record.Lower {
		t.Errorf("%+v", timed.Values)
	}
	for name, other := range map[string]record.Trial{"not timed": {}, "failed": {Void: "late", Values: timed.Values[:1]}} {
		if err := AddPercentiles(&other, series, []string{"p95"}); err != nil || len(other.Values) > 1 {
			t.Errorf("%s: %+v, %v", name, other.Values, err)
		}
	}
	if err := AddPercentiles(&timed, []record.Series{{Name: LatencySeries, Enc: record.EncHistogram, Data: "?"}},
		[]string{"p90"}); err == nil {
		t.Error("a damaged histogram is taken")
	}
}

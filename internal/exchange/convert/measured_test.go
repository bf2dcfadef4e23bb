package convert

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

func TestPercentileOf(t *testing.T) {
	for name, want := range map[string]float64{"latency_min": 0, "latency_max": 100, "latency_p50": 50, "latency_p5": 5,
		"latency_p999": 99.9, "latency_p9999": 99.99, "latency": -1, "latency_p": -1, "latency_px": -1, "p99": -1,
		"latency_p00": -1} {
		got, ok := percentileOf(name)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %g, %t", name, got, ok)
		}
	}
}

// TestPercentilesInOrder: a higher percentile is no shorter, wherever in a file the two stand.
func TestPercentilesInOrder(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"latency_p50,12,ms", "latency_p99,8,ms", "f.csv:4: latency_p50 of 0.012 s exceeds latency_p99 of 0.008 s\nhint: "},
		{"latency_p99,8,ms", "latency_p50,12,ms", "f.csv:4: latency_p50 of 0.012 s exceeds latency_p99"},
		{"latency_p999,8,ms", "latency_p99,9,ms", "f.csv:4: latency_p99 of 0.009 s exceeds latency_p999"},
		{"latency_p99,9,us", "latency_max,8000,ns", "f.csv:4: latency_p99 of 9e-06 s exceeds latency_max"},
		{"latency,9,ms", "latency_max,8,ms", "f.csv:4: latency of 0.009 s exceeds latency_max"},
		{"latency_min,9,ms", "latency,8,ms", "f.csv:4: latency_min of 0.009 s exceeds latency of"},
		{"latency_p95,1.29,ms", "latency_max,1.27,ms", ""}, // rounded upwards
		{"latency_p50,8,ms", "latency,80,ms", ""},
		{"latency_p50,8,ms", "latency_p99,8,ms", ""},
		{"latency_of_x,9,ms", "latency_p99,8,ms", ""},
	} {
		text := csvHead + "a,w,1,8," + c.first + ",,\nb,w,1,8," + c.first + ",,\na,w,1,8," + c.second + ",,\n"
		var im Import
		_, err := im.Read(csvFormat(), strings.NewReader(text), given())
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %q", c.first, c.second, err, c.want)
		}
	}
}

// TestMoreCPUsThanThere: a machine named like an instance type has no more CPUs than that.
func TestMoreCPUsThanThere(t *testing.T) {
	o := given()
	o.CPUs = func(machine string) (float64, string) {
		if machine == "a" {
			return 8, "type a"
		}
		return 0, ""
	}
	for row, want := range map[string]string{
		"a,w,1,8,x,1,,cpus,\n":     "",
		"a,w,1,64,x,1,,clients,\n": "",
		"b,w,1,64,x,1,,cpus,\n":    "",
		"a,w,1,9,x,1,,cpus,\n":     "f.csv:2: a load of 9 cpus on \"a\", but type a has 8 vCPUs\nhint: ",
	} {
		var im Import
		_, err := im.Read(csvFormat(), strings.NewReader(csvHead+row), o)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", row, err, want)
		}
	}
	// GOMAXPROCS may be set to any number.
	o.Machine = "a"
	_, trials := imported(t, goFormat(), "BenchmarkX-16 1 2 ns/op\nBenchmarkX-8 1 2 ns/op\n", o)
	if len(trials[0].Doubts) != 1 || !strings.HasPrefix(trials[0].Doubts[0], "a load of 16 cpus") ||
		len(trials[1].Doubts) != 0 {
		t.Errorf("%q, %q", trials[0].Doubts, trials[1].Doubts)
	}
}

// TestThroughputIsNoTime: what is better when lower is no throughput.
func TestThroughputIsNoTime(t *testing.T) {
	for unit, ok := range map[string]bool{"ms": false, "ns/op": false, "s": false, "MB/s": true, "tps": true, "op/s": true,
		"": true} {
		_, err := measured(record.Throughput, unit, "", 1)
		if (err == nil) != ok {
			t.Errorf("%q: %v", unit, err)
		}
	}
}

// TestNegativeTimes: no time and no amount for an operation is below nothing, and less errors are better.
func TestNegativeTimes(t *testing.T) {
	for row, want := range map[string]string{
		"a,w,1,8,time,-1,ms,,\n":       "f.csv:2: time is -0.001 s, and cannot be negative",
		"a,w,1,8,allocs,-1,B/op,,\n":   "f.csv:2: allocs is -1 B/op, and cannot be negative",
		"a,w,1,8,clock_skew,-1,ms,,\n": "",
		"a,w,1,8,time,0,ms,,\n":        "",
	} {
		var im Import
		_, err := im.Read(csvFormat(), strings.NewReader(csvHead+row), given())
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", row, err, want)
		}
	}
	for name, want := range map[string]record.Better{"errors": record.Lower, "failed": record.Lower,
		"hits": record.Neutral} {
		if got := direction(name, "op"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestRatesOfWork: more of a rate is better only if its name says that it is of work.
func TestRatesOfWork(t *testing.T) {
	for name, want := range map[string]record.Better{"": record.Higher, "tps": record.Higher, "reads": record.Higher,
		"bytes_sent": record.Higher, "write_rate": record.Higher, "queries_per_second": record.Higher,
		"rand_read-4k": record.Higher, "triad": record.Higher, "compress_speed": record.Higher,
		"connections_per_s": record.Higher, "page_faults": record.Neutral, "value": record.Higher, "iops": record.Higher,
		"packets_discarded": record.Neutral, "requests_throttled": record.Neutral, "packets_resent": record.Neutral,
		"context_switches": record.Neutral, "gc": record.Neutral, "target_rate": record.Neutral,
		"lock_waits": record.Neutral, "zorbles": record.Neutral} {
		if got := direction(name, "1/s"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

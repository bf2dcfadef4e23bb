package convert

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// The outputs are those of real runs, shortened.
const (
	sysbenchOut = `CPU speed:
    events per second:  1044.27
Throughput:
    events per second:  2088.54

General statistics:
    total time:                          10.0007s
`
	fioOut = `{"fio version": "fio-3.33", "jobs": [{"jobname": "w", "read": {"bw_bytes": 0},
 "write": {"bw_bytes": 2396000123, "iops": "146240.5", "ok": true, "none": null, "clat_ns": {"percentile": {"99.000000": 1056}}}}]}`
	goOut = `goos: linux
goarch: amd64
pkg: example
cpu: AMD EPYC
BenchmarkSeal/size=16KiB-2         	  400000	      3000 ns/op	5461.33 MB/s	      32 B/op	       1 allocs/op
    note: BenchmarkSeal is not a line
BenchmarkSeal/size=16KiB-2         	  400000	      5000 ns/op	3276.80 MB/s	      64 B/op	       1 allocs/op
BenchmarkOpen-2                    	  800000	      1000 ns/op	       250 p99-ns	       0 MB/s
BenchmarkEcho                      	     100	      2500 op/s	    400000 ns/op
PASS
`
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		name, out, format, pattern, unit string
		want                             float64
		wantUnit                         string
	}{
		{"last match wins", sysbenchOut, Regexp, `events per second: +([0-9.]+)`, "op/s", 2088.54, "op/s"},
		{"lines", sysbenchOut, Regexp, `(?m)^ +total time: +([0-9.]+)s$`, "s", 10.0007, "s"},
		{"milliseconds", "p99 12.5 ms", Regexp, `p99 (\S+) ms`, "ms", 0.0125, "s"},
		{"megabytes", "90MB/s\n100MB/s\n", Regexp, `(\d+)MB/s`, "MB/s", 1e8, "B/s"},
		{"spaces in the group", "x=  -1e3 ", Regexp, `x=([^x]*)`, "", -1000, ""},
		{"number", fioOut, JSON, "$.jobs[0].write.bw_bytes", "B/s", 2396000123, "B/s"},
		{"numeric text", fioOut, JSON, "$.jobs[0].write.iops", "op/s", 146240.5, "op/s"},
		{"quoted key", fioOut, JSON, "$.jobs[0].write.clat_ns.percentile['99.000000']", "ns", 1056e-9, "s"},
		{"filter", fioOut, JSON, "$.jobs[?(@.jobname == 'w')].write.bw_bytes", "B/s", 2396000123, "B/s"},
		{"last document that has it", `{"rate":1} {"rate":2} {"done":true}`, JSON, "$.rate", "Gbit/s", 2.5e8, "B/s"},
		{"mean of lines", goOut, Go, "Seal", "ns/op", 4e-6, "s/op"},
		{"seconds", goOut, Go, "^Seal", "s", 4e-6, "s"},
		{"with the word Benchmark", goOut, Go, "^BenchmarkOpen-2$", "us", 1e-6, "s"},
		{"rate", goOut, Go, "Seal", "B/s", (5461.33e6 + 3276.80e6) / 2, "B/s"},
		{"zero", goOut, Go, "Open", "B/s", 0, "B/s"},
		{"memory", goOut, Go, "Seal", "B/op", 48, "B/op"},
		{"allocations", goOut, Go, "Seal", "allocs/op", 1, "allocs/op"},
		{"inverse of the time", goOut, Go, "Open", "op/s", 1e6, "op/s"},
		{"op/s as printed", goOut, Go, "Echo", "op/s", 2500, "op/s"},
		{"a unit of its own", goOut, Go, "Open", "p99-ns", 250, "p99-ns"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := record.Metric{Name: "x", Unit: tc.unit, Better: record.Lower}
			got, _, err := Parse([]byte(tc.out), Ask{tc.format, tc.pattern, m})
			if err != nil {
				t.Fatal(err)
			}
			m.Unit = tc.wantUnit
			if len(got) != 1 || got[0].Metric != m || math.Abs(got[0].Value-tc.want) > 1e-12*math.Abs(tc.want) {
				t.Errorf("got %+v, want %g in %+v", got, tc.want, m)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	long := strings.Repeat("abcdefghij", 100)
	for _, tc := range []struct {
		name, out, format, pattern, unit string
		want                             []string // in the error
	}{
		{"no match", long, Regexp, `rate (\d+)`, "",
			[]string{`"rate (\\d+)"`, strings.Repeat("abcdefghij", 20) + `"`, "800 bytes more", "hint: (?m)"}},
		{"nothing printed", "", Regexp, `(\d+)`, "", []string{"in nothing"}},
		{"group is no number", "rate fast", Regexp, `rate (\w+)`, "", []string{`"fast" is not a number`, "rate fast"}},
		{"not finite", "rate Inf", Regexp, `rate (\w+)`, "", []string{`"Inf" is not a number`}},
		{"empty group", "ab", Regexp, `a(\d)?b`, "", []string{"nothing is not a number"}},
		{"overflow", "1e308", Regexp, `(.+)`, "TB", []string{"too large"}},
		{"not JSON", "hello", JSON, "$.a", "", []string{"document 1 is not JSON", `in "hello"`, "hint:"}},
		{"torn", `{"a":1`, JSON, "$.a", "", []string{"document 1 is not JSON", "unexpected EOF"}},
		{"no such key", fioOut, JSON, "$.jobs[1].write", "", []string{"no value found", "fio version"}},
		{"boolean", fioOut, JSON, "$.jobs[0].write.ok", "", []string{"a boolean is not a number"}},
		{"null", fioOut, JSON, "$.jobs[0].write.none", "", []string{"null is not a number"}},
		{"list", fioOut, JSON, "$.jobs", "", []string{"a list is not a number"}},
		{"object", fioOut, JSON, "$.jobs[0].write", "", []string{"an object is not a number"}},
		{"text", fioOut, JSON, "$.jobs[0].jobname", "", []string{`"w" is not a number`}},
		{"several", `[1,2]`, JSON, "$[*]", "", []string{"matches 2 values"}},
		{"no benchmark line", "PASS\n", Go, "", "ns/op", []string{"no Go benchmark line", "PASS"}},
		{"no such benchmark", goOut, Go, "Close", "ns/op", []string{`"Close"`, "Seal/size=16KiB-2, Open-2, Echo"}},
		{"no such unit", goOut, Go, "Echo", "B/s", []string{"Echo has no B/s", "op/s, ns/op"}},
		{"line too long", "Benchmark" + strings.Repeat("x", 1<<17), Go, "", "ns/op", []string{"no Go benchmark line"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _, err := Parse([]byte(tc.out), Ask{tc.format, tc.pattern, record.Metric{Unit: tc.unit}})
			if err == nil {
				t.Fatalf("got %v, want an error", got)
			}
			for _, w := range tc.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q does not say %q", err, w)
				}
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		format, pattern, unit, want string
	}{
		{Regexp, `(\d+)`, "", ""},
		{Regexp, ``, "", "regular expression is required"},
		{Regexp, `(`, "", "missing closing )"},
		{Regexp, `\d+`, "", "has 0 capture groups"},
		{Regexp, `(a)(b)`, "", "has 2 capture groups"},
		{JSON, `$.a`, "", ""},
		{JSON, ``, "", "JSONPath is required"},
		{JSON, `$.a[`, "", "is not a JSONPath"},
		{Go, ``, "ns/op", ""},
		{Go, `(`, "ns/op", "missing closing )"},
		{Go, `x`, "", ""},
		{Regexp, `(?P<a>a)(?P<b>b)`, "a=op/s,b=ms", ""},
		{Regexp, `(?P<a>a)(?P<b>b)`, "c=op/s", "not NAME=VALUE"},
		{Regexp, `(?P<a>a)(?P<a>b)`, "", "two values are named"},
		{JSON, `a=$.a; b=$.b`, "a=op/s,b=ms", ""},
		{JSON, `a=$.a; a=$.b`, "", "two values are named"},
		{"yaml", `x`, "", "regexp, json, go, fio, pgbench, sysbench, wrk, rdkafka_performance, kafka-producer-perf-test"},
	} {
		err := Ask{tc.format, tc.pattern, record.Metric{Unit: tc.unit}}.Check()
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%s %q: %v", tc.format, tc.pattern, err)
		case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) ||
			!strings.Contains(err.Error(), "\nhint: ")):
			t.Errorf("%s %q: got %v, want %q and a hint", tc.format, tc.pattern, err, tc.want)
		}
	}
}

func TestBase(t *testing.T) {
	for _, tc := range []struct {
		unit, base string
		factor     float64
	}{
		{"", "", 1}, {"B/s", "B/s", 1}, {"MB/s", "B/s", 1e6}, {"MiB/sec", "B/s", 1 << 20}, {"ns/op", "s/op", 1e-9},
		{"sec/op", "s/op", 1}, {"Gbits/sec", "B/s", 1.25e8}, {"ops/sec", "op/s", 1}, {"µs", "s", 1e-6},
		{"KB/s", "KB/s", 1}, {"Mb/s", "Mb/s", 1}, {"%", "%", 1}, {"txn/s", "txn/s", 1},
	} {
		if base, factor := Base(tc.unit); base != tc.base || factor != tc.factor {
			t.Errorf("Base(%q) = %q, %g, want %q, %g", tc.unit, base, factor, tc.base, tc.factor)
		}
		if base, factor := Base(tc.base); base != tc.base || factor != 1 {
			t.Errorf("Base(%q) = %q, %g: a base unit has itself for a base", tc.base, base, factor)
		}
	}
}

// TestParseTellsWhatIsBetter: time and memory of an operation are better when lower, rates when higher, in every
// format; several values of an output are several metrics.
func TestParseTellsWhatIsBetter(t *testing.T) {
	const tps = `{"tps":812.5,"latency":{"p99":12.5}}`
	for _, tc := range []struct {
		name, out, format, pattern string
		ask                        record.Metric
		want                       string
	}{
		{"Go's time", goOut, Go, "Seal", record.Metric{Unit: "ns/op"}, "time_per_op 4e-06 s/op lower"},
		{"Go's memory", goOut, Go, "Seal", record.Metric{Unit: "B/op"}, "B/op 48 B/op lower"},
		{"Go's rate", goOut, Go, "Open", record.Metric{Unit: "op/s"}, "throughput 1e+06 op/s higher"},
		{"all of Go's", goOut, Go, "Seal", record.Metric{},
			"time_per_op 4e-06 s/op lower | throughput 4.36907e+09 B/s higher | B/op 48 B/op lower | allocs/op 1 " +
				"allocs/op lower"},
		{"several of Go's", goOut, Go, "Seal|Echo", record.Metric{Unit: "ns/op"},
			"Seal/size=16KiB-2:time_per_op 4e-06 s/op lower | Echo:time_per_op 0.0004 s/op lower"},
		{"a rate", tps, JSON, "$.tps", record.Metric{Unit: "op/s"}, "throughput 812.5 op/s higher"},
		{"a time", tps, JSON, "$.latency.p99", record.Metric{Unit: "ms"}, "value 0.0125 s lower"},
		{"time of something", "x 3 ns/frame", Regexp, `x (\d+)`, record.Metric{Unit: "ns/frame"},
			"value 3e-09 s/frame lower"},
		{"a latency", "x 3", Regexp, `x (\d+)`, record.Metric{Name: "latency_p99", Unit: "us"}, "latency_p99 3e-06 s lower"},
		{"unwanted", "x 3", Regexp, `x (\d+)`, record.Metric{Name: "errors", Unit: "op/s"}, "errors 3 op/s lower"},
		{"as said", "x 3", Regexp, `x (\d+)`, record.Metric{Unit: "MB", Better: record.Lower}, "value 3e+06 B lower"},
		{"two of a text", "tps: 5\np99: 7 ms\ntps: 6\n", Regexp, `tps: (?P<tps>\S+)|p99: (?P<p99>\S+)`,
			record.Metric{Unit: "tps=op/s,p99=ms"}, "tps 6 op/s higher | p99 0.007 s lower"},
		{"two of a document", tps, JSON, "tps=$.tps; p99=$.latency.p99", record.Metric{Unit: "tps=op/s,p99=ms"},
			"tps 812.5 op/s higher | p99 0.0125 s lower"},
	} {
		got, _, err := Parse([]byte(tc.out), Ask{tc.format, tc.pattern, tc.ask})
		var texts []string
		for _, v := range got {
			texts = append(texts, fmt.Sprintf("%s %.6g %s %s", v.Name, v.Value, v.Unit, v.Better))
		}
		if err != nil || strings.Join(texts, " | ") != tc.want {
			t.Errorf("%s: %s, %v, want %s", tc.name, strings.Join(texts, " | "), err, tc.want)
		}
	}
}

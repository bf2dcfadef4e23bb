package convert

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// These are made by the printf formats of the tools' sources, with what a capture of a good run cannot hold.
const (
	wrkFailed = "Running 2s test @ http://127.0.0.1:8080/\n" +
		"  2 threads and 16 connections\n" +
		"  Thread Stats   Avg      Stdev     Max   +/- Stdev\n" +
		"    Latency     1.50ms  640.00us   1.20m    81.20%\n" +
		"    Req/Sec     5.00k   500.00     6.00k    70.00%\n" +
		"  20000 requests in 2.00s, 16.00MB read\n" +
		"  Socket errors: connect 1, read 2, write 3, timeout 4\n" +
		"  Non-2xx or 3xx responses: 200\n" +
		"Requests/sec:  10000.00\n" +
		"Transfer/sec:      8.00MB\n"
	wrkPaced = "Running 10s test @ http://127.0.0.1:8080/\n" +
		"  2 threads and 64 connections\n" +
		"  Thread calibration: mean lat.: 1.020ms, rate sampling interval: 10ms\n" +
		"  Thread Stats   Avg      Stdev     Max   +/- Stdev\n" +
		"    Latency     1.02ms  480.00us   9.87ms   71.00%\n" +
		"    Req/Sec     1.05k   100.00     2.00k    80.00%\n" +
		"  Latency Distribution (HdrHistogram - Recorded Latency)\n" +
		" 50.000%    0.98ms\n 75.000%    1.31ms\n 90.000%    1.62ms\n 99.000%    2.44ms\n 99.900%    5.00ms\n 99.990%    " +
		"9.00ms\n 99.999%    9.80ms\n100.000%    9.87ms\n" +
		"\n  Detailed Percentile spectrum:\n       Value   Percentile   TotalCount 1/(1-Percentile)\n\n       0.060     " +
		"0.000000            1         1.00\n#[Mean    =        1.020, StdDeviation   =        0.480]\n" +
		"----------------------------------------------------------\n" +
		"\n  Latency Distribution (HdrHistogram - Uncorrected Latency (measured without taking delayed starts into " +
		"account))\n 50.000%    0.10ms\n 99.000%    0.20ms\n" +
		"  20000 requests in 10.00s, 16.00MB read\n" +
		"Requests/sec:   2000.00\n" +
		"Transfer/sec:      1.60MB\n"
	sysbenchSQL = "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following options:\n" +
		"Number of threads: 4\nTarget transaction rate: 100/sec\nInitializing random number generator from " +
		"current time\n\n\n" +
		"Initializing worker threads...\n\nThreads started!\n\nSQL statistics:\n    queries performed:\n        read:      " +
		"                      14000\n        write:                           4000\n        other:                        " +
		"   2000\n        total:                           20000\n" +
		"    transactions:                        990    (98.50 per sec.)\n    queries:                             20000  " +
		"(1989.90 per sec.)\n    ignored errors:                      10     (0.99 per sec.)\n    reconnects:              " +
		"            0      (0.00 per sec.)\n\n" +
		"General statistics:\n    total time:                          10.0510s\n    total number of events:              " +
		"990\n\nLatency (ms):\n         min:                                    2.50\n         avg:                        " +
		"           10.25\n         max:                                  120.75\n         95th percentile:                " +
		"       20.50\n         sum:                                10147.50\n\n" +
		"Threads fairness:\n    events (avg/stddev):           247.5000/1.50\n    execution time (avg/stddev):   " +
		"2.5369/0.01\n"
	sysbenchFiles = "Running the test with following options:\nNumber of threads: 1\n\nFile operations:\n    reads/s:   " +
		"                   1500.00\n    writes/s:                     1000.00\n    fsyncs/s:                     3200.00\n" +
		"\nThroughput:\n    read, MiB/s:                  23.50\n    written, MiB/s:               15.75\n\n" +
		"General statistics:\n    total time:                          2.0000s\n    total number of events:         " +
		"     11400\n"
	hyperfineExport = `{"results":[{"command":"make -j ` +
		`2","mean":1.6,"times":[1.5,1.7],"exit_codes":[0,0],"parameters":{"jobs":"2"}},{"command":"make -j ` +
		`4","times":[0.9],"parameters":{"jobs":"4"}}]}`
)

// TestToolsCaptured: the figures stand in the captures.
func TestToolsCaptured(t *testing.T) {
	for _, c := range []struct {
		format, file string
		want         map[string]float64
	}{
		{reader.Wrk, "wrk-closed.txt", map[string]float64{"throughput": 2179.21, "latency_p99": 43.42e-3,
			"latency_p50": 2.61e-3, "latency_p75": 3.07e-3, "latency_p90": 3.6e-3, "latency": 4.02e-3,
			"stddev_of_latency": 13.55e-3,
			"latency_max":       212.28e-3, "received": 398.05 * 1024}},
		{reader.Sysbench, "sysbench-cpu.txt",
			map[string]float64{"throughput": 9345.23, "latency_p95": .23e-3, "latency": .21e-3, "latency_min": .2e-3,
				"latency_max": 8.31e-3}},
		{reader.Sysbench, "sysbench-memory.txt",
			map[string]float64{"throughput": 12399836.3, "moved": 12109.22 * (1 << 20), "latency_max": 1.27e-3}},
	} {
		got, _, err := Parse(fioCapture(t, c.file), Ask{Format: c.format})
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		wants(t, c.file, got, c.want, 1e-9)
	}
}

// wants holds values to those that are wanted, as closely as is said, and to no others.
func wants(t *testing.T, name string, got []record.Value, want map[string]float64, close float64) {
	t.Helper()
	trial := record.Trial{Values: got}
	for metric, w := range want {
		if v, ok := trial.Value(metric); !ok || math.Abs(v.Value/w-1) > close {
			t.Errorf("%s: %s is %g, want %g", name, metric, v.Value, w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

func TestToolsOutput(t *testing.T) {
	for _, c := range []struct {
		name, format, text, first string
		want                      map[string]float64
	}{
		{"wrk with errors", reader.Wrk, wrkFailed, record.Throughput,
			map[string]float64{"throughput": 9900, "received": 8 << 20, "latency": 1.5e-3, "stddev_of_latency": 640e-6,
				"latency_max": 72, "failed": 100 * 210. / 20010, "socket_errors": 10}},
		{"wrk2", reader.Wrk, wrkPaced, record.LatencyP99,
			map[string]float64{"latency_p99": 2.44e-3, "latency_p50": .98e-3, "latency_p75": 1.31e-3, "latency_p90": 1.62e-3,
				"latency_p999": 5e-3, "latency_p9999": 9e-3, "latency_p99999": 9.8e-3,
				"latency": 1.02e-3, "stddev_of_latency": 480e-6, "latency_max": 9.87e-3, "throughput": 2000,
				"received": 1.6 * (1 << 20)}},
		{"sysbench at a rate", reader.Sysbench, sysbenchSQL, "latency_p95",
			map[string]float64{"latency_p95": 20.5e-3, "latency": 10.25e-3, "latency_min": 2.5e-3, "latency_max": 120.75e-3,
				"throughput": 98.5, "queries": 1989.9, "failed": 1}},
		{"sysbench's files", reader.Sysbench, sysbenchFiles, record.Throughput,
			map[string]float64{"throughput": 5700, "read": 23.5 * (1 << 20), "written": 15.75 * (1 << 20)}},
	} {
		got, _, err := Parse([]byte("something before\n"+c.text+"and behind\n"), Ask{Format: c.format})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		wants(t, c.name, got, c.want, 1e-9)
		if got[0].Name != c.first {
			t.Errorf("%s: judged by %s, want %s", c.name, got[0].Name, c.first)
		}
	}
}

func TestToolsRefused(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{reader.Wrk, "", "no wrk output in nothing"},
		{reader.Wrk, "unable to connect to 127.0.0.1:1 Connection refused\n", "wrk ended without results"},
		{reader.Wrk, strings.ReplaceAll(wrkFailed, "10000.00", "0.00"), "completed no requests"},
		{reader.Wrk, wrkFailed + wrkPaced, "the output has 2 runs of wrk"},
		{reader.Sysbench, "FATAL: unable to connect\n", "no sysbench output"},
		{reader.Sysbench, "Running the test with following options:\nNumber of threads: 4\n", "completed nothing"},
		{reader.Sysbench, sysbenchSQL + sysbenchFiles, "the output has 2 runs of sysbench"},
	} {
		if _, _, err := Parse([]byte(c.text), Ask{Format: c.format}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.want)
		}
		if err := (Ask{Format: c.format, Pattern: "x"}).Check(); err == nil {
			t.Error("a pattern is taken")
		}
	}
}

func TestImportTools(t *testing.T) {
	for _, c := range []struct {
		format Format
		text   string
		want   []map[string]string
	}{
		{formatOf(reader.WrkTool()), wrkFailed + wrkPaced, []map[string]string{
			{"load": "16 clients", "workload": "wrk", "wrk.url": "http://127.0.0.1:8080/", "wrk.threads": "2", "wrk.paced": "",
				"wrk.tls": "off"}, {"load": "64 clients", "wrk.paced": "true"}}},
		{formatOf(reader.SysbenchTool()), sysbenchSQL + sysbenchFiles,
			[]map[string]string{{"load": "4 clients", "sysbench.rate": "100"}, {"load": "1 clients", "sysbench.rate": ""}}},
		{formatOf(reader.HyperfineTool()), hyperfineExport, []map[string]string{
			{"load": "once", "hyperfine.command": "make -j 2", "hyperfine.jobs": "2", "hyperfine.tls": "off"},
			{"hyperfine.command": "make -j 2"}, {"hyperfine.command": "make -j 4", "hyperfine.jobs": "4"}}},
	} {
		importsAs(t, c.format, c.text, record.Params{"tls": "off"}, c.want)
	}
}

// importsAs holds what a tool's output is imported as to some of the keys of each trial; without a machine, or of
// nothing, it is refused.
func importsAs(t *testing.T, format Format, text string, params record.Params, want []map[string]string) {
	t.Helper()
	var im Import
	b, err := im.Read(format, strings.NewReader(text),
		Options{File: "f", Machine: "m", Replicate: Unnumbered, Params: params})
	if err != nil {
		t.Fatalf("%s: %v", format.Name, err)
	}
	trials := slices.Collect(b.Trials("p"))
	if len(trials) != len(want) {
		t.Fatalf("%s: %d trials, want %d", format.Name, len(trials), len(want))
	}
	for i, keys := range want {
		for key, v := range keys {
			if trials[i].Keys[key] != v {
				t.Errorf("%s: trial %d: %s is %q, want %q", format.Name, i, key, trials[i].Keys[key], v)
			}
		}
	}
	if _, err := im.Read(format, bytes.NewReader(nil), Options{File: "f"}); err == nil ||
		!strings.Contains(err.Error(), "--machine NAME") {
		t.Errorf("%s: %v", format.Name, err)
	}
	if _, err := im.Read(format, bytes.NewReader(nil), Options{File: "f", Machine: "m"}); err == nil ||
		!strings.Contains(err.Error(), " output in nothing") {
		t.Errorf("%s: %v", format.Name, err)
	}
}

// TestHyperfine: each run of a command is a replicate.
func TestHyperfine(t *testing.T) {
	var im Import
	b, err := im.Read(formatOf(reader.HyperfineTool()), strings.NewReader(hyperfineExport),
		Options{File: "f", Machine: "m", Replicate: Unnumbered})
	if err != nil {
		t.Fatal(err)
	}
	trials := slices.Collect(b.Trials("p"))
	for i, want := range []struct {
		replicate int
		s         float64
	}{{0, 1.5}, {1, 1.7}, {0, .9}} {
		if v, ok := trials[i].Value("time"); !ok || v.Value != want.s || v.Better != record.Lower ||
			trials[i].Replicate != want.replicate {
			t.Errorf("trial %d: %+v", i, trials[i])
		}
	}
	for text, want := range map[string]string{
		strings.NewReplacer("[1.5,1.7]", "[]", "[0.9]", "[]").Replace(hyperfineExport): "no command of hyperfine has times",
		strings.NewReplacer("[1.5,1.7]", "[1.5,0]", "[0.9]", "[0]").Replace(hyperfineExport): "a time that is " +
			"not a positive " +
			"number of seconds",
		`{"results":[]}`: "no hyperfine output",
	} {
		if _, err := im.Read(formatOf(reader.HyperfineTool()), strings.NewReader(text),
			Options{File: "f", Machine: "m", Replicate: Unnumbered}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestOutcomes: what tools count as failed goes into the trial, for judge to hold it to a limit.
func TestOutcomes(t *testing.T) {
	exits := strings.Replace(hyperfineExport, "[0,0]", "[null,3]", 1)
	for _, c := range []struct {
		format Format
		text   string
		want   []record.LoadUse
	}{
		{formatOf(reader.WrkTool()), wrkFailed + wrkPaced, []record.LoadUse{
			{Done: 19800, Errors: 210, ErrorsBy: map[string]int64{"status": 200, "socket": 10}}, {Done: 20000}}},
		{formatOf(reader.WrkTool()), strings.NewReplacer("20000 requests", "0 requests", "10000.00", "0.00", "responses: 200",
			"responses: 0").Replace(wrkFailed), []record.LoadUse{{Errors: 10, ErrorsBy: map[string]int64{"socket": 10}}}},
		{formatOf(reader.SysbenchTool()), strings.Replace(sysbenchSQL, "reconnects:                          0",
			"reconnects:                          5", 1), []record.LoadUse{
			{Done: 990, Errors: 15, ErrorsBy: map[string]int64{"ignored": 10, "reconnects": 5}}}},
		{formatOf(reader.PgbenchTool()), string(fioCapture(t, "pgbench-failures.txt")),
			[]record.LoadUse{{Done: 1248, Errors: 724, ErrorsBy: map[string]int64{"transaction": 724}}}},
		{formatOf(reader.RdkafkaTool()), rdkafkaFailed, []record.LoadUse{
			{Done: 750, Errors: 250, ErrorsBy: map[string]int64{"delivery": 250}}}},
		{formatOf(reader.ProducerPerfTool()), perfGoesOn + reader.ProducerPerfFailure + "TimeoutException: Expiring 3 " +
			"record(s)\n\tat x\n" + perfDone + perfDone, []record.LoadUse{
			{Done: 1000000, Errors: 1, ErrorsBy: map[string]int64{"delivery": 1}}, {Done: 1000000}}},
		{formatOf(reader.FioTool()),
			`{"fio version":"x","jobs":[{"total_err":4,"read":{"bw_bytes":1,"iops":1,"total_ios":16}}]}`,
			[]record.LoadUse{{Done: 16, Errors: 4, ErrorsBy: map[string]int64{"io": 4}}}},
		{formatOf(reader.HyperfineTool()), exits, []record.LoadUse{
			{Errors: 1, ErrorsBy: map[string]int64{"signal": 1}}, {Errors: 1, ErrorsBy: map[string]int64{"exit 3": 1}}, {}}},
	} {
		_, trials := imported(t, c.format, c.text, Options{File: "f", Machine: "m", Replicate: Unnumbered})
		for i, want := range c.want {
			got := record.LoadUse{}
			if trials[i].Generator != nil {
				got = *trials[i].Generator
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, trial %d: %+v, want %+v", c.format.Name, i, got, want)
			}
			if want.Errors > 0 && c.format.Name != reader.Hyperfine {
				if v, ok := trials[i].Value(record.Failed); !ok ||
					math.Abs(v.Value-100*float64(want.Errors)/float64(want.Done+want.Errors)) > 1e-3 {
					t.Errorf("%s: %+v", c.format.Name, trials[i].Values)
				}
			}
		}
	}
}

// FuzzWrk and FuzzSysbench read anything as the tools' output; what is taken has finite values.
func FuzzWrk(f *testing.F) {
	f.Add(fioCapture(f, "wrk-closed.txt"))
	f.Add([]byte(wrkFailed))
	f.Add([]byte(wrkPaced))
	fuzzParse(f, reader.Wrk)
}

func FuzzSysbench(f *testing.F) {
	f.Add([]byte(sysbenchSQL))
	f.Add([]byte(sysbenchFiles))
	fuzzParse(f, reader.Sysbench)
}

func FuzzImportWrk(f *testing.F) {
	f.Add([]byte(wrkFailed + wrkPaced))
	fuzzFormat(f, formatOf(reader.WrkTool()), Options{File: "f", Machine: "m", Replicate: Unnumbered})
}

func FuzzImportSysbench(f *testing.F) {
	f.Add([]byte(sysbenchSQL + sysbenchFiles))
	fuzzFormat(f, formatOf(reader.SysbenchTool()), Options{File: "f", Machine: "m", Replicate: Unnumbered})
}

func FuzzImportHyperfine(f *testing.F) {
	f.Add(fioCapture(f, "hyperfine.json"))
	f.Add([]byte(hyperfineExport))
	fuzzFormat(f, formatOf(reader.HyperfineTool()), Options{File: "f", Machine: "m", Replicate: Unnumbered})
}

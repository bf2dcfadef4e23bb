package convert

import (
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

const pgbenchWhole = `transaction type: TPC-B (sort of)
scaling factor: 10
query mode: simple
number of clients: 8
number of threads: 1
duration: 10 s
number of transactions actually processed: 8040
latency average: 9.951 ms
latency stddev: 1.200 ms
tps = 803.930114 (including connections establishing)
tps = 804.430114 (excluding connections establishing)
`

const wrkShort = `Running 30s test @ http://127.0.0.1:8080/
  2 threads and 64 connections
  Thread calibration: mean lat.: 9223372036854776.000ms, rate sampling interval: 10ms
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     2.10ms    1.00ms  20.00ms   88.00%
  60800 requests in 2.00s, 50.00MB read
Requests/sec:  30400.00
Transfer/sec:     25.00MB
`

const producerEnd = "100000 records sent, 9990.1 records/sec (9.76 MB/sec), 3.2 ms avg latency, 345.0 ms max " +
	"latency, 1 ms 50th, 8 ms 95th, 120 ms 99th, 300 ms 99.9th.\n"

const (
	h2loadBegun = "starting benchmark...\nspawning thread #0: 4 total client(s). 100000 total requests\n" +
		"Application protocol: http/1.1\nprogress: 10% done\n"
	h2loadEnd = "progress: 100% done\n\nfinished in 11.29s, 88.54 req/s, 10.72KB/s\n" +
		"requests: 1000 total, 1000 started, 1000 done, 1000 succeeded, 0 failed, 0 errored, 0 timeout\n"
	h2loadWhole = h2loadBegun + h2loadEnd
)

// TestWhatToolsSayOfTheirOwnRun: a run that was broken off, refused or has no end is told from one that is whole.
func TestWhatToolsSayOfTheirOwnRun(t *testing.T) {
	progress := "progress: 1.0 s, 120.0 tps, lat 9.9 ms stddev 1.2\nprogress: 2.0 s, 10.0 tps, lat 9.9 ms stddev 1.2\n"
	const redis = "====== SET ======\n  1000 requests completed in 0.10 seconds\n  50 parallel clients\n" +
		"10000.00 requests per second\n"
	window := "90000 records sent, 9999.8 records/sec (9.77 MB/sec), 3.2 ms avg latency, 345.0 ms max latency.\n"
	tryAll(t, []report{
		{name: "wrk, broken off", format: reader.Wrk, text: wrkShort, doubt: "it was broken off after 2 s of 30 s"},
		{name: "wrk2 without an answer", format: reader.Wrk, text: wrkShort, doubt: "no answer in its calibration"},
		{name: "pgbench of a run without results before", format: reader.Pgbench,
			text:   progress + strings.ReplaceAll(progress, "10.0 tps", "800.0 tps") + pgbenchWhole,
			values: map[string]float64{"throughput_least": 120}, unread: "1 of its runs reported progress and no results"},
		{name: "and behind", format: reader.Pgbench, text: pgbenchWhole + progress,
			unread: "1 of its runs reported progress and no results"},
		{name: "producers", format: reader.ProducerPerf, text: window + window + producerEnd,
			unread: "1 of its runs reported progress and no results"},
		{name: "fio without its steady state", format: reader.Fio, text: fioMixed,
			doubt: "fio did not reach the steady state",
			edit:  [2]string{`"job_runtime"`, `"steadystate":{"ss":"iops:5.000000%","duration":60,"attained":0},"job_runtime"`}},
		{name: "fio's text without it", format: reader.Fio, doubt: "fio did not reach the steady state",
			text: strings.Replace(string(captured(t, "fio-text.txt")), "  cpu   ", "  steadystate  : attained=no, bw=82.9MiB/s "+
				"(86.9MB/s), iops=21.2k, iops mean dev=12.3%\n  cpu   ", 1)},
		{name: "h2load, broken off before", format: reader.H2load, text: h2loadBegun + h2loadWhole, at: "4 clients",
			unread: "1 of its runs reported progress and no results"},
		{name: "h2load, broken off behind", format: reader.H2load, text: h2loadWhole + h2loadBegun, at: "4 clients",
			unread: "1 of its runs reported progress and no results"},
		{name: "h2load of two threads", format: reader.H2load, at: "6 clients",
			text: h2loadBegun + "spawning thread #1: 2 total client(s). 50000 total requests\n" + h2loadEnd},
		{name: "a whole producer", format: reader.ProducerPerf, text: window + producerEnd},
		{name: "rdkafka_performance that ended before its messages", format: reader.Rdkafka,
			text: "% Sending 1000000 messages of size 100 bytes\n% 1000000 messages produced (100000000 bytes), 400000 " +
				"delivered (offset 0, 0 failed) in 10000ms: 40000 msgs/s and 4.00 MB/s, 0 produce failures, 600000 in " +
				"queue, no compression\n",
			void: "400000 of 1000000 offered operations completed"},
		{name: "rdkafka_performance without a number", format: reader.Rdkafka,
			text: "% Sending messages of size 100 bytes\n% 1000000 messages produced (100000000 bytes), 400000 " +
				"delivered (offset 0, 0 failed) in 10000ms: 40000 msgs/s and 4.00 MB/s, 0 produce failures, 600000 in " +
				"queue, no compression\n",
			doubt: "600000 of 1000000 messages that were produced had not been delivered"},
		{name: "k6, interrupted", format: reader.K6, files: []string{"k6-checks.txt"}, edit: [2]string{"     vus.....",
			"time=\"…\" level=error msg=\"test run was aborted because k6 received a 'interrupt' signal\"\n     vus....."},
			void: "the run was aborted before its end"},
		{
			name:   "k6's threshold",
			format: reader.K6,
			files:  []string{"k6-checks.txt"},
			edit: [2]string{
				"     vus.....",
				"    ✗ 'p(95)<5' p(95)=9.4ms\n     vus.....",
			},
			doubt: "threshold of the script was crossed",
		},
		{name: "k6's count among its statistics", format: reader.K6, files: []string{"k6-checks.txt"},
			edit: [2]string{"avg=8.21ms", "count=6000 avg=8.21ms"}, values: map[string]float64{"latency": 8.21e-3}},
		{name: "k6's iterations that were not done", format: reader.K6, files: []string{"k6-checks.txt"}, edit: [2]string{
			"     vus.....", "  * default: 100000 iterations shared among 50 VUs (maxDuration: 10m0s)\n     vus....."},
			void: "of 100000 offered operations completed"},
		{name: "k6's iterations of each VU", format: reader.K6, files: []string{"k6-checks.txt"}, edit: [2]string{
			"     vus.....", "  * default: 1000 iterations for each of 50 VUs (maxDuration: 10m0s)\n     vus....."},
			void: "of 50000 offered operations completed"},
		{name: "sysbench's FATAL above its output", format: reader.Sysbench, files: []string{"sysbench-capped.txt"},
			edit: [2]string{"Number of threads", "FATAL: thread_init failed\nNumber of threads"}, void: "sysbench ended early"},
		{name: "redis before version 7, with -e", format: reader.RedisBenchmark,
			text: "Error from server: OOM command not allowed\n" + redis, void: "the server answered with errors"},
		{
			name:   "redis of version 7",
			format: reader.RedisBenchmark,
			text:   redis + "Error from server: OOM command not allowed\n",
			unread: "a test ended early",
		},
		{name: "a Go benchmark that fails at once", format: Go,
			text: "pkg: a\nBenchmarkX-8 100 12 ns/op\n--- FAIL: BenchmarkY\nFAIL\n", unread: `"Y" has no result: it failed`},
		{
			name:   "one that fails later",
			format: Go,
			text:   "BenchmarkX-8 100 12 ns/op\nBenchmarkY-8   \t--- FAIL: BenchmarkY-8\n",
			unread: `"Y-8" has no result: it failed`,
		},
		{name: "one that is skipped", format: Go,
			text: "BenchmarkX-8 100 12 ns/op\nBenchmarkY-8   \t--- SKIP: BenchmarkY-8\n", unread: "it was skipped"},
		{name: "a package whose benchmarks all fail", format: Go,
			text:   "pkg: a\nBenchmarkX-8 100 12 ns/op\npkg: b\n--- FAIL: BenchmarkZ\n",
			unread: `"Z" has no result`},
		{name: "a Go file that was cut", format: Go, text: "BenchmarkX-8 100 12 ns/op 5 B/op 2 all",
			err: `the file ends within a line: "all" is the beginning of allocs/op`},
		{name: "a Go file without its last end of line", format: Go, text: "BenchmarkX-8 100 12 ns/op 5 B/op 2 allocs/op",
			values: map[string]float64{"allocs/op": 2}},
	})
}

const vegetaState = `{"latencies":{"mean":2000000,"50th":1900000,"99th":4000000,"max":9000000,"min":1000000},` +
	`"bytes_in":{"total":50000},"earliest":"2026-01-01T00:00:00Z","duration":998000000,"wait":2000000,` +
	`"requests":500,"rate":501,"status_codes":{"200":500}}
`

// TestErrorsBesideResultsAreTold: a run that ended in an error leaves no results, and the good ones beside it do not
// hide that.
func TestErrorsBesideResultsAreTold(t *testing.T) {
	for _, c := range []struct{ format, file, line, told string }{
		{reader.Ab, "ab.txt", "apr_socket_recv: Connection reset by peer (104)\nTotal of 195 requests completed",
			`ab printed an error, so that a run is missing or broken: "apr_socket_recv: Connection reset by peer (104)"`},
		{reader.Iperf3, "iperf3.txt", "iperf3: error - unable to connect to server: Connection refused",
			`iperf3 printed an error, so that a run is missing or broken: "iperf3: error - unable`},
		{reader.RedisBenchmark, "redis-benchmark.txt",
			"GET: rps=0.0 (overall: 0.0) avg_msec=nan (overall: nan)Error: Server closed the connection",
			`is missing or broken: "Error: Server closed the connection"`},
		{reader.Memtier, "memtier.txt", "connection error: Connection refused\nconnection error: Connection refused",
			`memtier printed 2 errors, so that runs are missing or broken: "connection error: Connection refused" first`},
		{reader.Wrk, "wrk-closed.txt", "unable to connect to 127.0.0.1:8081 Connection refused",
			`wrk printed an error, so that a run is missing or broken: "unable to connect to 127.0.0.1:8081 Conn`},
	} {
		good := string(captured(t, c.file))
		for name, text := range map[string]string{"behind": good + "\n" + c.line + "\n", "before": c.line + "\n" + good} {
			one := report{name: c.format + " " + name, format: c.format, text: text, unread: c.told}
			one.runs = len(runsIn(t, c.format, good))
			t.Run(one.name, one.try)
		}
		first, _, _ := strings.Cut(c.line, "\n")
		alone := report{name: c.format + " without results", format: c.format, text: first + "\n",
			err: c.format + " ended without results: "}
		t.Run(alone.name, alone.try)
	}
}

// TestRunsAreNotStatesOfOne: what tells sides apart, and what is a beginning of a run, are no replicates.
func TestRunsAreNotStatesOfOne(t *testing.T) {
	more := strings.NewReplacer("998000000", "1998000000", `"requests":500,"rate":501`, `"requests":1000,"rate":500.5`,
		`"200":500`, `"200":1000`).Replace(vegetaState)
	other := strings.Replace(vegetaState, "00:00:00Z", "00:10:00Z", 1)
	const text = "Requests      [total, rate, throughput]  500, 501, 500\nDuration  [total, attack, wait]  1s, " +
		"998ms, 2ms\n" +
		"Status Codes  [code:count]  200:500\n"
	const cleared = "\x1b[H\x1b[2J"
	const command = `{"command":"a","mean":0.5,"times":[0.5,0.5]}`
	tryAll(t, []report{
		{name: "vegeta -every, JSON", format: reader.Vegeta, load: "rate=500", text: vegetaState + more,
			values: map[string]float64{"throughput": 500}, unread: "attacks that went on"},
		{name: "two attacks", format: reader.Vegeta, load: "rate=500", text: vegetaState + other, runs: 2},
		{name: "vegeta -every, text", format: reader.Vegeta, load: "rate=500", text: cleared + text + cleared + text,
			unread: "attacks that went on"},
		{name: "hyperfine --prepare", format: reader.Hyperfine, text: `{"results":[` + command + "," + command + `]}`,
			runs: 4, params: record.Params{"command": "a", "result": "1"}, unread: `2 commands are named "a"`},
		{name: "hyperfine", format: reader.Hyperfine, text: `{"results":[` + command + `]}`,
			runs: 2, params: record.Params{"command": "a", "result": ""}},
	})
}

// TestFiguresAreWhereToolsHaveThem: other words of old versions, other places of settings.
func TestFiguresAreWhereToolsHaveThem(t *testing.T) {
	const ycsb = "Command line: -db site.ycsb.RedisClient -P w/workloada -p threadcount=64 -p target=500 -t\n" +
		"[OVERALL], RunTime(ms), 20000\n[OVERALL], Throughput(ops/sec), 500\n[READ], Operations, 10000\n" +
		"[READ], Return=OK, 10000\n"
	const fileio = "sysbench 0.4.12:  multi-threaded\n\nNumber of threads: 16\n\nOperations performed:  6000 Read, 4000 " +
		"Write, 12800 Other = 22800 Total\nRead 93.75Mb  Written 62.5Mb  Total transferred 156.25Mb  (15.628Mb/sec)\n" +
		" 1000.25 Requests/sec executed\n\nTest execution summary:\n    total time:   9.9975s\n" +
		"    total number of events:   10000\n"
	const memory = "sysbench 0.4.12:  multi-threaded\n\nNumber of threads: 4\n\nOperations performed: 1048576 " +
		"(1205632.12 ops/sec)\n\n1024.00 MB transferred (1177.38 MB/sec)\n\n" +
		"Test execution summary:\n    total time:  0.8697s\n" +
		"    total number of events:   1048576\n"
	tryAll(t, []report{
		{
			name:   "threads of each benchmark of JMH",
			format: reader.JMH,
			text: "# Threads: 4 threads\n# Benchmark: org.a.B.one\n" +
				"# Threads: 1 thread\n# Benchmark: org.a.B.two\nBenchmark  Mode  Cnt  Score  Error  Units\n" +
				"B.one  avgt  3  1.0 ± 0.1  us/op\nB.two  avgt  3  1.0 ± 0.1  us/op\n",
			runs: 2,
			at:   "4 cpus",
		},
		{name: "a benchmark of JMH that failed", format: reader.JMH, text: "# Threads: 1 thread\n<failure>\n\n" +
			"Benchmark  Mode  Cnt  Score  Error  Units\nB.one  avgt  3  1.0 ± 0.1  us/op\n",
			unread: "a benchmark of JMH failed"},
		{name: "colours", format: reader.Criterion,
			text:   "\x1b[1ma/b\x1b[0m   time:   [990.00 ns \x1b[1m1.0000 us\x1b[0m 1.0100 us]\n",
			values: map[string]float64{"time": 1e-6}, params: record.Params{"benchmark": "a/b"}},
		{name: "pgbench 9.4", format: reader.Pgbench, text: pgbenchWhole, params: record.Params{"script": "tpcb-like"},
			values: map[string]float64{"latency": 9.951e-3, "stddev_of_latency": 1.2e-3}},
		{
			name:   "properties of YCSB",
			format: reader.YCSB,
			text:   ycsb,
			at:     "64 clients",
			params: record.Params{"target": "500"},
		},
		{name: "a target of YCSB that was missed", format: reader.YCSB, text: ycsb,
			edit: [2]string{"target=500", "target=1000"}, void: "500 of 1000 offered"},
		{name: "files of sysbench 0.4", format: reader.Sysbench, text: fileio,
			values: map[string]float64{"moved": 15.628 * (1 << 20)}},
		{name: "memory of sysbench 0.4", format: reader.Sysbench, text: memory,
			values: map[string]float64{"moved": 1177.38 * (1 << 20), "throughput": 1205632.12}},
		{
			name:   "a bandwidth of fio that was missed",
			format: reader.Fio,
			files:  []string{"fio-sync-depth.json"},
			edit: [2]string{
				`"iodepth" : "32"`,
				`"iodepth" : "32", "rate" : "100m"`,
			},
			void: "of 1.049e+08 offered B/s were done",
		},
		{name: "and one that was reached", format: reader.Fio, files: []string{"fio-sync-depth.json"},
			edit: [2]string{`"iodepth" : "32"`, `"iodepth" : "32", "rate" : "10m"`}},
		{name: "fio's fsync", format: reader.Fio, files: []string{"fio-sync-depth.json"},
			edit: [2]string{`"groupid" : 0`, `"groupid" : 0, "sync" : {"lat_ns" : {"N" : 100, "mean" : 1800000, "percentile" :
				{"50.000000" : 1700000, "99.000000" : 9000000}}}`},
			values: map[string]float64{"sync_latency_p50": 1.7e-3, "sync_latency_p99": 9e-3}},
		{name: "fio's trims", format: reader.Fio, files: []string{"fio-sync-depth.json"},
			edit:   [2]string{`"groupid" : 0`, `"groupid" : 0, "trim" : {"total_ios" : 100, "iops" : 10}`},
			unread: "trims of fio are not read"},
	})
}

// TestSharesOfFailuresAreInPercent: a share that is written as a fraction, or in a unit of its own, fails no run.
func TestSharesOfFailuresAreInPercent(t *testing.T) {
	csv := func(value, unit string) string {
		return "machine,workload,replicate,load,metric,value,unit\nm,put,0,8,throughput,100,op/s\nm,put,0,8,failed," + value +
			"," + unit + "\n"
	}
	tryAll(t, []report{
		{name: "fraction", format: "csv", text: csv("0.02", ""), err: "a share has the unit %: 2, and not 0.02"},
		{name: "ratio", format: "csv", text: csv("0.02", "ratio"), err: "its unit must be %"},
		{name: "over all", format: "csv", text: csv("150", "%"), err: "between 0 and 100"},
		{name: "errors", format: "csv", text: strings.Replace(csv("0.5", ""), "failed", "errors", 1), err: "a number of " +
			"operations is whole"},
		{name: "percent", format: "csv", text: csv("2", "%"), values: map[string]float64{"failed": 2}},
		{name: "number", format: "csv", text: csv("2", "")},
	})
}

package convert

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// report is a situation that users of a tool reported, in the form that the tool prints.
type report struct {
	name   string
	format string
	files  []string // of testdata/reported
	text   string   // if there are none
	load   string   // of --load
	edit   [2]string
	set    func(*Options)

	err    string // part of the error; "": it is read
	runs   int
	at     string             // load
	values map[string]float64 // of the first run
	none   []string           // metrics that it has not
	void   string             // part of the reason why it failed; "": it is valid
	doubt  string             // part of one of its doubts
	params record.Params
	unread string // part of what was not read
}

func (r report) input(t *testing.T) string {
	t.Helper()
	text := r.text
	if len(r.files) > 0 {
		var files []string
		for _, file := range r.files {
			files = append(files, "reported/"+file)
		}
		text = string(captured(t, files...))
	}
	if r.edit[0] != "" {
		if !strings.Contains(text, r.edit[0]) {
			t.Fatalf("%q does not stand there", r.edit[0])
		}
		text = strings.ReplaceAll(text, r.edit[0], r.edit[1])
	}
	return text
}

func (r report) try(t *testing.T) {
	o := onMachine()
	if r.load != "" {
		load, err := GivenLoad(r.load)
		if err != nil {
			t.Fatal(err)
		}
		o.Load = load
	}
	if r.set != nil {
		r.set(&o)
	}
	b, err := new(Import).Read(formatNamed(t, r.format), strings.NewReader(r.input(t)), o)
	if r.err != "" {
		if err == nil || !strings.Contains(err.Error(), r.err) {
			t.Errorf("%v, want %q", err, r.err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	trials := slices.Collect(b.Trials("p"))
	if len(trials) != max(r.runs, 1) {
		t.Fatalf("%d runs: %s", len(trials), strings.Join(texts(trials), "\n"))
	}
	r.holds(t, trials[0])
	if told := strings.Join(b.Unread, "\n"); (r.unread == "") != (told == "") || !strings.Contains(told, r.unread) {
		t.Errorf("not read: %q, want %q", told, r.unread)
	}
}

func (r report) holds(t *testing.T, got record.Trial) {
	t.Helper()
	if r.at != "" && got.Load.Key() != r.at {
		t.Errorf("at %s, want %s", got.Load.Key(), r.at)
	}
	for name, want := range r.values {
		if v, ok := got.Value(name); !ok || math.Abs(v.Value-want) > 1e-4*math.Abs(want) {
			t.Errorf("%s is %g (%v), want %g", name, v.Value, ok, want)
		}
	}
	for _, name := range r.none {
		if v, ok := got.Value(name); ok {
			t.Errorf("%s is %g, and stands nowhere", name, v.Value)
		}
	}
	if (r.void == "") != (got.Void == "") || !strings.Contains(got.Void, r.void) {
		t.Errorf("failed by %q, want %q", got.Void, r.void)
	}
	if r.doubt != "" && !strings.Contains(strings.Join(got.Doubts, "\n"), r.doubt) {
		t.Errorf("doubts %q, want %q", got.Doubts, r.doubt)
	}
	params := paramsOf(got)
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		if params[name] != r.params[name] {
			t.Errorf("%s is %q, want %q", name, params[name], r.params[name])
		}
	}
}

func tryAll(t *testing.T, reports []report) {
	for _, r := range reports {
		t.Run(r.name, r.try)
	}
}

// TestWhatWasOfferedIsAccountedFor: a run that handled less than 99 % of what was offered is no valid one.
func TestWhatWasOfferedIsAccountedFor(t *testing.T) {
	csv := "workload,replicate,load,load_kind,metric,value,unit,param.rate,param.arrivals\n"
	vegeta := "Requests      [total, rate, throughput]  %s\nDuration      [total, attack, wait]      10.1s, 10s, 100ms\n" +
		"Latencies     [mean, 50, 95, 99, max]    1ms, 1ms, 2ms, 3ms, 4ms\nStatus Codes  [code:count]  %s\n"
	tryAll(t, []report{
		{name: "k6 text", format: reader.K6, files: []string{"k6-dropped.txt"}, at: "1000/s",
			void: "only 36000 of 60000 offered operations completed"},
		{name: "k6 text of all", format: reader.K6, files: []string{"k6-dropped.txt"}, at: "1000/s",
			edit: [2]string{"36000  600/s", "60000  1000/s"}, void: "60000 of 84000 offered"},
		{name: "k6 export", format: reader.K6, files: []string{"k6-dropped.json"}, err: "--load rate=N"},
		{name: "k6 export at its rate", format: reader.K6, files: []string{"k6-dropped.json"}, load: "rate=1000",
			at: "1000/s", void: "only 36000 of 60000 offered operations completed"},
		{name: "k6 that starts late without dropping", format: reader.K6, files: []string{"k6-dropped.txt"}, at: "1000/s",
			edit: [2]string{"dropped_iterations.............: 24000  400/s", "own......: 1 MB 1 kB/s"},
			void: "36000 of 60000 offered", unread: "a line that looks like a result of k6 was not read: line 8"},
		{name: "k6 checks", format: reader.K6, files: []string{"k6-checks.txt"}, at: "5 clients",
			values: map[string]float64{"checks_failed": 98, "throughput": 600},
			doubt:  "98% of the script's checks failed, 35280 of 36000"},
		{name: "pgbench skipped", format: reader.Pgbench,
			text: "transaction type: x\nnumber of clients: 2\nduration: 10 s\n" +
				"number of transactions actually processed: 900\nnumber of transactions skipped: 100 (10.000%)\n" +
				"latency average = 1.0 ms\nrate limit schedule lag: avg 0.5 (max 2) ms\ntps = 90.0 (without initial " +
				"connection time)\n",
			void: "900 of 1000 offered operations"},
		{name: "pgbench that did not end", format: reader.Pgbench, text: "transaction type: x\nnumber of clients: 2\n" +
			"number of transactions actually processed: 6000/10000\ntps = 90.0 (without initial connection time)\n",
			void: "6000 of 10000 offered operations"},
		{name: "wrk2 at a rate", format: reader.Wrk, text: wrkPaced, load: "", at: "64 clients",
			set: func(o *Options) { o.Params = record.Params{"rate": "2500"} }, void: "2000 of 2500 offered operations/s"},
		{name: "wrk2 at its rate", format: reader.Wrk, text: wrkPaced, at: "64 clients",
			set: func(o *Options) { o.Params = record.Params{"rate": "2010"} }},
		{name: "vegeta", format: reader.Vegeta, text: strings.NewReplacer("  %s\nD", "  4000, 400, 396\nD", "%s", "200:4000").
			Replace(vegeta), load: "rate=500", at: "500/s", void: "400 of 500 offered operations/s"},
		{name: "vegeta at its rate", format: reader.Vegeta, load: "rate=500", at: "500/s",
			text: strings.NewReplacer("  %s\nD", "  5000, 500, 495\nD", "%s", "200:5000").Replace(vegeta)},
		{name: "CSV", format: csvName, text: csv + "w,1,1000,rate,throughput,600,op/s,,\n",
			void: "600 of 1000 offered operations/s were done, under 99%"},
		{name: "CSV of clients with a rate", format: csvName, text: csv + "w,1,10,clients,throughput,600,op/s,1000,\n",
			void: "600 of 1000"},
		{name: "CSV of random arrivals", format: csvName, text: csv + "w,1,1000,rate,throughput,980,op/s,,poisson\n"},
		{name: "CSV at its rate", format: csvName, text: csv + "w,1,1000,rate,throughput,991,op/s,,\n"},
		{name: "YCSB below its target", format: reader.YCSB, files: []string{"ycsb-histogram-silent.txt"}, at: "4 clients",
			edit: [2]string{"-threads 4", "-threads 4 -target 2000"}, void: "1000 of 2000 offered " +
				"operations/s", unread: "7 lines that look like results of ycsb were not read: line 11"},
		{name: "fio below rate_iops", format: reader.Fio, files: []string{"fio-sync-depth.json"}, at: "1 clients",
			edit: [2]string{`"name" : "j"`, `"rate_iops" : "20000"`}, void: "1e+04 of 2e+04 offered operations/s"},
		{name: "fio at rate_iops", format: reader.Fio, files: []string{"fio-sync-depth.json"}, at: "1 clients",
			edit: [2]string{`"name" : "j"`, `"rate_iops" : "10000,1"`}},
		{name: "sysbench below its rate", format: reader.Sysbench,
			text: strings.NewReplacer("rate: 100/sec", "rate: 200/sec").
				Replace(sysbenchSQL), void: "98.5 of 200 offered operations/s"},
		{name: "sysbench at its random rate", format: reader.Sysbench,
			text: strings.NewReplacer("ignored errors:                      10 ",
				"ignored errors:                      0 ").Replace(sysbenchSQL)},
		{name: "pgbench's aborted clients", format: reader.Pgbench, files: []string{"pgbench-aborted.txt"}, at: "8 clients",
			void: "4 of 8 clients aborted"},
		{name: "pgbench's aborted clients of 9.6", format: reader.Pgbench, files: []string{"pgbench-aborted.txt"},
			edit: [2]string{"script 0 aborted in command 5 query 0:", "aborted in command 5 of script 0;"},
			void: "4 of 8 clients aborted"},
		{name: "pgbench's aborted run", format: reader.Pgbench, files: []string{"pgbench-aborted.txt"},
			edit: [2]string{"aborted in command 5 query 0", "said"}, void: "the run was aborted"},
	})
}

// wrk2Calibrated is the output of wrk2 whose first requests had no answer: giltene/wrk2#5.
const wrk2Calibrated = `Running 10s test @ http://127.0.0.1:8080/
  2 threads and 10 connections
  Thread calibration: mean lat.: 9223372036854776.000ms, rate sampling interval: 10ms
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.10ms  500.00us   8.10ms   70.00%
    Req/Sec     1.05k   200.00     2.00k    75.00%
  20000 requests in 10.00s, 2.40MB read
Requests/sec:   2000.00
Transfer/sec:    245.76KB
`

// autocannonPaced is autocannon -c 4 -d 3 -R 200, shortened.
const autocannonPaced = `{"connections":4,"pipelining":1,"duration":3.06,"errors":0,"non2xx":0,"2xx":600,"latency":{"mean":5.29,` +
	`"p99":27,"totalCount":3604},"requests":{"average":200,"total":600}}`

// TestWhatIsStatedTwiceAgrees: a rate is that of the count and the time, and a depth the one that was reached.
//
//nolint:lll // a raw string
func TestWhatIsStatedTwiceAgrees(t *testing.T) {
	tryAll(t, []report{
		{name: "wrk's script prints a rate", format: reader.Wrk, files: []string{"wrk-lua.txt"},
			values: map[string]float64{"throughput": 30400, "latency_p99": 6.9e-3}, unread: "line 17, \"Requests/sec: " +
				"912000 total\""},
		{name: "wrk's script prints it in wrk's form", format: reader.Wrk, files: []string{"wrk-lua.txt"},
			edit:   [2]string{"Requests/sec: 912000 total", "Requests/sec: 912000.00"},
			values: map[string]float64{"throughput": 30400}, unread: "line 17, \"Requests/sec: 912000.00\""},
		{name: "wrk's rate", format: reader.Wrk, files: []string{"wrk-lua.txt"}, edit: [2]string{"30400.00", "40400.00"},
			err: "requests: 40400/s are stated, but 912000 in 30 s are 30400/s"},
		{name: "a run that fails keeps its reason", format: reader.Wrk, files: []string{"wrk-lua.txt"},
			edit:   [2]string{"Requests/sec:  30400.00", "  Non-2xx or 3xx responses: 540000\nRequests/sec:  60413.00"},
			values: map[string]float64{"failed": 100 * 540. / 912}, unread: "line 18, \"Requests/sec: 912000 total\""},
		{name: "wrk2 calibrated without an answer", format: reader.Wrk, text: wrk2Calibrated,
			values: map[string]float64{"throughput": 2000}, doubt: "got no answer in its calibration"},
		{name: "wrk2 calibrated", format: reader.Wrk,
			text:   strings.Replace(wrk2Calibrated, "9223372036854776.000", "1.050", 1),
			values: map[string]float64{"throughput": 2000}},
		{name: "wrk's bytes", format: reader.Wrk, files: []string{"wrk-lua.txt"}, edit: [2]string{"4.00MB", "40.00MB"},
			err: "bytes: "},
		{name: "sysbench", format: reader.Sysbench, files: []string{"sysbench-capped.txt"},
			edit: [2]string{"(1.85 per sec.)", "(18.5 per sec.)"}, err: "18.5/s are stated, but 500 in 270.2 s are 1.85061/s"},
		{name: "pgbench", format: reader.Pgbench, files: []string{"pgbench-aborted.txt"},
			edit: [2]string{"aborted", "said"}, values: map[string]float64{"throughput": 803.930114}},
		{name: "redis", format: reader.RedisBenchmark, files: []string{"redis-custom.txt"},
			edit: [2]string{"in 0.99 s", "in 9.99 s"},
			err:  "101234/s are stated, but 100000 in 9.99 s"},
		{name: "YCSB", format: reader.YCSB, files: []string{"ycsb-histogram-silent.txt"},
			edit: [2]string{"Throughput(ops/sec), 1000", "Throughput(ops/sec), 9000"}, err: "9000/s are stated, but " +
				"10000 in 10 s"},
		{name: "fio", format: reader.Fio, files: []string{"fio-sync-depth.json"},
			edit: [2]string{`"iops" : 10000.0`, `"iops" : 90000.0`},
			err:  "90000/s are stated, but 300000 in 30 s"},
		{name: "vegeta", format: reader.Vegeta, load: "rate=900",
			text: "Requests  [total, rate, throughput]  4000, 900, 396\n" +
				"Duration  [total, attack, wait]  10.1s, 10s, 100ms\nStatus Codes  [code:count]  200:4000\n",
			err: "900/s are stated, but 4000 in 10 s"},
		{name: "oha", format: reader.Oha, load: "8", text: "Summary:\n  Success rate:\t100.00%\n  Total:\t2.0000 sec\n" +
			"  Requests/sec:\t5000.0\n\nStatus code distribution:\n  [200] 2000 responses\n",
			err: "5000/s are stated, but 2000 in 2 s"},
		{name: "autocannon", format: reader.Autocannon, text: strings.Replace(autocannonPaced, `"average":200`, `"average":900`, 1),
			err: "900/s are stated, but 600 in 3.06 s"},
		{name: "autocannon's statuses", format: reader.Autocannon, text: strings.Replace(autocannonPaced, `"2xx":600`, `"2xx":60`, 1),
			err: "answers by status"},
		{name: "autocannon's latencies at a rate", format: reader.Autocannon, text: autocannonPaced,
			values: map[string]float64{"throughput": 600 / 3.06}, doubt: "3604 latencies for 600 answers"},
		{name: "k6's two counters", format: reader.K6, files: []string{"k6-checks.txt"},
			edit: [2]string{"http_reqs......................: 36000  600/s", "http_reqs......................: 36000  1600/s"},
			err:  "1600/s are stated, but 36000 in 60 s"},
		{name: "JMH's score", format: reader.JMH, files: []string{"jmh-group.json"},
			edit: [2]string{`"score" : 100.0`, `"score" : 300.0`}, err: "is stated as 300 ops/us, and that of its " +
				"values is 100"},
		{name: "hyperfine's mean", format: reader.Hyperfine,
			text: strings.Replace(hyperfineExport, `"mean":1.6`, `"mean":3.2`, 1),
			err:  "is stated as 3.2 s, and that of its values is 1.6 s"},
		{name: "Criterion's mean", format: reader.Criterion, files: bits(),
			edit: [2]string{`"point_estimate":1000.0`, `"point_estimate":9000.0`},
			err:  "is stated as 9000 ns"},
		{name: "fio's synchronous engine", format: reader.Fio, files: []string{"fio-sync-depth.json"}, at: "1 clients",
			values: map[string]float64{"iops": 10000, "throughput": 40960000}},
		{name: "fio's default engine", format: reader.Fio, files: []string{"fio-sync-depth.json"}, at: "1 clients",
			edit: [2]string{`"ioengine" : "psync", `, ""}},
		{name: "fio's depth that was not reached", format: reader.Fio, files: []string{"fio-sync-depth.json"},
			edit: [2]string{"psync", "libaio"}, err: "asked for 32 in flight (iodepth) and had 1 at most"},
		{name: "the same as it was", format: reader.Fio, files: []string{"fio-sync-depth.json"},
			edit: [2]string{"psync", "libaio"}, load: "1", at: "1 clients"},
		{name: "fio's depth by Little's law", format: reader.Fio, files: []string{"fio-sync-depth.json"}, at: "32 clients",
			edit: [2]string{`"psync", "rw" : "randread", "bs" : "4k", "iodepth" : "32", "direct" : "1" },
  "jobs" : [ { "jobname" : "j", "groupid" : 0, "error" : 0, "job options" : { "name" : "j" }, "job_runtime" : 30000, "usr_cpu" : 5.0, "sys_cpu" : 15.0,
   "iodepth_level" : { "1" : 100.0, "2" : 0.0, "32" : 0.0 },`, `"libaio", "iodepth" : "32"},
  "jobs" : [ { "jobname" : "j", "groupid" : 0, "error" : 0, "job_runtime" : 30000,`},
			doubt: "makes 0.98 in flight, and the load is 32"},
	})
}

func bits() []string {
	return []string{"crit/bits/new/estimates.json", "crit/bits/new/benchmark.json", "crit/bits/new/sample.json"}
}

// TestUnknownWordsGetNoMeaning: what is not known is neither a unit nor a percentile nor a number of CPUs.
func TestUnknownWordsGetNoMeaning(t *testing.T) {
	both := []string{"crit/both/new/estimates.json", "crit/both/new/benchmark.json", "crit/both/new/sample.json"}
	tryAll(t, []report{
		{name: "YCSB's histogram", format: reader.YCSB, files: []string{"ycsb-histogram-silent.txt"}, at: "4 clients",
			values: map[string]float64{"throughput": 1000, "latency_p95": 8e-3, "latency_p99": 21e-3, "latency_max": 99.9e-3},
			none:   []string{"latency_p1", "latency_p20", "latency_p50", "latency_p90", "latency_p0"}, unread: "7 lines that " +
				"look like results of ycsb"},
		{name: "YCSB's histogram of new versions", format: reader.YCSB, files: []string{"ycsb-new-histogram.txt"},
			values: map[string]float64{"latency_p95": 7e-3, "latency_p99": 21e-3}, none: []string{"latency_p1", "latency_p50"},
			unread: "7 lines that look"},
		{name: "YCSB's histogram of old versions", format: reader.YCSB, files: []string{"ycsb-old-histogram.txt"},
			values: map[string]float64{"latency_p95": 7e-3, "latency_p99": 21e-3, "throughput": 1000},
			none:   []string{"latency_p1", "latency_p50", "failed"}, unread: "13 lines that look"},
		{name: "YCSB's unit", format: reader.YCSB, files: []string{"ycsb-histogram-silent.txt"},
			edit: [2]string{"99thPercentileLatency(us)", "99thPercentileLatency(ns)"}, none: []string{"latency_p99"},
			unread: "8 lines that look like results of ycsb were not read: line 9, \"[READ], " +
				"99thPercentileLatency(ns), 21000\""},
		{name: "Criterion's bits", format: reader.Criterion, files: bits(),
			values: map[string]float64{"throughput": 1e9, "time": 1e-6}},
		{name: "Criterion's elements and bytes", format: reader.Criterion, files: both,
			values: map[string]float64{"throughput": 10e6, "moved": 1e9}},
		{name: "Criterion's next kind", format: reader.Criterion, files: bits(),
			edit: [2]string{`"Bits":8000`, `"Packets":8`},
			err:  `its kind "Packets" is not known`},
		{name: "Criterion's bits in its text", format: reader.Criterion,
			text: "net/copy   time:   [990.00 ns 1.0000 us 1.0100 us]\n" +
				"           thrpt:  [7.9 Gb/s 8.0 Gb/s 8.1 Gb/s]\n", values: map[string]float64{"throughput": 1e9}},
		{name: "Go's names", format: Go, files: []string{"go-names.txt"}, runs: 4, at: "1 cpus",
			params: record.Params{"sub1": "sha-1"}},
		{name: "Go's names without a bare one", format: Go, files: []string{"go-names.txt"}, runs: 4, at: "1 cpus",
			edit: [2]string{"/md5 ", "/md-5 "}, params: record.Params{"sub1": "sha-1"}},
		{name: "Go's names with GOMAXPROCS", format: Go,
			text: "BenchmarkSHA/sha-256-8 1 2 ns/op\nBenchmarkSHA/md5-8 1 2 ns/op\n", runs: 2,
			at: "8 cpus", params: record.Params{"sub1": "sha-256"}},
		{name: "Go's -cpu=1,2,4", format: Go, text: "BenchmarkX 1 2 ns/op\nBenchmarkX-2 1 2 ns/op\nBenchmarkX-4 1 2 ns/op\n",
			runs: 3,
			at:   "1 cpus"},
		{name: "Go's -cpu=2,4", format: Go, text: "BenchmarkX-2 1 2 ns/op\nBenchmarkX-4 1 2 ns/op\n", runs: 2, at: "2 cpus"},
		{name: "numbers of unlike benchmarks", format: Go, text: "BenchmarkX/p-99 1 2 ns/op\nBenchmarkX/p-50 1 2 ns/op\n" +
			"BenchmarkY/utf-8 1 2 ns/op\n", runs: 3, at: "1 cpus", params: record.Params{"sub1": "p-99"}},
		{name: "our own export", format: Go, text: "machine: m\nsession: s.plimsoll.jsonl\nBenchmarkW/x=d-8 1 2 ns/op\n",
			at: "1 cpus", params: record.Params{"x": "d-8"}},
		{name: "redis' own commands, quiet", format: reader.RedisBenchmark, files: []string{"redis-custom-quiet.txt"},
			load: "50", runs: 4,
			values: map[string]float64{"throughput": 101234.5, "latency_p50": 231e-6},
			params: record.Params{"test": "set k:__rand_int__ v"}},
		{name: "redis' threads", format: reader.RedisBenchmark, files: []string{"redis-custom.txt"},
			edit: [2]string{"====== foo ======\n  1 requests completed in 0.00 seconds\n  1 parallel clients\n  3 " +
				"bytes payload\n" +
				"  keep alive: 1\n\n100.00% <= 0 milliseconds\ninf requests per second\n", ""}, at: "50 clients",
			params: record.Params{"threads": "4"}},
		{name: "redis' inf", format: reader.RedisBenchmark, files: []string{"redis-custom.txt"}, at: "50 clients",
			params: record.Params{"threads": "4"}, unread: `"foo" is left out: it states no rate`},
		{name: "nothing but redis' inf", format: reader.RedisBenchmark, text: "====== foo ======\n  1 parallel clients\n" +
			"inf requests per second\n", err: `no rate of "foo"`},
	})
}

// TestWhatIsNotReadIsNamed: lines that look like results of a tool and are not read are said, wherever they stand.
func TestWhatIsNotReadIsNamed(t *testing.T) {
	tryAll(t, []report{
		{name: "before wrk's head", format: reader.Wrk, text: "Requests/sec:  10.00\n" + wrkFailed, void: "",
			unread: `a line that looks like a result of wrk was not read: line 1, "Requests/sec:  10.00"`},
		{name: "k6's own metric", format: reader.K6, files: []string{"k6-checks.txt"},
			edit: [2]string{"     vus.....", "     cart_total.....: avg=3 min=1\n     vus....."}, unread: "cart_total"},
		{name: "a unit of k6", format: reader.K6, files: []string{"k6-checks.txt"},
			edit: [2]string{"avg=8.21ms", "avg=8.21parsec"}, unread: "http_req_duration"},
		{name: "redis' CSV", format: reader.RedisBenchmark, load: "50",
			text:   "\"test\",\"rps\"\n\"SET\",\"10.0\"\n\"GET\"\n",
			unread: `a line that looks like a result of redis-benchmark was not read: line 3, "\"GET\""`},
		{name: "a row of JMH behind the table", format: reader.JMH, text: "# Threads: 1 thread\n" +
			"Benchmark  Mode  Cnt  Score  Error  Units\na.b  avgt  3  1.0 ± 0.1  us/op\n\nc.d  avgt  3  1.0 ± 0.1  us/op\n",
			unread: "line 5"},
		{name: "pgbench of the next version", format: reader.Pgbench, files: []string{"pgbench-aborted.txt"},
			edit: [2]string{"latency average = 9.951 ms", "latency average = 0.009951 s"}, void: "4 of 8 clients aborted",
			unread: `"latency average = 0.009951 s"`},
		{name: "oha of the next version", format: reader.Oha, load: "8", text: "Summary:\n  Success rate:\t100.00%\n" +
			"  Slowest:\t2 lustrum\n  Requests/sec:\t1000.0\n\nStatus code distribution:\n  [200] 2000 responses\n",
			unread: "lustrum"},
		{name: "vegeta of the next version", format: reader.Vegeta, load: "rate=500",
			text: "Requests  [total, rate, throughput]  " +
				"5000, 500, 500\nStatus Codes  [code:count]  200:5000\nStalls  [total]  7\n", unread: "Stalls"},
		{name: "sysbench's other statistics", format: reader.Sysbench, files: []string{"sysbench-capped.txt"},
			edit:   [2]string{"avg:                               172090.11", "avg:                               172090.11us"},
			unread: "172090.11us"},
		{name: "Criterion's next unit", format: reader.Criterion, text: "a/b   time:   [990.00 ns 1.0000 us 1.0100 us]\n" +
			"      thrpt:  [7.9 Gpacket/s 8.0 Gpacket/s 8.1 Gpacket/s]\n", unread: "Gpacket"},
	})
}

// TestCapturesAreReadWholly: nothing that looks like a result is left in what the tools printed.
func TestCapturesAreReadWholly(t *testing.T) {
	for _, c := range captures() {
		o := onMachine()
		if c.load != "" {
			o.Load, _ = GivenLoad(c.load)
		}
		b, err := new(Import).Read(formatNamed(t, c.format),
			bytes.NewReader(captured(t, slices.Concat([]string{c.file}, c.beside)...)), o)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
		} else if len(b.Unread) > 0 != c.left {
			t.Errorf("%s: %q", c.file, b.Unread)
		}
	}
	for file, format := range map[string]string{"wrk-closed.txt": reader.Wrk, "sysbench-cpu.txt": reader.Sysbench,
		"sysbench-memory.txt": reader.Sysbench, "sysbench-oltp-errors.txt": reader.Sysbench,
		"sysbench-csv.txt":        reader.Sysbench,
		"sysbench-cpu-report.txt": reader.Sysbench, "sysbench-fileio-report.txt": reader.Sysbench,
		"pgbench-connect.txt":  reader.Pgbench,
		"pgbench-failures.txt": reader.Pgbench, "pgbench-progress-report.txt": reader.Pgbench,
		"pgbench-rate.txt":            reader.Pgbench,
		"pgbench-scripts-retries.txt": reader.Pgbench, "pgbench-transactions.txt": reader.Pgbench,
		"producer-performance.txt": reader.ProducerPerf, "rdkafka-consumed.txt": reader.Rdkafka,
		"rdkafka-produced.txt":      reader.Rdkafka,
		"rdkafka-table-latency.txt": reader.Rdkafka} {
		b, err := new(Import).Read(formatNamed(t, format), bytes.NewReader(captured(t, file)), onMachine())
		if err != nil || len(b.Unread) > 0 {
			t.Errorf("%s: %v, %q", file, err, b.Unread)
		}
	}
	for _, text := range []string{wrkPaced, wrkFailed} {
		if b, err := new(Import).Read(formatNamed(t, reader.Wrk), strings.NewReader(text), onMachine()); err != nil ||
			len(b.Unread) > 0 {
			t.Errorf("%v, %q", err, b.Unread)
		}
	}
}

// TestMarksOfByteOrder: a text of PowerShell is read with its mark in every format, and UTF-16 is named.
func TestMarksOfByteOrder(t *testing.T) {
	for _, c := range captures() {
		text := append([]byte("\ufeff"), captured(t, slices.Concat([]string{c.file}, c.beside)...)...)
		could := Recognise(text)
		if len(could) != 1 || could[0].Name != c.format {
			t.Errorf("%s: recognised as %d formats", c.file, len(could))
			continue
		}
		o := onMachine()
		if c.load != "" {
			o.Load, _ = GivenLoad(c.load)
		}
		b, err := new(Import).Read(could[0], bytes.NewReader(text), o)
		if err != nil || c.runs > 0 && b.Len() != c.runs {
			t.Errorf("%s: %v", c.file, err)
		}
	}
	tryAll(t, []report{
		{name: "wrk", format: reader.Wrk, files: []string{"wrk-bom-two.txt"}, runs: 2},
		{name: "fio", format: reader.Fio, text: "\ufeff" + string(captured(t, "fio-write-grouped.json")), at: "64 clients"},
		{name: "hyperfine", format: reader.Hyperfine, text: "\ufeff" + hyperfineExport, runs: 3},
		{name: "UTF-16", format: reader.Wrk, text: "\xff\xfeR\x00u\x00n\x00", err: "it is UTF-16\nhint: iconv"},
		{name: "UTF-16 without a mark", format: reader.K6, text: "R\x00u\x00n\x00",
			err: "it is UTF-16 without a byte order mark"},
	})
	for name, ask := range map[string]Ask{"\ufeff{\"a\":1}": {JSON, "$.a", record.Metric{}},
		"\ufeff" + goOut: {Go, "Seal", record.Metric{Unit: "B/op"}}} {
		if _, _, err := Parse([]byte(name), ask); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := Parse([]byte("\xff\xfe1\x00"), Ask{Regexp, "(1)", record.Metric{}}); err == nil ||
		!strings.Contains(err.Error(), "it is UTF-16") {
		t.Errorf("%v", err)
	}
}

// sysbenchTPCC makes a log in the form of sysbench's from published figures.
func sysbenchTPCC(threads, tps, mean, p95, most, ignored, events float64, mix bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\nRunning the test with following options:\n"+
		"Number of threads: %.0f\n\nThreads started!\n\nSQL statistics:\n    queries performed:\n", threads)
	if mix {
		fmt.Fprintf(&b, "        read:                            %.0f\n        write:                           %.0f\n"+
			"        other:                           %.0f\n", 12.98*events, 13.51*events, 2.01*events)
	}
	fmt.Fprintf(&b, "    transactions:                        %.0f (%.2f per sec.)\n    ignored errors:              "+
		"        %.0f"+
		"  (%.2f per sec.)\n    reconnects:                          0      (0.00 per sec.)\n\nGeneral statistics:\n"+
		"    total time:                          %.4fs\n    total number of events:              %.0f\n\nLatency (ms):\n"+
		"         min:                                    0.50\n         avg:                                   %.2f\n"+
		"         max:                                 %.2f\n         95th percentile:                       %.2f\n",
		events, tps, ignored, ignored*tps/events, events/tps, events, mean, most, p95)
	return b.String()
}

// TestIntendedErrorsOfTPCC: the roll-backs that TPC-C demands are no failures, at the share that it demands.
func TestIntendedErrorsOfTPCC(t *testing.T) {
	table, err := csv.NewReader(bytes.NewReader(captured(t, "reported/percona-postgresql-tpcc-2021-01.csv"))).ReadAll()
	if err != nil || len(table) != 17 {
		t.Fatalf("%d rows, %v", len(table), err)
	}
	for _, row := range table[1:] {
		var n []float64
		for _, cell := range row[2:] {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			n = append(n, v)
		}
		for _, test := range []struct {
			name    string
			mix     bool
			ignored float64 // times as many
			set     func(*Options)
			failed  bool
		}{
			{"by its mix", true, 1, func(*Options) {}, false},
			{"by the workload", false, 1, func(o *Options) { o.Workload = "tpcc" }, false},
			{"by a parameter", false, 1, func(o *Options) { o.Params = record.Params{"script": "./tpcc.lua"} }, false},
			{"by the file", false, 1, func(o *Options) { o.File = "results/TPC-C-64.txt" }, false},
			{"of unknown scripts", false, 1, func(*Options) {}, true},
			{"of unknown scripts, intended", false, 1, func(o *Options) { o.IntendedErrors = true }, false},
			{"too many", true, 1.2, func(*Options) {}, true},
			{"too few", true, .8, func(*Options) {}, true},
			{"many that are intended", true, 3, func(o *Options) { o.IntendedErrors = true }, false},
		} {
			o := onMachine()
			test.set(&o)
			_, trials := imported(t, formatNamed(t, reader.Sysbench),
				sysbenchTPCC(n[0], n[1], n[2], n[3], n[4], n[5]*test.ignored, n[6], test.mix), o)
			got := trials[0]
			if (got.Generator.Errors > 0) != test.failed {
				t.Errorf("%v %s: %+v", row, test.name, got.Generator)
			}
			share := 100 * n[5] * test.ignored / (n[6] + n[5]*test.ignored)
			if v, ok := got.Value("rollbacks"); ok == test.failed || ok && math.Abs(v.Value-share) > 1e-2 {
				t.Errorf("%v %s: %+v of %g", row, test.name, v, share)
			}
		}
	}
	log := sysbenchTPCC(64, 7081, 9, 24, 214, 111201, 25495533, true)
	_, trials := imported(t, formatNamed(t, reader.Sysbench),
		strings.Replace(log, "reconnects:                          0 ",
			"reconnects:                          100000 ", 1), onMachine())
	if trials[0].Generator.Errors != 100000 {
		t.Errorf("other errors: %+v", trials[0].Generator)
	}
}

// TestIntendedErrorsOfRows: rows of each second, as those of Percona's runs, tell the mix of TPC-C too.
func TestIntendedErrorsOfRows(t *testing.T) {
	rows := func(reads float64) string {
		out := "time,threads,tps,qps,r,w,o,lat,err,reconn\n"
		for at := range 20 {
			out += fmt.Sprintf("%d,16,1972.12,55519.84,%.2f,26223.66,3991.17,19.65,8.52,0.00\n", at+1, reads)
		}
		return out
	}
	for name, c := range map[string]struct {
		reads  float64
		failed bool
	}{"of TPC-C": {25305.01, false}, "of another script": {5305.01, true}} {
		if got := Recognise([]byte(rows(c.reads))); len(got) != 1 || got[0].Name != reader.Sysbench {
			t.Errorf("%s: recognised as %v", name, got)
		}
		_, trials := imported(t, formatNamed(t, reader.Sysbench), rows(c.reads), onMachine())
		if (trials[0].Generator.Errors > 0) != c.failed {
			t.Errorf("%s: %+v", name, trials[0].Generator)
		}
		if v, ok := trials[0].Value("rollbacks"); ok == c.failed || ok && math.Abs(v.Value-.43) > 1e-2 {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// oldOha is of oha before 0.6, which prints what hey does and more.
const oldOha = "Summary:\n  Success rate:\t1.0000\n  Total:\t2.0055 secs\n  Slowest:\t0.0323 secs\n" +
	"  Fastest:\t0.0010 secs\n  Average:\t0.0100 secs\n  Requests/sec:\t4986.2880\n\n  Total data:\t120.00 KiB\n" +
	"  Size/request:\t12 B\n  Size/sec:\t59.84 KiB\n\nResponse time histogram:\n  0.001 [1] |\n  0.005 [9999] |■■■■\n\n" +
	"Latency distribution:\n  50% in 0.0093 secs\n  99% in 0.0231 secs\n\nStatus code distribution:\n" +
	"  [200] 10000 responses\n\nError distribution:\n  [50] aborted due to deadline\n"

const fioMixed = `{"fio version":"fio-3.28","global options":{"ioengine":"libaio","direct":"1",` +
	`"unified_rw_reporting":"1"},"jobs":[{"jobname":"j","groupid":0,"error":0,"job options":{"rw":"randrw","bs":"4k",` +
	`"iodepth":"8"},"mixed":{"io_bytes":409600000,"bw_bytes":40960000,"iops":10000.0,"runtime":10000,"total_ios":100000,` +
	`"lat_ns":{"mean":790000,"N":100000},"clat_ns":{"mean":780000,"N":100000,"percentile":{"50.000000":700000,` +
	`"99.000000":2000000}}},"job_runtime":10000,"usr_cpu":1,"sys_cpu":2,"iodepth_level":{"1":0.1,"4":0.1,"8":99.7}}]}`

// TestOldAndNewVersions: what an old version prints is read, or the version is named.
func TestOldAndNewVersions(t *testing.T) {
	tryAll(t, []report{
		{name: "sysbench 0.4", format: reader.Sysbench, files: []string{"sysbench-04-oltp.txt"}, at: "16 clients",
			values: map[string]float64{"throughput": 1250.31, "latency": 12.78e-3, "latency_p95": 25.4e-3,
				"latency_min": 4.12e-3,
				"latency_max": 210.55e-3, "failed": 100 * 25. / 10025}},
		{name: "sysbench 0.5", format: reader.Sysbench, files: []string{"sysbench-05-oltp.txt"}, at: "16 clients",
			values: map[string]float64{"throughput": 1250.31, "latency": 12.78e-3, "latency_p95": 25.4e-3},
			none:   []string{"failed"}},
		{name: "sysbench 2.0", format: reader.Sysbench, files: []string{"sysbench-capped.txt"},
			edit: [2]string{"1.0.20", "2.0.0"},
			err:  "sysbench 2.0 is not read"},
		{name: "sysbench's cap", format: reader.Sysbench, files: []string{"sysbench-capped.txt"},
			none:   []string{"latency_p95"},
			values: map[string]float64{"latency": 172.09011}, doubt: "95th percentile of latency is 100 s at least"},
		{name: "sysbench's end", format: reader.Sysbench, files: []string{"sysbench-capped.txt"},
			edit: [2]string{"SQL statistics:", "FATAL: mysql_drv_query() returned error 2013\nSQL statistics:"},
			void: "sysbench ended early"},
		{name: "a mean above its percentiles", format: reader.Sysbench, files: []string{"sysbench-capped.txt"},
			edit:  [2]string{"95th percentile:                   100000.00", "95th percentile:                   90000.00"},
			doubt: "latency of 172.1 s exceeds 99.01 s, the most that its percentiles and latency_max allow"},
		{name: "a mean below its percentiles", format: csvName,
			text: "workload,replicate,load,metric,value,unit\nw,1,8,latency,1,ms\n" +
				"w,1,8,latency_p50,10,ms\n", doubt: "latency of 0.001 s is below 0.005 s"},
		{name: "hey of Homebrew", format: reader.Hey, load: "50", text: "\nSummary:\n  Total:\t2.0031 secs\n" +
			"  Average:\t0.0099 secs\n  Requests/sec:\t4992.2620\n\nLatency distribution:\n  50%% in 0.0093 secs\n" +
			"  99%% in 0.0231 secs\n\nStatus code distribution:\n  [200]\t10000 responses\n",
			values: map[string]float64{"throughput": 4992.262, "latency_p50": 9.3e-3, "latency_p99": 23.1e-3}},
		{name: "oha 0.5", format: reader.Oha, load: "50", text: oldOha, values: map[string]float64{
			"throughput": 4986.288, "latency_p99": 23.1e-3, "received": 59.84 * (1 << 10)}},
		{name: "memtier 1.2", format: reader.Memtier, at: "200 clients", text: "4         Threads\n" +
			"50        Connections per thread\n10000     Requests per client\n\n\nALL STATS\n=========\n" +
			"Type        Ops/sec     Hits/sec   Misses/sec      Latency       KB/sec \n---------\n" +
			"Sets       13364.29          ---          ---      1.36100      1029.02 \n" +
			"Gets      133618.94     10000.00    123618.94      1.35900      5205.09 \n" +
			"Waits          0.00          ---          ---      0.00000          --- \n" +
			"Totals    146983.23     10000.00    123618.94      1.36000      6234.11 \n",
			values: map[string]float64{"throughput": 146983.23, "latency": 1.36e-3}},
		{name: "memtier 1.2 as JSON", format: reader.Memtier, at: "200 clients",
			text: `{"configuration":{"server":"localhost","protocol":"redis","threads":4,"clients":50,"ratio":"1:10"},` +
				`"run information":{"Threads":4,"Connections per thread":50,"Requests per thread":10000},"ALL STATS":{` +
				`"Gets":{"Count":1980000,"Ops/sec":146983.23,"Latency":1.36,"KB/sec":6234.11},` +
				`"Totals":{"Count":1980000,"Ops/sec":146983.23,"Latency":1.36,"KB/sec":6234.11},` +
				`"GET":[{"<=msec":0.5,"percent":10.0},{"<=msec":1.4,"percent":60.0}]}}`,
			values: map[string]float64{"throughput": 146983.23, "latency": 1.36e-3}},
		{name: "fio's directions together", format: reader.Fio, text: fioMixed, at: "8 clients",
			values: map[string]float64{"throughput": 40.96e6, "iops": 10000, "latency_p50": 700e-6, "latency_p99": 2e-3}},
		{name: "fio's directions apart and together", format: reader.Fio, text: fioMixed, at: "8 clients",
			edit: [2]string{`"mixed":{`, `"read":{"io_bytes":409600000,"bw_bytes":40960000,"iops":10000,"runtime":10000,` +
				`"total_ios":100000},"mixed":{`}, values: map[string]float64{"throughput": 40.96e6, "iops": 10000}},
		{name: "fio's text of directions together", format: reader.Fio, at: "8 clients",
			text:   replaced(string(captured(t, "fio-text.txt")), "  read: IOPS", "  mixed: IOPS", "   READ: bw", "  MIXED: bw"),
			values: map[string]float64{"throughput": (79.2 + 79.7) * (1 << 20)}},
		{name: "fio 2", format: reader.Fio, files: []string{"fio2.json"}, at: "32 clients",
			values: map[string]float64{"throughput": 204.8e6, "iops": 50000, "latency_p50": 620e-6, "latency_p99": 940e-6}},
		{name: "fio --client", format: reader.Fio, files: []string{"fio-client.json"}, at: "16 clients",
			values: map[string]float64{"throughput": 81.92e6, "iops": 20000, "latency_p50": 78e-6}},
		{name: "fio that trims", format: reader.Fio,
			text: `{"fio version":"fio-3.33","jobs":[{"jobname":"a","trim":{"total_ios":9}}]}`,
			err:  "did nothing but trim"},
		{name: "fio of unknown words", format: reader.Fio,
			text: `{"fio version":"fio-9","jobs":[{"jobname":"a","read":{"total_ios":9}}]}`,
			err:  `9 reads and writes of "fio-9" without their bandwidth`},
	})
	if got := Recognise([]byte(oldOha)); len(got) != 1 || got[0].Name != reader.Oha {
		t.Errorf("oha 0.5 is recognised as %v", got)
	}
	b, trials := imported(t, formatNamed(t, reader.Sysbench), string(captured(t, "reported/sysbench-05-oltp.txt")),
		onMachine())
	if series := b.Series(trials[0]); len(series) == 0 || trials[0].DurationS != 3 {
		t.Errorf("%d series, %g s", len(series), trials[0].DurationS)
	}
}

// TestReasonsAreThoseOfTheFile: a refusal says what the file has, and what can be read beside it is.
func TestReasonsAreThoseOfTheFile(t *testing.T) {
	tryAll(t, []report{
		{name: "JMH's decimal comma", format: reader.JMH, files: []string{"jmh-comma.txt"},
			err: `"1234,567" has a decimal comma`},
		{name: "JMH's decimal comma in CSV", format: reader.JMH, files: []string{"jmh-comma.csv"}, err: "-Duser.language=en"},
		{name: "JMH's decimal comma without quotes", format: reader.JMH, files: []string{"jmh-comma-unquoted.csv"},
			err: "decimal commas\nhint: run java with -Duser.language=en"},
		{name: "JMH's group", format: reader.JMH, files: []string{"jmh-group.txt"}, at: "4 cpus",
			values: map[string]float64{"throughput": 100e6, "get_throughput": 20e6, "put_throughput": 80e6}},
		{name: "JMH's group as JSON", format: reader.JMH, files: []string{"jmh-group.json"}, at: "4 cpus",
			values: map[string]float64{"throughput": 100e6, "get_throughput": 20e6, "put_throughput": 80e6},
			none:   []string{"gc.alloc.rate.norm_throughput"}},
		{name: "JMH's mode", format: reader.JMH, files: []string{"jmh-group.json"}, edit: [2]string{`"thrpt"`, `"p50"`},
			err: `mode of "q.Queue.g" is "p50"`},
		{name: "JMH's unit", format: reader.JMH, files: []string{"jmh-group.txt"}, edit: [2]string{"ops/us", "ops/lustrum"},
			err: `"ops/lustrum"`},
		{name: "JMH's hours", format: reader.JMH, files: []string{"jmh-group.txt"}, edit: [2]string{"ops/us", "ops/hr"},
			values: map[string]float64{"throughput": 100. / 3600}},
		{name: "hyperfine's zeros", format: reader.Hyperfine, files: []string{"hyperfine-zero.json"}, runs: 3,
			values: map[string]float64{"time": .1011}, unread: `"true" is left out: its run 1 took 0 s`},
		{name: "nothing but zeros", format: reader.Hyperfine, text: `{"results":[{"command":"true","times":[0,1]}]}`,
			err: `a run of "true" has a time that is not a positive number of seconds: hyperfine subtracts`},
		{name: "Go's negative values", format: Go, files: []string{"go-negative.txt"}, runs: 3,
			values: map[string]float64{"dB": -3.25, "acc": .91, "time": 10e-3}},
		{name: "Go's infinite values", format: Go, files: []string{"go-inf.txt"}, runs: 3, none: []string{"throughput"},
			unread: `+Inf "MB/s" of "C-8" is left out`},
		{name: "Go's negative times", format: Go, text: "BenchmarkX-8 1 -3 ns/op\n", err: `"X-8" is -3 "ns/op"`},
	})
}

// TestOtherToolsAreNamed: an output that is not read says of which tool it is, and none of ours is taken for another's.
func TestOtherToolsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"Bombarding http://x/ for 10s using 125 connection(s)\n":                               "bombardier",
		"Lifting the server siege...\n":                                                        "siege",
		"start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec\n": "kafka-consumer-perf-test",
		"Client connecting to 10.0.0.2, TCP port 5001\nTCP window size: 85.0 KByte (default)\n" +
			"[  3] local 10.0.0.1 port 51236 connected with 10.0.0.2 port 5001\n" +
			"[ ID] Interval       Transfer     Bandwidth\n[  3]  0.0-10.0 sec  1.10 GBytes   941 Mbits/sec\n": "iperf 2",
		"nothing that is known\n": "",
	} {
		if want != "" {
			want = "the output of " + want
		}
		if could := Recognise([]byte(text)); len(could) > 0 {
			t.Errorf("%q is recognised as %s", text, could[0].Name)
		}
		if got, hint := OtherTool([]byte(text)); got != want || (hint == "") != (want == "") {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	text := "Running 3s test @ http://127.0.0.1/\n4 connections\n\n\n┌───┐\n│ Stat    │ 2.5% │\n"
	if got, hint := OtherTool([]byte(text)); got != "the text of autocannon" || !strings.Contains(hint, "--json") ||
		len(Recognise([]byte(text))) > 0 {
		t.Errorf("autocannon's text is %q (%s), and is recognised as %v", got, hint, Recognise([]byte(text)))
	}
	for _, c := range captures() {
		if got, _ := OtherTool(captured(t, c.file)); got != "" {
			t.Errorf("%s is of %s", c.file, got)
		}
	}
}

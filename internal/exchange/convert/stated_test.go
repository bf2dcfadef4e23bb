package convert

import (
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// TestStatedZerosAreFigures: of 0 and 500 retransmits the mean is 250, and a comparison has both sides.
func TestStatedZerosAreFigures(t *testing.T) {
	iperf := `{"start":{"version":"iperf 3.12","system_info":"L","test_start":{"protocol":"%P","num_streams":1}},"intervals":[],
"end":{"sum_sent":{"seconds":2,"bytes":2000000,"bits_per_second":8000000%S},"sum_received":{"seconds":2,"bytes":%R}%E}}`
	tcp := func(sent, received string) string {
		return replaced(iperf, "%P", "TCP", "%S", sent, "%R", received, "%E", "")
	}
	gbench := `{"context":{"library_build_type":"release"},"benchmarks":[{"name":"A","run_name":"A","run_type":"iteration",` +
		`"iterations":9,"real_time":100,"cpu_time":100,"time_unit":"ns","allocs_per_iter":0.0,"gain":-3.5}]}`
	tryAll(t, []report{
		{name: "retransmits", format: reader.Iperf3, text: tcp(`,"retransmits":0`, `2000000,"bits_per_second":8000000`),
			values: map[string]float64{"retransmits": 0, "throughput": 1e6}},
		{name: "no retransmits", format: reader.Iperf3, text: tcp("", `2000000,"bits_per_second":8000000`),
			none: []string{"retransmits"}},
		{name: "lost", format: reader.Iperf3, text: replaced(iperf, "%P", "UDP", "%S", "", "%R",
			`2000000,"bits_per_second":8000000`, "%E", `,"sum":{"seconds":2,"jitter_ms":0.1,"lost_packets":0,"packets":9}`),
			values: map[string]float64{"lost": 0}},
		{name: "nothing arrived", format: reader.Iperf3, text: tcp("", `0,"bits_per_second":0`),
			err: "its receiver got no bytes"},
		{name: "refused", format: reader.Iperf3, err: "unable to connect",
			text: `{"start":{"system_info":"L"},"intervals":[],"end":{},"error":"unable to connect to server"}`},
		{name: "UDP of 3.1", format: reader.Iperf3, text: `{"start":{"test_start":{"protocol":"UDP","num_streams":1}},` +
			`"intervals":[],"end":{"sum":{"seconds":2,"bytes":2000000,"bits_per_second":8000000,"jitter_ms":0.1,` +
			`"lost_packets":10,"packets":100}}}`, values: map[string]float64{"throughput": 0.9e6, "lost": 10}},
		{name: "counters", format: reader.GoogleBenchmark, text: gbench,
			values: map[string]float64{"allocs_per_iter": 0, "gain": -3.5}},
		{name: "pgbench", format: reader.Pgbench,
			text: "progress: 1.0 s, 1000.0 tps, lat 1 ms\nprogress: 2.0 s, 0.0 tps, lat 1 ms\n" +
				"transaction type: x\nnumber of clients: 2\nnumber of transactions actually processed: 1000\n" +
				"number of failed transactions: 0 (0.000%)\nnumber of transactions skipped: 0 (0.000%)\ntps = 500\n",
			values: map[string]float64{"skipped": 0, "throughput_least": 0}},
	})
}

// TestGoogleBenchmarkLosesNothing: small and large prefixes, names that end like sums, and what was skipped.
func TestGoogleBenchmarkLosesNothing(t *testing.T) {
	head := "Benchmark   Time   CPU   Iterations UserCounters...\n"
	entry := func(name, rest string) string {
		return `{"name":"` + name + `","run_name":"` + name + `","run_type":"iteration","iterations":9` + rest + `}`
	}
	list := func(entries string) string { return `{"context":{},"benchmarks":[` + entries + `]}` }
	timed := `,"real_time":100,"cpu_time":100,"time_unit":"ns"`
	tryAll(t, []report{
		{name: "milli", format: reader.GoogleBenchmark,
			text:   head + "A 195000 ms 194000 ms 1 items_per_second=5.12m/s miss=25.6u\n",
			values: map[string]float64{"throughput": 5.12e-3, "miss": 25.6e-6}},
		{name: "peta", format: reader.GoogleBenchmark, text: head + "A 100 ns 100 ns 9 n=1.5P bytes_per_second=2Ti/s\n",
			values: map[string]float64{"n": 1.5e15, "moved": 2 << 40}},
		{name: "of 1.4", format: reader.GoogleBenchmark, text: head + "A 100 ns 100 ns 9   1.5GB/s   300M items/s\n",
			values: map[string]float64{"moved": 1.5 * (1 << 30), "throughput": 300e6}},
		{name: "names", format: reader.GoogleBenchmark, runs: 3, text: head +
			"f_mean 200 ns 200 ns 3000\nf_median 300 ns 300 ns 2000\nf_stddev 400 ns 400 ns 1000\n",
			params: map[string]string{"benchmark": "f_mean"}},
		{name: "sums", format: reader.GoogleBenchmark, text: head +
			"f_mean 200 ns 200 ns 5\nf_median 199 ns 199 ns 5\nf_stddev 4 ns 4 ns 5\nf_cv 2.00 % 2.00 % 5\n",
			params: map[string]string{"benchmark": "f"}, values: map[string]float64{"time": 200e-9}},
		{name: "sums of 1.3", format: reader.GoogleBenchmark, text: list(
			`{"name":"A","iterations":9` + timed + `},{"name":"A_mean","iterations":9` + timed + `},{"name":"A_stddev","iterations":9` + timed + `}`),
			params: map[string]string{"benchmark": "A"}},
		{name: "fit of 1.3", format: reader.GoogleBenchmark, text: list(entry("A", timed) +
			`,{"name":"A_BigO","cpu_coefficient":1,"real_coefficient":1,"big_o":"N","time_unit":"ns"}`)},
		{name: "fit as CSV", format: reader.GoogleBenchmark,
			text: "name,iterations,real_time,cpu_time,time_unit,bytes_per_second," +
				"items_per_second,label,error_occurred,error_message\n" +
				"\"A\",9,100,100,ns,,,,,\n\"A_BigO\",,1,1,N,,,,,\n\"A_RMS\",,0.1,0.1,,,,,,\n"},
		{name: "skipped", format: reader.GoogleBenchmark, text: list(entry("A", timed) + "," +
			entry("B", `,"skipped":true,"skip_message":"no gpu","real_time":0,"cpu_time":0,"time_unit":"ns"`)),
			unread: `"B" was skipped and is left out: "no gpu"`},
		{name: "skipped in the table", format: reader.GoogleBenchmark,
			text:   head + "A 100 ns 100 ns 9\nB SKIPPED: 'no gpu'\n",
			unread: `"B" was skipped and is left out: "no gpu"`},
		{name: "too many", format: reader.GoogleBenchmark,
			text:   head + "A 100 ns 100 ns 9 a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1\n",
			unread: `left out counters of "A", such as "m" (1 in all)`},
	})
}

// TestRunsAreOfOneTime: jobs that end early, and runs that follow each other in a file.
func TestRunsAreOfOneTime(t *testing.T) {
	job := func(name, ms, bytes, iops, total string) string {
		return `{"jobname":"` + name + `","groupid":0,"job options":{"rw":"read","bs":"1m","ioengine":"psync"},"job_runtime":` + ms +
			`,"read":{"io_bytes":1048576000,"bw_bytes":` + bytes + `,"iops":` + iops + `,"runtime":` + ms + `,"total_ios":` + total + `}}`
	}
	head := "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,allThreads\n"
	sample := func(at string) string { return at + ",100,a,200,OK,t,true,10,1\n" }
	run := sample("1000") + sample("1100") + sample("1200") + sample("1300")
	tryAll(t, []report{
		{name: "fio", format: reader.Fio,
			text: `{"fio version":"fio-3.33","jobs":[` + job("a", "10000", "104857600", "100", "1000") +
				"," + job("b", "40000", "26214400", "25", "1000") + "]}",
			values: map[string]float64{"throughput": 52428800, "iops": 50},
			doubt:  "fio's jobs ran for 10 to 40 s"},
		{name: "fio that was cut", format: reader.Fio, text: firstHalf(string(captured(t, "fio-text.txt"))),
			void: "a part of the output is missing"},
		{name: "rdkafka that was cut", format: reader.Rdkafka, text: firstHalf(string(captured(t, "rdkafka-produced.txt"))),
			void: "of 200000 offered operations completed"},
		{name: "JMeter", format: reader.JMeter, text: head + run, values: map[string]float64{"throughput": 10}},
		{name: "JMeter appended", format: reader.JMeter,
			text: head + run + sample("3601000") + sample("3601100") + sample("3601200"),
			void: "no sample was in flight for"},
	})
}

// TestTablesAndErrorsOfTools: what words and columns of tools say.
func TestTablesAndErrorsOfTools(t *testing.T) {
	jmh := "# Threads: 1 thread\nBenchmark  (mode)  (text)   Mode  Cnt    Score   Error  Units\n"
	memtier := "8         Threads\n10        Connections per thread\n%EALL STATS\n=====\n" +
		"Type         Ops/sec     Hits/sec   Misses/sec    Avg. Latency     p50 Latency     KB/sec\n---\n" +
		"Sets        1000.00          ---          ---         0.50000         0.49500      1283.00\n" +
		"Totals      1000.00         0.00         0.00         0.50000         0.49500      1283.00\n"
	criterion := "a  time:   [1.0000 s 1.1000 s 1.2000 s]\n   thrpt:  [800.00  elem/s 900.00  elem/s 1.0000 Kelem/s]\n"
	tryAll(t, []report{
		{name: "a blank in a parameter", format: reader.JMH, runs: 2, text: jmh +
			"B.parse      fast     a b  thrpt    5  100.000 ± 1.000  ops/s\n" +
			"B.parse        ss     a c  thrpt    5  200.000 ± 1.000  ops/s\n",
			params: map[string]string{"mode": "thrpt", "text": "a b"}, values: map[string]float64{"throughput": 100}},
		{name: "a blank among single blanks", format: reader.JMH, runs: 1, text: jmh +
			"B.parse fast a b thrpt 5 100.000 ± 1.000 ops/s\nB.parse fast x thrpt 5 200.000 ± 1.000 ops/s\n",
			values: map[string]float64{"throughput": 200},
			unread: "a line that looks like a result of jmh was not read: line 3"},
		{name: "no score", format: reader.JMH,
			text: `[{"jmhVersion":"1","benchmark":"B.a","mode":"thrpt","threads":1,"forks":1,` +
				`"primaryMetric":{"score":"NaN","scorePercentiles":{"0.0":"NaN"},"scoreUnit":"ops/s","rawData":[]}},` +
				`{"jmhVersion":"1","benchmark":"B.b","mode":"thrpt","threads":1,"forks":1,"measurementIterations":1,` +
				`"primaryMetric":{"score":9,"scoreError":"NaN","scorePercentiles":{"0.0":9},"scoreUnit":"ops/s","rawData":[[9]]}}]`,
			values: map[string]float64{"throughput": 9}, unread: `"B.a" has a fork without a score (NaN)`},
		{name: "memtier", format: reader.Memtier, text: replaced(memtier, "%E", ""),
			values: map[string]float64{"throughput": 1000}},
		{name: "memtier refused", format: reader.Memtier, text: replaced(memtier, "%E",
			"server 127.0.0.1:6379 handle error response: -OOM command not allowed\n"),
			void: `the server answered with errors: "-OOM command not allowed"`},
		{name: "criterion", format: reader.Criterion, text: criterion, values: map[string]float64{"throughput": 900}},
		{name: "hyperfine", format: reader.Hyperfine, text: `{"results":[{"command":"a","mean":0.1,"times":null},` +
			`{"command":"b","mean":0.2,"times":[0.2]}]}`,
			values: map[string]float64{"time": 0.2}, unread: `"a" is left out: it has no times`},
		{name: "hyperfine without times", format: reader.Hyperfine,
			text: `{"results":[{"command":"a","mean":0.1,"times":null}]}`,
			err:  "no command of hyperfine has times"},
		{name: "vegeta", format: reader.Vegeta, load: "rate=100", text: `{"latencies":{"mean":1000000},"bytes_in":{},` +
			`"duration":10000000000,"wait":0,"requests":1000,"rate":100,"success":0.5,"status_codes":{"200":1000}}`,
			err: "the mean of success is stated as 0.5"},
		{name: "sysbench's events", format: reader.Sysbench, files: []string{"../sysbench-memory.txt"},
			edit: [2]string{"12399836.30 per second", "2399836.30 per second"}, err: "events: 2.39984e+06/s are stated"},
		{name: "sysbench's bytes", format: reader.Sysbench, files: []string{"../sysbench-memory.txt"},
			edit: [2]string{"(12109.22 MiB/sec)", "(2109.22 MiB/sec)"}, err: "bytes: "},
		{name: "decimal commas", format: reader.Pgbench,
			err: "completed no transactions: a line that looks like a result of " +
				"pgbench was not read: line 3, \"tps = 500,5\"\nhint: keep the output as the tool prints it, with LC_ALL=C",
			text: "transaction type: x\nnumber of clients: 2\ntps = 500,5\n"},
		{name: "numbers of names", format: Go, runs: 2,
			text: "BenchmarkSort/n-10  9  12 ns/op\nBenchmarkSort/n-100  9  120 ns/op\n",
			at:   "10 cpus", unread: "read as GOMAXPROCS"},
		{name: "numbers of names that two share", format: Go, runs: 4, at: "10 cpus", unread: "read as GOMAXPROCS",
			text: "BenchmarkSort/n-10  9  12 ns/op\nBenchmarkSort/n-100  9  120 ns/op\n" +
				"BenchmarkHeap/n-10  9  12 ns/op\nBenchmarkHeap/n-100  9  120 ns/op\n"},
		{name: "numbers of names that two share in part", format: Go, runs: 4, at: "1 cpus",
			params: record.Params{"sub1": "size-64"}, unread: "read as parts of the names, since not every benchmark",
			text: "BenchmarkEncode/size-64  9  12 ns/op\nBenchmarkEncode/size-128  9  12 ns/op\n" +
				"BenchmarkDecode/size-64  9  12 ns/op\nBenchmarkHash/sha-256  9  120 ns/op\n"},
		{name: "numbers of names over any machine's CPUs", format: Go, runs: 4, at: "1 cpus",
			params: record.Params{"sub1": "size-1024"},
			text: "BenchmarkEncode/size-1024  9  12 ns/op\nBenchmarkEncode/size-4096  9  12 ns/op\n" +
				"BenchmarkDecode/size-1024  9  12 ns/op\nBenchmarkDecode/size-4096  9  120 ns/op\n"},
		{name: "the number of one name", format: Go, at: "256 cpus", unread: "read as GOMAXPROCS",
			text: "BenchmarkHash/sha-256  9  12 ns/op\n"},
		{name: "numbers of names beside a function's", format: Go, runs: 3, at: "1 cpus",
			params: record.Params{"sub1": "sha-256"},
			text:   "BenchmarkHash/sha-256  9  12 ns/op\nBenchmarkHash/sha-512  9  12 ns/op\nBenchmarkEmpty  9  12 ns/op\n"},
		{name: "functions' numbers", format: Go, runs: 4, at: "8 cpus", params: record.Params{"sub1": "sha-256"},
			text: "BenchmarkHash/sha-256-8  9  12 ns/op\nBenchmarkEmpty-8  9  12 ns/op\nBenchmarkEmpty-16  9  12 ns/op\n" +
				"BenchmarkFull-8  9  12 ns/op\n"},
		{name: "numbers of names at one CPU", format: Go, runs: 2, load: "cpus=1", at: "1 cpus",
			text: "BenchmarkSort/n-10  9  12 ns/op\nBenchmarkSort/n-100  9  120 ns/op\n"},
	})
}

// replaced returns a text with each first of two words replaced by the second.
func replaced(text string, words ...string) string {
	return strings.NewReplacer(words...).Replace(text)
}

// firstHalf returns the first half of a text's lines.
func firstHalf(text string) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:len(lines)/2], "")
}

// TestCommandThatDidNothingFails: a rate of 0 or below fails, and other values may be 0 or negative.
func TestCommandThatDidNothingFails(t *testing.T) {
	for unit, fails := range map[string]bool{"op/s": true, "MB/s": true, "ms": false} {
		for number, why := range map[string]string{"0": "did nothing", "-3": "can't be negative"} {
			_, _, err := Parse([]byte("x: "+number+"\n"), Ask{Regexp, `x: (\S+)`,
				record.Metric{Name: "value", Unit: unit, Better: record.Higher}})
			if got := err != nil && strings.Contains(err.Error(), why); got != fails {
				t.Errorf("%s %s: %v", number, unit, err)
			}
		}
	}
}

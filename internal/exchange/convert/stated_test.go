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
			`"lost_packets":10,"packets":100}}}`, values: map[string]float64{"throughput": 0.9e6, "lost": 10},
			void: "90 of 100 offered operations", doubt: "the rate that was asked for (-b) is missing"},
		{name: "counters", format: reader.GoogleBenchmark, text: gbench,
			values: map[string]float64{"allocs_per_iter": 0, "gain": -3.5}},
		{name: "pgbench", format: reader.Pgbench,
			text: "progress: 1.0 s, 1000.0 tps, lat 1 ms\nprogress: 2.0 s, 0.0 tps, lat 1 ms\n" +
				"transaction type: x\nnumber of clients: 2\nnumber of transactions actually processed: 1000\n" +
				"number of failed transactions: 0 (0.000%)\nnumber of transactions skipped: 0 (0.000%)\ntps = 500\n",
			values: map[string]float64{"skipped": 0, "throughput_least": 0}},
	})
}

// TestEveryRunOfIperfOnce: what a client repeats of its server is the same run.
func TestEveryRunOfIperfOnce(t *testing.T) {
	const head = "Connecting to host 10.0.0.2, port 5201\n[  5] local 10.0.0.1 port 5 connected to 10.0.0.2 port 5201\n" +
		"[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n" +
		"[  5]   0.00-2.00   sec   224 MBytes   942 Mbits/sec    0    402 KBytes       \n" +
		"- - - - - - - - - - - - - - - - - - - - - - - - -\n[ ID] Interval           Transfer     Bitrate         Retr\n" +
		"[  5]   0.00-2.00   sec   224 MBytes   942 Mbits/sec    0             sender\n" +
		"[  5]   0.00-2.04   sec   224 MBytes   921 Mbits/sec                  receiver\n\n"
	const server = "Server output:\n-----------------------------------------------------------\n" +
		"Server listening on 5201 (test #1)\n-----------------------------------------------------------\n" +
		"Accepted connection from 10.0.0.1, port 51224\n[  5] local 10.0.0.2 port 5201 connected to 10.0.0.1 port 5\n" +
		"[ ID] Interval           Transfer     Bitrate\n" +
		"[  5]   0.00-2.00   sec   220 MBytes   921 Mbits/sec                  \n" +
		"- - - - - - - - - - - - - - - - - - - - - - - - -\n[ ID] Interval           Transfer     Bitrate\n" +
		"[  5]   0.00-2.04   sec   224 MBytes   921 Mbits/sec                  receiver\n\n\n"
	const done = "iperf Done.\n"
	const udp31 = "Connecting to host 10.0.0.2, port 5201\n" +
		"[  4] local 10.0.0.1 port 5 connected to 10.0.0.2 port 5201\n" +
		"[ ID] Interval           Transfer     Bandwidth       Total Datagrams\n" +
		"[  4]   0.00-1.00   sec   116 KBytes   949 Kbits/sec  82  \n" +
		"[  4]   1.00-2.00   sec   129 KBytes  1.06 Mbits/sec  91  \n- - - - - - - - - - - - - - - - - - - - - - - - -\n" +
		"[ ID] Interval           Transfer     Bandwidth       Jitter    Lost/Total Datagrams\n" +
		"[  4]   0.00-2.00   sec   245 KBytes  1.00 Mbits/sec  0.037 ms  %L  \n[  4] Sent 173 datagrams\n\niperf Done.\n"
	arrived := map[string]float64{"throughput": 921e6 / 8, "retransmits": 0}
	tryAll(t, []report{
		{name: "alone", format: reader.Iperf3, text: head + done, at: "1 clients", values: arrived},
		{name: "with its server", format: reader.Iperf3, text: head + server + done, at: "1 clients", values: arrived},
		{name: "two", format: reader.Iperf3, text: head + server + done + head + server + done, runs: 2},
		{name: "two, the first without an end", format: reader.Iperf3, text: head + server + head + server + done, runs: 2},
		{name: "UDP of 3.1", format: reader.Iperf3, at: "1 clients", text: replaced(udp31, "%L", "1/173 (0.58%)"),
			values: map[string]float64{"jitter": 37e-6, "throughput": 1e6 / 8 * 172 / 173, "lost": 100 * 1. / 173}},
		{name: "UDP of 3.1 from the server", format: reader.Iperf3, at: "1 clients",
			values: map[string]float64{"jitter": 37e-6}, text: replaced(udp31, "%L", "0/173 (0%)", "Total Datagrams\n",
				"Jitter    Lost/Total Datagrams\n",
				"Kbits/sec  82", "Kbits/sec  0.050 ms  0/82 (0%)", "Mbits/sec  91", "Mbits/sec  0.040 ms  0/91 (0%)")},
		{name: "what a server printed itself", format: reader.Iperf3, load: "1", text: server[len("Server output:\n"):],
			values: map[string]float64{"throughput": 921e6 / 8}},
	})
}

// TestOfferedRateOfIperf: what was asked for of iperf3 is held against what arrived.
func TestOfferedRateOfIperf(t *testing.T) {
	const udp = `{"start":{"version":"iperf 3.16","system_info":"Linux a","test_start":{"protocol":"UDP","num_streams":%N,` +
		`"blksize":1448,"omit":0,"duration":10,"bytes":0,"blocks":0,"reverse":0,"tos":0,"target_bitrate":%T}},"intervals":[],` +
		`"end":{"streams":[],"sum":{"seconds":10,"bytes":5000000000,"bits_per_second":4000000000,"jitter_ms":0.005,` +
		`"lost_packets":%L,"packets":3453038,"sender":true},` +
		`"sum_sent":{"seconds":10,"bytes":5000000000,"bits_per_second":4000000000,"packets":3453038,"sender":true},` +
		`"sum_received":{"seconds":10,"bytes":%R,"bits_per_second":%B,"sender":false}}}`
	of := func(streams, target, lost, received string) string {
		bits := map[string]string{"5000000000": "4000000000", "4500000000": "3600000000"}[received]
		return replaced(udp, "%N", streams, "%T", target, "%L", lost, "%R", received, "%B", bits)
	}
	const tcp = `{"start":{"version":"iperf 3.16","system_info":"L","test_start":{"protocol":"TCP","num_streams":2,` +
		`"target_bitrate":%T}},"intervals":[],"end":{"sum_sent":{"seconds":2,"bytes":2000000,"bits_per_second":8000000},` +
		`"sum_received":{"seconds":2,"bytes":2000000,"bits_per_second":8000000}}}`
	target := func(rate string) record.Params { return record.Params{"target_bitrate": rate} }
	tryAll(t, []report{
		{name: "reached", format: reader.Iperf3, text: of("1", "4000000000", "0", "5000000000"),
			params: target("4000000000"), values: map[string]float64{"jitter": 5e-6, "throughput": 5e8}},
		{name: "not sent", format: reader.Iperf3, text: of("1", "10000000000", "0", "5000000000"),
			params: target("10000000000"), void: "3453038 of 8632595 offered operations"},
		{name: "of streams", format: reader.Iperf3, text: of("4", "1000000000", "0", "5000000000"),
			params: target("1000000000")},
		{name: "not sent of streams", format: reader.Iperf3, text: of("4", "2000000000", "0", "5000000000"),
			void: "3453038 of 6906076 offered operations"},
		{name: "lost", format: reader.Iperf3, text: of("1", "4000000000", "345304", "4500000000"),
			void: "3107734 of 3453038 offered operations"},
		{name: "without a limit", format: reader.Iperf3, text: of("1", "0", "345304", "4500000000"), params: target(""),
			values: map[string]float64{"throughput": 4.5e8, "lost": 10.00001}},
		{name: "TCP", format: reader.Iperf3, text: replaced(tcp, "%T", "4000000"), params: target("4000000")},
		{name: "TCP that is slower", format: reader.Iperf3, text: replaced(tcp, "%T", "5000000"),
			void: "1e+06 of 1.25e+06 offered B/s"},
		{name: "TCP without a limit", format: reader.Iperf3, text: replaced(tcp, "%T", "0"), params: target("")},
	})
}

// TestOfferedRequestsOfMemtier: its rate is that of a connection, and its requests those of a client.
func TestOfferedRequestsOfMemtier(t *testing.T) {
	const run = `{"configuration":{"server":"localhost","protocol":"redis","requests":%N,"rate_limit":%L,"clients":50,` +
		`"threads":4,"test_time":%T,"ratio":"1:1"},"run information":{"Threads":4,"Connections per thread":50},"ALL STATS":{` +
		`"Runtime":{"Total duration":60000,"Time unit":"MILLISECONDS"},"Sets":{"Count":1200000,"Ops/sec":20000},` +
		`"Totals":{"Count":1200000,"Ops/sec":20000,"Average Latency":0.402,"Connection Errors":0,` +
		`"Percentile Latencies":{"p99.00":0.804}}}}`
	of := func(requests, limit, seconds string) string {
		return replaced(run, "%N", requests, "%L", limit, "%T", seconds)
	}
	tryAll(t, []report{
		{name: "a rate", format: reader.Memtier, text: of("0", "100", "60"), at: "200 clients",
			params: record.Params{"rate_limit": "100"}},
		{name: "a rate that was missed", format: reader.Memtier, text: of("0", "150", "60"),
			void: "2e+04 of 3e+04 offered operations/s"},
		{name: "requests", format: reader.Memtier, text: of("6000", "0", "0")},
		{name: "requests that were not done", format: reader.Memtier, text: of("10000", "0", "0"),
			void: "1200000 of 2000000 offered operations"},
		{name: "requests at a rate that was missed", format: reader.Memtier, text: of("6000", "150", "0"),
			void: "2e+04 of 3e+04 offered operations/s"},
		{name: "a time before its requests", format: reader.Memtier, text: of("10000", "0", "60")},
	})
}

// TestTimesOfZeroAreLeftOut: a benchmark that is too short for the digits of its time does not hide the others.
func TestTimesOfZeroAreLeftOut(t *testing.T) {
	const gbench = "Benchmark               Time             CPU   Iterations\n"
	const noop = "BM_Noop             0.000 ns        0.000 ns   1000000000000\n"
	const jmh = "# Threads: 1 thread, will synchronize iterations\n" +
		"Benchmark       Mode  Cnt       Score      Error  Units\n"
	const nop = "Bench.nop       avgt    5      ≈ 10⁻⁶             ms/op\n"
	const criterion = "noop                    time:   [0.0000 ps 0.0000 ps 0.0000 ps]\n"
	tryAll(t, []report{
		{name: "Google Benchmark", format: reader.GoogleBenchmark,
			text:   gbench + noop + "BM_Copy              1234 ns         1230 ns       567890\n",
			values: map[string]float64{"time": 1234e-9}, unread: `"BM_Noop" is left out: its time is 0`},
		{name: "nothing else of Google Benchmark", format: reader.GoogleBenchmark, text: gbench + noop,
			err: `time of "BM_Noop" is 0 s`},
		{name: "Criterion", format: reader.Criterion,
			text:   criterion + "fib 20                  time:   [26.029 µs 26.251 µs 26.505 µs]\n",
			values: map[string]float64{"time": 26.251e-6}, unread: `"noop" is left out: its time is 0`},
		{name: "nothing else of Criterion", format: reader.Criterion, text: criterion, err: `time of "noop" is 0 ns`},
		{name: "JMH", format: reader.JMH, text: jmh + nop + "Bench.copy      avgt    5       1.234 ±    0.012  ms/op\n",
			values: map[string]float64{"time": 1.234e-3},
			unread: `JMH prints the score of "Bench.nop" as a power of ten, "≈ 10⁻⁶", and it is left out`},
		{name: "nothing else of JMH", format: reader.JMH, text: jmh + nop, err: "use a smaller unit with -tu ns"},
		{name: "JMH that is exact", format: reader.JMH, text: `[{"jmhVersion":"1","benchmark":"B.a","mode":"avgt","threads":1,` +
			`"forks":1,"primaryMetric":{"score":0.0,"scoreUnit":"ns/op","rawData":[]}},{"jmhVersion":"1","benchmark":"B.b",` +
			`"mode":"avgt","threads":1,"forks":1,"primaryMetric":{"score":9.0,"scoreUnit":"ns/op","rawData":[]}}]`,
			values: map[string]float64{"time": 9e-9}, unread: `"B.a" is left out: its score is 0 "ns/op"`},
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

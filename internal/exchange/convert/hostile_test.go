package convert

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/exchange/convert/reader"
)

// hostile is an output of the largest size that is read, with as many parts as short as they can be as are let in.
type hostile struct {
	format, begin string
	part          string // again and again; a %d in it is another number each time
	end           string
	most          int // parts; the rest is blank
}

// tried returns the bounds that a test tries: a hundredth of those of imports, and at night all of them.
func tried() reader.Bounds {
	b := reader.Limits()
	if simtest.Night() {
		return b
	}
	return reader.Bounds{Bytes: b.Bytes / 100, Runs: b.Runs / 100, Lines: b.Lines / 100, Line: b.Line / 100,
		Items: b.Items / 100, Times: b.Times / 100}
}

// within returns a format whose outputs are within bounds. A table and Go's benchmarks have none.
func within(t *testing.T, name string, b reader.Bounds) Format {
	t.Helper()
	for _, tool := range append(tools(), reader.HyperfineTool()) {
		if tool.Name == name {
			return formatWithin(tool, b)
		}
	}
	return formatNamed(t, name)
}

func hostiles(b reader.Bounds) []hostile {
	// What reader lets in, but for what begins and ends it.
	mostParts, mostTimes, endless := b.Items-64, b.Times-64, b.Bytes
	return []hostile{
		{reader.Fio, `{"fio version":"1","jobs":[`, `{},`, `{}]}`, endless},
		{reader.Fio, `{"fio version":"1","jobs":[`, `{},`, `{}]}`, mostParts / 2},
		{reader.Fio, `{"fio version":"1","jobs":[`, `1,`, `{}]}`, mostParts},
		{reader.Fio, `{"fio version":"1","jobs":[{"read":{"lat_ns":{"bins":{`, `"%d":1,`, `"1":1}}}}]}`, mostTimes},
		{reader.JMH, `[`, `{},`, `{}]`, endless},
		{reader.JMH, `[{"primaryMetric":{"rawData":[`, `[],`, `[]]}}]`, endless},
		{reader.JMH, `[{"primaryMetric":{"rawData":[`, `[],`, `[]]}}]`, mostParts / 2},
		{reader.JMH, `[{"mode":"sample","primaryMetric":{"scorePercentiles":{`, `"%d":1,`, `"1":1}}}]`, mostTimes},
		{reader.JMH, `"Benchmark"`, `,`, "\n", mostParts},
		{reader.JMH, "\"Benchmark\",\"Score\"\n", "a,1\n", "", mostParts},
		{reader.JMH, "Benchmark Mode Cnt Score\n", "a thrpt 1 ops/s\n", "", mostParts},
		{reader.JMH, "Benchmark Mode Cnt Score\n", "{ ", "", endless},
		{reader.K6, "", `{}`, "", endless},
		{reader.K6, `{"metrics":{`, `"%d":{},`, `"a":{}}}`, mostParts / 2},
		{reader.K6, `{"metrics":{"a":{"b":[`, `[],`, `[]]}}}`, mostParts / 2},
		{reader.K6, "{\"type\":\"Point\"}\n", "{\"metric\":\"%d\",\"type\":\"Point\"}\n", "", endless},
		{reader.K6, "", "  iterations: 1 1/s\n", "", mostParts},
		{reader.Autocannon, "", `{}`, "", endless},
		{reader.Autocannon, `{"latency":{`, `"p%d":1,`, `"a":1}}`, mostParts},
		{reader.Oha, "", `{}`, "", endless},
		{reader.Oha, "", "Summary:\n", "", mostParts},
		{reader.Oha, `{"errorDistribution":{`, `"%d":1,`, `"a":1}}`, mostParts},
		{reader.Vegeta, "", `{}`, "", endless},
		{reader.Vegeta, "", "Requests [a] 1\n", "", mostParts},
		{reader.Vegeta, "Requests [a] 1\n", "Status Codes [a] 1%d:1 2%d:1 3%d:1 4%d:1 5%d:1 6%d:1 7%d:1 8%d:1\n", "",
			mostParts / 8},
		{reader.YCSB, "", "[OVERALL], RunTime(ms), 1\n", "", mostParts},
		{reader.YCSB, "[OVERALL], RunTime(ms), 1\n", "[A%d], Operations, 1\n", "", mostParts},
		{reader.RedisBenchmark, "", "\"a\",1\n", "", mostParts},
		{reader.RedisBenchmark, "", `"",`, "\n", endless},
		{reader.Criterion, `{"iters":[`, `1,`, `1]}`, mostParts},
		{reader.Criterion, "", "time: [1 s 1 s 1 s]\n", "", mostParts},
		{reader.Wrk, "", "Running 1s test @ a\n", "", mostParts},
		{reader.Wrk, "Running 1s test @ a\n", "  1% 1s\n", "", mostParts},
		{reader.Sysbench, "", "CPU speed:\n", "", mostParts},
		{reader.Sysbench, "", "[ 1s ] 1 MiB/sec\n", "", mostParts},
		{reader.Pgbench, "", "transaction type: \n", "", mostParts},
		{reader.Pgbench, "", "progress: 1 s, 1 tps\n", "", mostParts},
		{reader.Rdkafka, "", "% Sending messages of size 1 bytes\n", "", mostParts},
		{reader.Rdkafka, "", "|", "\n", endless},
		{reader.ProducerPerf, "", "1 records sent, 1 records/sec (1 MB/sec), 1 ms avg latency, 1 ms max latency, 1 ms " +
			"50th, 1 ms 95th, 1 ms 99th, 1 ms 99.9th.\n", "", mostParts},
		{reader.Hyperfine, `{"results":[`, `{},`, `{}]}`, mostParts / 2},
		{reader.Hyperfine, `{"results":[{"times":[`, `1,`, `1]}]}`, mostParts},
		{reader.Iperf3, "", `{}`, "", endless},
		{reader.Iperf3, `{"intervals":[`, `{},`, `{}]}`, mostParts / 2},
		{reader.Iperf3, "[ ID] Interval Transfer Bitrate\n", "[ 5] 0-1 sec 1 Bytes 1 bits/sec 0 sender\n", "", mostParts},
		{reader.Ab, "", "Server Software: a\nRequests per second: 1\n", "", mostParts / 2},
		{reader.Ab, "Server Software: a\n", "  1% 1\n", "", mostParts},
		{reader.Hey, "", "Summary:\n", "", mostParts},
		{reader.Hey, "Summary:\n", "  1% in 1 secs\n", "", mostParts},
		{reader.H2load, "", "finished in 1s, 1 req/s, 1B/s\n", "", mostParts},
		{reader.Locust, `[`, `{},`, `{}]`, endless},
		{reader.Locust, `[{"response_times":{`, `"%d":1,`, `"1":1}}]`, mostParts},
		{reader.Locust, "Type,Name,Request Count,Failure Count\n", ",,,\n", "", mostParts},
		{reader.Locust, "Type", `,`, "\n", endless},
		{reader.JMeter, `{`, `"%d":{},`, `"Total":{}}`, mostParts / 2},
		{reader.JMeter, "timeStamp,elapsed,success\n", "1,1,true\n", "", endless},
		{reader.JMeter, "timeStamp,elapsed,label,success\n", "1,1,%d,true\n", "", mostParts},
		{reader.JMeter, "<testResults>", `<sample t="1" ts="1"/>`, "</testResults>", endless},
		{reader.JMeter, "<testResults>", `<a>`, "", mostParts},
		{reader.JMeter, "", "summary = 1 in 1 = 1/s Avg: 1 Min: 1 Max: 1 Err: 0 (0%)\n", "", mostParts},
		{reader.Memtier, "", `{}`, "", endless},
		{reader.Memtier, `{`, `"RUN #%d RESULTS":{},`, `"ALL STATS":{}}`, mostParts / 2},
		{reader.Memtier, "", "ALL STATS\n", "", mostParts},
		{reader.GoogleBenchmark, `{"benchmarks":[`, `{},`, `{}]}`, mostParts / 2},
		{reader.GoogleBenchmark, "name,iterations,real_time,error_message\n", "a,1,1,\n", "", mostParts},
		{reader.GoogleBenchmark, "", "a 1 ns 1 ns 1\n", "", mostParts},
		{reader.Phoronix, "<PhoronixTestSuite>", `<Result/>`, "</PhoronixTestSuite>", endless},
		{reader.Phoronix, "<PhoronixTestSuite><Result><Proportion>HIB</Proportion><Data>", `<Entry/>`,
			"</Data></Result></PhoronixTestSuite>", endless},
		{reader.Phoronix, `{"results":{`, `"%d":{},`, `"a":{}}}`, mostParts / 2},
		{reader.Phoronix, " ,,\"a\"\n", "\"a - b (c)\",HIB,1\n", "", mostParts},
		{Go, "", "BenchmarkA 1 1 s\n", "", mostParts / 2},
		{Go, "", "BenchmarkA%d 1 1 s\n", "", endless},
		{Go, "BenchmarkA ", "1 ", "\n", endless},
		{csvName, "machine,workload,replicate,load,metric,value,unit,", `param.%d,`, "\n", endless},
		{csvName, csvHead, `"`, "\n", endless},
	}
}

// text returns the output, of so many bytes.
func (h hostile) text(size int) []byte {
	room := size - len(h.end)
	out := append(make([]byte, 0, size), h.begin...)
	for n := 0; n < h.most; n++ {
		part := h.part
		if strings.Contains(part, "%") {
			part = strings.ReplaceAll(part, "%d", strconv.Itoa(n))
		}
		if len(out)+len(part) > room {
			break
		}
		out = append(out, part...)
	}
	out = append(out, h.end...)
	return append(out, bytes.Repeat([]byte{' '}, size-len(out))...)
}

// TestHostileOutputsFitMemory: whatever is written into an output of the largest size, importing it takes at most
// mostMemory, as SECURITY.md says.
func TestHostileOutputsFitMemory(t *testing.T) {
	simtest.Long(t)
	b := tried()
	mostMemory := int64(12*b.Bytes) + simtest.Heap
	seen := map[string]bool{}
	for _, h := range hostiles(b) {
		seen[h.format] = true
		text, o := h.text(b.Bytes), onMachine()
		began := time.Now()
		got := simtest.Least(t, mostMemory, func() {
			im := Import{mostPlan: int(int64(maxPlan) * int64(b.Bytes) / int64(reader.Limits().Bytes))}
			_, err := im.Read(within(t, h.format, b), bytes.NewReader(text), o)
			t.Logf("%.100v", err)
		})
		t.Logf("%s of %.60q: %d KiB, %v", h.format, h.part, got>>10, time.Since(began))
		if got > mostMemory {
			t.Errorf("%s%s: %d KiB", h.begin, h.part, got>>10)
		}
	}
	for _, f := range All() {
		if !seen[f.Name] {
			t.Errorf("nothing hostile was tried for %s", f.Name)
		}
	}
}

// TestMemoryOfManyRuns: a table and Go's benchmarks may have runs without end, and take at most ten times their size.
func TestMemoryOfManyRuns(t *testing.T) {
	simtest.Long(t)
	for name, c := range map[string]struct {
		head string
		run  func(n int) string
		o    Options
	}{
		csvName: {csvHead, func(n int) string { return fmt.Sprintf("a,w,%d,8,m,1,s,,\n", n) }, given()},
		Go:      {"", func(int) string { return "BenchmarkA 1 1 s\n" }, onMachine()},
	} {
		runs := 50_000
		if simtest.Night() {
			runs = 200_000
		}
		size := 0
		in := &rows{n: runs, rest: c.head, make: func(n int) string { text := c.run(n); size += len(text); return text }}
		got := simtest.Growth(t, func() {
			if _, err := new(Import).Read(formatNamed(t, name), in, c.o); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		t.Logf("%s: %d runs of %d KiB take %d KiB", name, runs, size>>10, got>>10)
		if got > int64(10*size)+simtest.Heap {
			t.Errorf("%s: %d KiB for %d KiB", name, got>>10, size>>10)
		}
	}
}

// TestBoundsOfOutputs: what is larger than any benchmark's output is refused, with its bound.
func TestBoundsOfOutputs(t *testing.T) {
	simtest.Long(t)
	const wrk = "Running 1s test @ a\n"
	b := tried()
	for want, c := range map[string]struct{ format, text string }{
		fmt.Sprintf("longer than %d MiB", b.Bytes>>20): {reader.Wrk, strings.Repeat(" ", b.Bytes+1)},
		fmt.Sprintf("more than %d lines", b.Lines):     {reader.Wrk, wrk + strings.Repeat("\n", b.Lines+1)},
		"too long for a benchmark's":                   {reader.Wrk, wrk + strings.Repeat("x", b.Line+1)},
		fmt.Sprintf("more than %d items", b.Items): {reader.Hyperfine, `{"results":[` + strings.Repeat("{},", b.Items/2) +
			`{}]}`},
		fmt.Sprintf("more than %d items", b.Times): {reader.Fio, `{"fio version":"1","jobs":[` +
			strings.Repeat("{},", b.Times/2) + `{}]}`},
		fmt.Sprintf("more than %d runs, too many ", b.Runs): {reader.Oha, strings.Repeat("{}", b.Runs+1)},
	} {
		if _, err := new(Import).Read(within(t, c.format, b), strings.NewReader(c.text), onMachine()); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %.200v", want, err)
		}
	}
}

// TestLimits: the bounds of what is imported, whose hundredth the tests above try by day.
func TestLimits(t *testing.T) {
	want := reader.Bounds{Bytes: 64 << 20, Runs: 100_000, Lines: 524288, Line: 1 << 20, Items: 262144, Times: 2097152}
	if got := reader.Limits(); got != want {
		t.Errorf("%+v, documented %+v", got, want)
	}
	long := strings.Repeat(" ", want.Bytes+1)
	if _, err := new(Import).Read(formatNamed(t, reader.Wrk), strings.NewReader(long), onMachine()); err == nil ||
		!strings.Contains(err.Error(), "longer than 64 MiB") {
		t.Errorf("an import is not within the limits: %.200v", err)
	}
}

package convert

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// TestPhoronixNamesMachines: the systems of a result are machines, its runs are replicates, and a test is a benchmark.
func TestPhoronixNamesMachines(t *testing.T) {
	o := onMachine()
	o.Machine = ""
	_, trials := imported(t, formatNamed(t, reader.Phoronix), string(captured(t, "phoronix.xml")), o)
	of := map[string][]float64{}
	for _, tr := range trials {
		if tr.Keys[record.KeyWorkload] != "phoronix-spin" || tr.Keys["phoronix-spin.test"] != "Size: Large" ||
			tr.Load.Kind != record.Once {
			t.Errorf("%+v", tr)
		}
		v, _ := tr.Value(record.Throughput)
		if v.Unit != "op/s" || v.Better != record.Higher {
			t.Errorf("%+v", v)
		}
		of[tr.Keys[record.KeyMachine]] = append(of[tr.Keys[record.KeyMachine]], v.Value)
	}
	if len(of) != 2 || len(of["m5"]) != 15 || len(of["m7"]) != 15 || of["m5"][0] != 117.5 || of["m7"][14] != 151.5 {
		t.Errorf("%v", of)
	}
	for unit, want := range map[string]string{"Seconds": "time s", "ms": "time s", "MIPS": "MIPS ",
		"MB/s":                "throughput B/s",
		"Requests Per Second": "throughput op/s", "KB/s": "KB/s ", "Mbits/sec": "Mbits/sec ",
		"GFLOP/s": "GFLOP/s ", "Total Mop/s": "Total Mop/s ", "kH/s": "kH/s ", "M samples/sec": "M samples/sec ",
		"MP/s": "MP/s ", "Mbps": "Mbps ", "Op/s": "throughput op/s", "images/sec": "throughput op/s",
		"Queries Per Second": "throughput op/s", "Nodes/second": "throughput op/s"} {
		better := "HIB"
		if strings.HasPrefix(want, "time") {
			better = "LIB"
		}
		text := `{"systems":{},"results":{"x":{"identifier":"pts/a-b-1.2.0","title":"A","scale":"` + unit +
			`","proportion":"` +
			better + `","display_format":"BAR_GRAPH","results":{"m":{"value":2.5,"raw_values":[2,3]}}}}}`
		_, trials := imported(t, formatNamed(t, reader.Phoronix), text, o)
		if v := trials[0].Values[0]; len(trials) != 2 || v.Name+" "+v.Unit != want ||
			trials[0].Keys[record.KeyWorkload] != "phoronix-a-b" {
			t.Errorf("%s: %+v, want %s", unit, trials, want)
		}
	}
}

// TestPhoronixTable: the CSV has a column for each system, and means alone.
func TestPhoronixTable(t *testing.T) {
	o := onMachine()
	o.Machine = ""
	text := ",spin,\n\n ,,\"m5\",\"m7\"\nProcessor,,Xeon,Graviton\n\n ,,\"m5\",\"m7\"\n" +
		"\"7-Zip Compression - Test: Compression Rating (MIPS)\",HIB,150.5,149.4\n\"PHP - Run (sec)\",LIB,,2.5\n"
	if got := Recognise([]byte(text)); len(got) != 1 || got[0].Name != reader.Phoronix {
		t.Fatalf("recognised as %v", got)
	}
	b, trials := imported(t, formatNamed(t, reader.Phoronix), text, o)
	var got []string
	for _, tr := range trials {
		got = append(got, fmt.Sprint(tr.Keys[record.KeyMachine], " ", tr.Keys[record.KeyWorkload], " ", tr.Values[0].Name,
			" ",
			tr.Values[0].Value, " ", tr.Values[0].Better))
	}
	if want := []string{"m5 phoronix-7-zip-compression MIPS 150.5 higher",
		"m7 phoronix-7-zip-compression MIPS 149.4 higher",
		"m7 phoronix-php time 2.5 lower"}; !slices.Equal(got, want) || len(b.Unread) > 0 {
		t.Errorf("got %q, want %q, %q", got, want, b.Unread)
	}
}

// TestToolsAgreeWithThemselves: what an output states twice must agree, and what is not read is named.
func TestToolsAgreeWithThemselves(t *testing.T) {
	edited := func(file, old, with string) string {
		text := string(captured(t, file))
		if !strings.Contains(text, old) {
			t.Fatalf("%s has no %q", file, old)
		}
		return strings.Replace(text, old, with, 1)
	}
	for name, c := range map[string]struct{ format, text, want string }{
		"ab's rate": {reader.Ab, edited("ab.txt", "970.79", "990.79"), "990.79/s are stated"},
		"ab's time": {reader.Ab, edited("ab.txt", "4.120 [ms]", "5.120 [ms]"), "the time per request of a client"},
		"ab that failed": {reader.Ab, "This is ApacheBench, Version\napr_socket_recv: Connection refused (111)\n",
			"Connection refused"},
		"hey's rate": {reader.Hey, edited("hey.txt", "85.5490", "95.5490"), "95.549/s are stated"},
		"requests of hey": {reader.Hey, string(captured(t, "hey-requests.csv")), "the single requests of hey -o csv are " +
			"not read"},
		"h2load's rate": {reader.H2load, edited("h2load.txt", "88.54 req/s", "98.54 req/s"), "98.54/s are stated"},
		"iperf3's rate": {reader.Iperf3, edited("iperf3.txt", "17.9 Gbits", "27.9 Gbits"), "are stated"},
		"iperf3's sum": {reader.Iperf3, strings.ReplaceAll(string(captured(t, "iperf3.json")), "2776104960", "1776104960"),
			"the mean of all bytes sent"},
		"both ways": {reader.Iperf3, string(captured(t, "iperf3-bidir.txt")), "iperf3 --bidir is not read"},
		"memtier's sum": {reader.Memtier, edited("memtier.txt", "116608.34         0.00", "126608.34         0.00"),
			"the mean of the operations a second"},
		"memtier's count": {reader.Memtier, edited("memtier.json", `"Total duration": 31`, `"Total duration": 62`),
			"are stated"},
		"Locust's rows": {reader.Locust, edited("locust.csv", "GET,/a,136,", "GET,/a,137,"), "its rows have 197 and 13"},
		"Locust's bins": {reader.Locust, edited("locust.json", `"7": 1`, `"7": 2`), "and 41 times of responses"},
		"JMeter's total": {reader.JMeter, edited("jmeter-statistics.json", `"sampleCount" : 60`, `"sampleCount" : 61`),
			"its entries have 121 and 12"},
		"JMeter cut off": {reader.JMeter, strings.TrimSuffix(string(captured(t, "jmeter.xml")),
			"</testResults>\n\n")[:900], "cut off"},
		"a unit of time": {reader.GoogleBenchmark, edited("google-benchmark.json", `"time_unit": "ns"`,
			`"time_unit": "fs"`), `"fs"`},
		"Phoronix's mean":      {reader.Phoronix, edited("phoronix.xml", "<Value>150.0<", "<Value>170.0<"), "stated as 170"},
		"Phoronix's --machine": {reader.Phoronix, string(captured(t, "phoronix.xml")), `the file has "m5" and "m7"`},
	} {
		o := onMachine()
		o.Load, _ = GivenLoad("4")
		o.FillLoad = true
		if strings.HasPrefix(name, "Phoronix's mean") {
			o.Machine = ""
		}
		_, err := new(Import).Read(formatNamed(t, c.format), strings.NewReader(c.text), o)
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) || c.want == "" && err == nil {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestPartsOfToolsAreNamed: what is left out is said, and sums are not counted beside their parts.
func TestPartsOfToolsAreNamed(t *testing.T) {
	o := onMachine()
	o.Load, _ = GivenLoad("4")
	o.FillLoad = true
	jtl := "timeStamp,elapsed,label,responseMessage,success,allThreads\n1000,10,a,OK,true,2\n1010,20,b,OK,true,2\n" +
		"1000,30,both,\"Number of samples in transaction : 2, number of failing samples : 0\",true,2\n"
	runs := "2         Threads\n4         Connections per thread\n\n"
	table := "\nType         Ops/sec     Avg. Latency     p99 Latency       KB/sec \nSets         10.00      0.5      " +
		"1.0      1.0 \n" +
		"Totals       10.00      0.5      1.0      1.0 \n"
	for name, c := range map[string]struct {
		format, text, want string
		runs               int
	}{
		"transactions":       {reader.JMeter, jtl, "1 samples of transactions of JMeter are left out", 1},
		"requests by name":   {reader.Locust, string(captured(t, "locust.csv")), "Locust states 2 requests by name", 1},
		"a failed benchmark": {reader.GoogleBenchmark, string(captured(t, "google-benchmark.txt")), `"BM_Fail" failed`, 3},
		"sums of runs": {reader.Memtier, runs + "RUN #1 RESULTS" + table + "BEST RUN RESULTS" + table,
			"best, worst and average", 1},
		"lengths": {reader.Ab, strings.Replace(string(captured(t, "ab.txt")), "Failed requests:        0",
			"Failed requests:        5\n   (Connect: 0, Receive: 0, Length: 5, Exceptions: 0)", 1),
			"5 answers had another length", 1},
	} {
		b, trials := imported(t, formatNamed(t, c.format), c.text, o)
		if len(trials) != c.runs || !slices.ContainsFunc(b.Unread, func(s string) bool {
			return strings.Contains(s,
				c.want)
		}) {
			t.Errorf("%s: %d runs, %q", name, len(trials), b.Unread)
		}
	}
}

// The readers read anything; what they take is finite, fits its line and can be exported.
func fuzzCaptures(f *testing.F, format string, files ...string) {
	for _, file := range files {
		f.Add(captured(f, file))
	}
	o := onMachine()
	if format == reader.Phoronix {
		o.Machine = ""
	}
	o.Load, _ = GivenLoad("4")
	o.FillLoad = true
	fuzzFormat(f, formatNamed(f, format), o)
}

func FuzzImportIperf3(f *testing.F) {
	fuzzCaptures(f, reader.Iperf3, "iperf3.txt", "iperf3.json", "iperf3-udp.txt", "iperf3-parallel.txt")
}

func FuzzImportAb(f *testing.F) { fuzzCaptures(f, reader.Ab, "ab.txt", "ab-errors.txt") }

func FuzzImportHey(f *testing.F) { fuzzCaptures(f, reader.Hey, "hey.txt", "hey-errors.txt") }

func FuzzImportH2load(f *testing.F) {
	fuzzCaptures(f, reader.H2load, "h2load.txt", "h2load-errors.txt")
}

func FuzzImportLocust(f *testing.F) { fuzzCaptures(f, reader.Locust, "locust.csv", "locust.json") }

func FuzzImportJMeter(f *testing.F) {
	f.Add([]byte("timeStamp;elapsed;label;success\n1;2;a;true\n3;2;a;false\n"))
	f.Add([]byte(`<testResults version="1.2"><httpSample t="1" ts="2" s="true" lb="a" by="1" na="2"/></testResults>`))
	fuzzCaptures(f, reader.JMeter, "jmeter-statistics.json", "jmeter-summary.txt")
}

func FuzzImportMemtier(f *testing.F) {
	fuzzCaptures(f, reader.Memtier, "memtier.txt", "memtier.json", "memtier-histogram.txt")
}

func FuzzImportGoogleBenchmark(f *testing.F) {
	fuzzCaptures(f, reader.GoogleBenchmark, "google-benchmark.csv", "google-benchmark.txt",
		"google-benchmark-repeated.txt")
}

func FuzzImportPhoronix(f *testing.F) { fuzzCaptures(f, reader.Phoronix, "phoronix.xml") }

package convert

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// captured returns a capture with the files beside it.
func captured(t testing.TB, files ...string) []byte {
	t.Helper()
	var out []byte
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, text...), '\n')
	}
	return out
}

func formatNamed(t testing.TB, name string) Format {
	t.Helper()
	at := slices.IndexFunc(All(), func(f Format) bool { return f.Name == name })
	if at < 0 {
		t.Fatalf("no format %s", name)
	}
	return All()[at]
}

// taken is the expected result of a capture: the figures stand in its file.
type taken struct {
	file   string
	beside []string
	load   string // option, for a file without a load
	format string
	runs   int
	at     string // load of the first run
	params record.Params
	values map[string]float64
	errors int64
	left   bool // the import says what it leaves out
}

func captures() []taken {
	k6 := map[string]float64{"throughput": 3331.986498329654, "latency_p99": 0.0066186113699999985,
		"latency_p50": 0.0020927685, "latency": 0.0023139654207158706, "latency_min": 0.001079436, "latency_max": 0.011435591,
		"received": 433158.24478285504}
	return []taken{
		{file: "k6-summary-export.json", format: "k6", runs: 1, at: "8 clients", values: k6},
		{file: "k6.txt", format: "k6", runs: 1, at: "8 clients",
			values: map[string]float64{"throughput": 3331.986498, "latency_p99": 0.00661, "latency_p50": 0.00209,
				"latency": 0.00231, "latency_max": 0.01143, "received": 433e3}},
		{file: "k6-legacy.txt", format: "k6", runs: 1, at: "8 clients",
			values: map[string]float64{"throughput": 3266.24589, "latency_p99": 0.00662, "latency": 0.00236, "received": 425e3}},
		{file: "k6-rate.txt", format: "k6", runs: 1, at: "200/s",
			values: map[string]float64{"latency_p50": 447.17e-6, "throughput": 200.353491 * 301 / 401,
				"failed": 100 * 100. / 401}, errors: 100},
		{file: "k6-out.jsonl", load: "2", format: "k6", runs: 1, at: "2 clients", values: map[string]float64{}},
		{file: "oha.json", load: "8", format: "oha", runs: 1, at: "8 clients",
			values: map[string]float64{"throughput": 4679.751972303113, "latency_p99": 0.004211185, "latency_p999": 0.008326677,
				"latency": 0.001699307543, "latency_max": 0.015162882, "received": 60836.77563994047}},
		{file: "oha.txt", load: "8", format: "oha", runs: 1, at: "8 clients",
			values: map[string]float64{"throughput": 4805.2205, "latency_p99": 0.0054424, "latency": 0.0016507,
				"latency_min": 0.0011066, "latency_max": 0.0064817, "received": 61 * 1024}},
		{file: "oha-errors.txt", load: "4", format: "oha", runs: 1, at: "4 clients",
			values: map[string]float64{"throughput": 23562.9496 * 17711 / 23616, "failed": 100 * 5905. / 23616}, errors: 5905},
		{file: "vegeta.json", load: "rate=500", format: "vegeta", runs: 1, at: "500/s",
			values: map[string]float64{"throughput": 500.09673596207244, "latency_p99": 0.004082831, "latency_p50": 0.001392369,
				"latency": 0.001490785, "latency_max": 0.005946797}},
		{file: "vegeta.txt", load: "rate=500", format: "vegeta", runs: 1, at: "500/s",
			values: map[string]float64{"throughput": 500, "latency_p99": 0.004083, "latency_p50": 0.001392, "latency": 0.001491,
				"latency_min": 0.001202, "received": 6500}},
		{file: "vegeta-errors.txt", load: "rate=200", format: "vegeta", runs: 1, at: "200/s",
			values: map[string]float64{"throughput": 300 / 1.995, "failed": 25}, errors: 100},
		{file: "ycsb-load.txt", format: "ycsb", runs: 1, at: "4 clients",
			params: record.Params{"db": "BasicDB", "phase": "load", "workload": "w"},
			values: map[string]float64{"throughput": 3636.3636363636365, "latency": 681.786e-6, "latency_p95": 1223e-6,
				"latency_p99": 2751e-6, "latency_max": 40639e-6}},
		{file: "ycsb-run.txt", format: "ycsb", runs: 1, at: "4 clients",
			params: record.Params{"db": "BasicDB", "phase": "run", "workload": "w"},
			values: map[string]float64{"throughput": 2923.9766081871344, "read_latency_p99": 8099e-6,
				"update_latency_p95": 1763e-6, "latency": (1374.5083088954057*1023 + 772.9406345957011*977) / 2000 * 1e-6,
				"latency_max": 151423e-6}},
		{file: "redis-benchmark.csv", load: "20", format: "redis-benchmark", runs: 3, at: "20 clients",
			params: record.Params{"test": "SET"}, values: map[string]float64{"throughput": 57142.86, "latency": 213e-6,
				"latency_min": 40e-6, "latency_p50": 143e-6, "latency_p95": 343e-6, "latency_p99": 1903e-6,
				"latency_max": 4447e-6}},
		{file: "redis-benchmark.txt", format: "redis-benchmark", runs: 2, at: "20 clients",
			params: record.Params{"test": "SET", "payload": "64B"}, values: map[string]float64{"throughput": 235294.11,
				"latency": 196e-6, "latency_p50": 135e-6, "latency_p99": 1759e-6, "latency_max": 4383e-6}},
		{file: "redis-benchmark-quiet.txt", load: "20", format: "redis-benchmark", runs: 2, at: "20 clients",
			params: record.Params{"test": "SET"}, values: map[string]float64{"throughput": 65573.77, "latency_p50": 135e-6}},
		{file: "jmh.csv", format: "jmh", runs: 4, at: "1 cpus",
			params: record.Params{"benchmark": "b.Sums.sum", "mode": "thrpt", "length": "1024"},
			values: map[string]float64{"throughput": 1633227}},
		{file: "jmh.txt", format: "jmh", runs: 4, at: "1 cpus",
			params: record.Params{"benchmark": "Sums.sum", "mode": "thrpt", "length": "1024"},
			values: map[string]float64{"throughput": 1633000}},
		{file: "autocannon.json", format: "autocannon", runs: 1, at: "4 clients", params: record.Params{"path": "/slow"},
			values: map[string]float64{"throughput": 1917 / 3.07, "latency_p99": 26e-3, "latency_p975": 18e-3,
				"latency": 5.81e-3, "received": 81136}},
		{file: "autocannon-errors.json", format: "autocannon", runs: 1, at: "4 clients",
			params: record.Params{"path": "/mix"},
			values: map[string]float64{"throughput": 35917 / 3.05, "failed": 100 * 3991. / 39908}, errors: 3991},
		{file: "ab.txt", format: "ab", runs: 1, at: "4 clients", params: record.Params{"path": "/a"},
			values: map[string]float64{"throughput": 970.79, "latency_p50": 2e-3, "latency_p99": 28e-3, "latency": 4e-3,
				"latency_max": 133e-3, "received": 117.56 * 1024}},
		{file: "ab-errors.txt", format: "ab", runs: 1, at: "8 clients", errors: 84,
			values: map[string]float64{"throughput": 1875.80 * 216 / 300, "failed": 28, "latency_p99": 6e-3}},
		{file: "hey.txt", load: "4", format: "hey", runs: 1, at: "4 clients",
			values: map[string]float64{"throughput": 85.5490, "latency_p99": 72.9e-3, "latency": 46.7e-3,
				"latency_min": 4.1e-3, "received": 12000 / 11.6892}},
		{file: "hey-errors.txt", load: "rate=200", format: "hey", runs: 1, at: "200/s", errors: 20,
			values: map[string]float64{"throughput": 86.9121 * 71 / 91, "latency_p95": 57.3e-3}},
		{file: "h2load.txt", format: "h2load", runs: 1, at: "4 clients", params: record.Params{"protocol": "http/1.1"},
			values: map[string]float64{"throughput": 88.54, "latency": 45.17e-3, "latency_min": 4.81e-3,
				"latency_max": 62.05e-3, "received": 124000 / 11.29}},
		{file: "h2load-errors.txt", format: "h2load", runs: 1, at: "4 clients", errors: 25,
			values: map[string]float64{"throughput": 92. * 67 / 92}},
		{file: "iperf3.txt", format: "iperf3", runs: 1, at: "1 clients",
			params: record.Params{"protocol": "TCP", "direction": "to the server"},
			values: map[string]float64{"throughput": 17.9e9 / 8, "retransmits": 4}},
		{file: "iperf3-parallel.txt", format: "iperf3", runs: 1, at: "2 clients",
			params: record.Params{"direction": "from the server"}, values: map[string]float64{"throughput": 23.1e9 / 8}},
		{file: "iperf3.json", format: "iperf3", runs: 1, at: "1 clients",
			values: map[string]float64{"throughput": 22199508789.258739 / 8, "retransmits": 14}},
		{file: "iperf3-parallel.json", format: "iperf3", runs: 1, at: "2 clients", values: map[string]float64{}},
		{file: "iperf3-udp.json", format: "iperf3", runs: 1, at: "1 clients", params: record.Params{"protocol": "UDP"},
			values: map[string]float64{"jitter": 0.019585248331096747e-3}},
		{file: "iperf3-udp.txt", format: "iperf3", runs: 1, at: "1 clients", values: map[string]float64{"jitter": 24e-6}},
		{file: "memtier.txt", format: "memtier", runs: 1, at: "8 clients",
			values: map[string]float64{"throughput": 128423.28, "latency": 62.56e-6, "latency_p50": 63e-6,
				"latency_p99": 191e-6, "latency_p999": 391e-6, "moved": 5453.47 * 1024}},
		{file: "memtier.json", format: "memtier", runs: 1, at: "8 clients",
			params: record.Params{"ratio": "1:10", "pipeline": "1", "data_size": "32"},
			values: map[string]float64{"throughput": 128423.28, "latency_p99": 191e-6, "moved": 5453.47 * 1024}},
		{file: "memtier-histogram.txt", format: "memtier", runs: 1, at: "2 clients",
			values: map[string]float64{"throughput": 28939.37, "latency_p999": 295e-6}},
		{file: "google-benchmark.txt", left: true, format: "google-benchmark", runs: 3, at: "1 cpus",
			params: record.Params{"benchmark": "BM_Copy/64"},
			values: map[string]float64{"time": 36.6e-9, "cpu_time": 12.4e-9, "moved": 4.82517 * (1 << 30)}},
		{file: "google-benchmark.json", left: true, format: "google-benchmark", runs: 3, at: "1 cpus",
			params: record.Params{"benchmark": "BM_Copy/64"},
			values: map[string]float64{"time": 4.3898679873756812e-8, "moved": 5.0823065706809406e+09}},
		{file: "google-benchmark.csv", format: "google-benchmark", runs: 2, at: "1 cpus",
			params: record.Params{"benchmark": "BM_Copy/64"},
			values: map[string]float64{"time": 38.5102e-9, "moved": 5.05874e9}},
		{file: "google-benchmark-repeated.txt", format: "google-benchmark", runs: 6, at: "1 cpus",
			values: map[string]float64{"time": 36.4e-9}},
		{file: "google-benchmark-repeated.json", format: "google-benchmark", runs: 6, at: "1 cpus",
			values: map[string]float64{}},
		{file: "locust.csv", left: true, load: "4", format: "locust", runs: 1, at: "4 clients", errors: 13,
			values: map[string]float64{"throughput": 65.47681822663795 * 183 / 196, "latency_p50": 49e-3, "latency_p99": 75e-3,
				"latency": 48.41294241345984e-3, "latency_max": 77.64460100224824e-3}},
		{file: "locust.json", left: true, load: "2", format: "locust", runs: 1, at: "2 clients", errors: 3,
			values: map[string]float64{"latency_max": 95.86328500154195e-3,
				"latency": (1967.2910560111632 + 374.642632996256) / 48 * 1e-3}},
		{file: "jmeter.jtl", left: true, format: "jmeter", runs: 1, at: "4 clients", errors: 12,
			values: map[string]float64{"throughput": 68.18181818181817 * 108 / 120, "latency": 53.51666666666668e-3,
				"latency_min": 1e-3, "latency_max": 236e-3, "latency_p50": 45e-3}},
		{file: "jmeter.xml", left: true, format: "jmeter", runs: 1, at: "4 clients", errors: 12,
			values: map[string]float64{}},
		{file: "jmeter-statistics.json", left: true, load: "4", format: "jmeter", runs: 1, at: "4 clients", errors: 12,
			values: map[string]float64{"throughput": 68.18181818181817 * 108 / 120, "latency": 53.51666666666668e-3,
				"latency_p50": 45e-3, "received": 8.369584517045455 * 1024}},
		{file: "jmeter-summary.txt", load: "4", format: "jmeter", runs: 1, at: "4 clients", errors: 12,
			values: map[string]float64{"throughput": 56.6 * 108 / 120, "latency": 53e-3, "latency_max": 236e-3}},
		{file: "jmh-one-fork.json", format: "jmh", runs: 1, at: "2 cpus", values: map[string]float64{}},
		{file: "criterion.txt", format: "criterion", runs: 3, at: "once",
			params: record.Params{"benchmark": "sum/wrapping/1024"}, values: map[string]float64{"time": 1.7734e-6,
				"throughput": 550.68 * (1 << 20)}},
		{file: "criterion/sum/wrapping/1024/new/estimates.json",
			beside: []string{"criterion/sum/wrapping/1024/new/benchmark.json", "criterion/sum/wrapping/1024/new/sample.json"},
			format: "criterion", runs: 1, at: "once",
			params: record.Params{"benchmark": "sum/wrapping/1024"}, values: map[string]float64{"time": 1773.3691555999137e-9,
				"throughput": 1024 / 1773.3691555999137e-9}},
	}
}

// TestCapturesOfTools: each file is of one format, and its figures are those printed.
func TestCapturesOfTools(t *testing.T) {
	for _, want := range captures() {
		t.Run(want.file, func(t *testing.T) {
			text := captured(t, slices.Concat([]string{want.file}, want.beside)...)
			could := Recognise(text)
			if len(could) != 1 || could[0].Name != want.format {
				t.Fatalf("recognised as %d formats: %+v", len(could), could)
			}
			o := onMachine()
			if want.load != "" {
				if _, err := new(Import).Read(could[0], bytes.NewReader(text), o); err == nil ||
					!strings.Contains(err.Error(), "--load") {
					t.Errorf("without a load: %v", err)
				}
				load, err := GivenLoad(want.load)
				if err != nil {
					t.Fatal(err)
				}
				o.Load = load
			}
			_, trials := imported(t, could[0], string(text), o)
			want.check(t, trials)
		})
	}
}

func (want taken) check(t *testing.T, trials []record.Trial) {
	t.Helper()
	if len(trials) != want.runs {
		t.Fatalf("%d runs, want %d", len(trials), want.runs)
	}
	first := trials[0]
	if got := first.Load.Key(); got != want.at {
		t.Errorf("load %s, want %s", got, want.at)
	}
	for name, v := range want.params {
		if got := first.Keys[want.format+"."+name]; got != v {
			t.Errorf("%s is %q, want %q", name, got, v)
		}
	}
	for name, v := range want.values {
		got, ok := first.Value(name)
		if !ok || math.Abs(got.Value/v-1) > 1e-9 {
			t.Errorf("%s is %.12g, want %.12g", name, got.Value, v)
		}
		better := record.Lower
		if name == record.Throughput || name == "received" || name == "moved" {
			better = record.Higher
		}
		if first.Load.Kind != record.Open && got.Better != better {
			t.Errorf("%s is better %s", name, got.Better)
		}
	}
	if want.errors > 0 && (first.Generator == nil || first.Generator.Errors != want.errors) {
		t.Errorf("errors %+v, want %d", first.Generator, want.errors)
	}
}

// TestEveryCaptureIsRecognised: other captures too, each as its own tool's.
func TestEveryCaptureIsRecognised(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		of, _, _ := strings.Cut(strings.TrimSuffix(name, filepath.Ext(name)), "-")
		of = map[string]string{"google": reader.GoogleBenchmark, "rdkafka": reader.Rdkafka, "producer": reader.ProducerPerf,
			"redis": reader.RedisBenchmark}[of]
		if of == "" {
			of, _, _ = strings.Cut(strings.TrimSuffix(name, filepath.Ext(name)), "-")
		}
		if name == "README.md" {
			of = ""
		}
		var got []string
		for _, f := range Recognise(captured(t, name)) {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != of {
			t.Errorf("%s: recognised as %q", name, got)
		}
	}
}

// TestFioOnOneLineIsRecognised: JSON is the same however it is laid out.
func TestFioOnOneLineIsRecognised(t *testing.T) {
	for _, head := range []string{"{\"fio version\":\"fio-3.36\",\"jobs\":[]}", "{ \"fio version\" : \"fio-3.36\",\n",
		"fio: a warning\n{ \"fio version\" : \"fio-3.36\",\n"} {
		if got := Recognise([]byte(head)); len(got) != 1 || got[0].Name != reader.Fio {
			t.Errorf("%q: %v", head, got)
		}
	}
}

// TestForksOfJMHAreReplicates: iterations of one process are not.
func TestForksOfJMHAreReplicates(t *testing.T) {
	_, trials := imported(t, formatNamed(t, reader.JMH), string(captured(t, "jmh.json")), onMachine())
	counts := map[string]int{}
	for _, trial := range trials {
		counts[trial.Keys["jmh.benchmark"]+" "+trial.Keys["jmh.mode"]]++
		if trial.Moments != nil {
			t.Errorf("a fork has moments: %+v", trial.Moments)
		}
	}
	if len(counts) != 6 || counts["b.Sums.sum thrpt"] != 3 || counts["b.Sums.sum avgt"] != 3 ||
		counts["b.Sums.hash ss"] != 3 {
		t.Errorf("%v", counts)
	}
	_, trials = imported(t, formatNamed(t, reader.JMH), string(captured(t, "jmh-one-fork.json")), onMachine())
	if m := trials[0].Moments["time"]; m.N != 5 || !m.Within || !(m.SD > 0) {
		t.Errorf("one fork of five iterations: %+v", trials[0].Moments)
	}
}

// TestErrorOfJMHGivesItsDeviation: the CSV states half of a 99.9 % interval, t(0.9995; 8) = 5.0413, of 9 iterations.
func TestErrorOfJMHGivesItsDeviation(t *testing.T) {
	_, trials := imported(t, formatNamed(t, reader.JMH), string(captured(t, "jmh.csv")), onMachine())
	want := 1.305056 / 5.041305 * 3 * 1e6
	if m := trials[0].Moments[record.Throughput]; m.N != 9 || math.Abs(m.SD/want-1) > 1e-5 {
		t.Errorf("got %+v, want %g", m, want)
	}
	if trials[2].Moments != nil {
		t.Errorf("sampled operations are no replicates: %+v", trials[2].Moments)
	}
}

// TestNothingIsMadeUp: what a file does not state is refused.
func TestNothingIsMadeUp(t *testing.T) {
	for _, test := range []struct{ format, text, want string }{
		{reader.JMH, "# Threads: 1 thread\nBenchmark  Mode  Cnt  Score  Error  Units\na.b  avgt  3  ≈ 10⁻³    s/op\n",
			"power of ten"},
		{reader.JMH, "Benchmark  Mode  Cnt  Score  Error  Units\na.b  avgt  3  1.0 ± 0.1  us/op\n",
			"JMH's table does not state its threads"},
		{reader.JMH, "# Threads: 1 thread\nBenchmark  Mode  Cnt  Score  Error  Units\na.b  avgt  3  1.0 ± 0.1  apples\n",
			"a unit is such as"},
		{reader.Criterion, `{"mean":{"point_estimate":1},"median_abs_dev":{}}`, "without benchmark.json"},
		{reader.YCSB, "[OVERALL], RunTime(ms), 500\n[OVERALL], Throughput(ops/sec), 10.0\n[READ], Operations, 5\n",
			"does not print its threads"},
		{reader.Vegeta, `{"latencies":{},"bytes_in":{},"status_codes":{},"requests":0}`, "sent no requests"},
		{reader.K6, `{"metrics":{"iterations":{},"vus_max":{}}}`, "no requests and no iterations"},
		{reader.Autocannon, `{"connections":4,"pipelining":1,"non2xx":0,"2xx":0,"duration":2}`, "completed nothing"},
		{reader.Autocannon, `{"pipelining":1,"non2xx":0,"2xx":9,"duration":2,"requests":{"total":9,"average":4.5},"x":"connections"}`,
			"states no connections"},
		{reader.Oha, "Summary:\n  Success rate:\t0.00%\n  Requests/sec:\t0.0\n", "completed no requests"},
		{reader.RedisBenchmark, "====== SET ======\n  20 parallel clients\n", "completed no requests"},
	} {
		_, err := new(Import).Read(formatNamed(t, test.format), strings.NewReader(test.text), onMachine())
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.format, err, test.want)
		}
	}
}

// TestK6LoadIsStated: virtual users that vary are no load, nor are two scenarios.
func TestK6LoadIsStated(t *testing.T) {
	text := string(captured(t, "k6.txt"))
	for from, to := range map[string]string{
		"8      min=8          max=8\n    vus_max": "8      min=1          max=8\n    vus_max",
		"              * default:": "              * a: 200.00 iterations/s for 2s\n              * b: " +
			"100.00 iterations/s for 2s\n              * default:",
	} {
		if !strings.Contains(text, from) {
			t.Fatalf("the capture has no %q", from)
		}
		if _, err := new(Import).Read(formatNamed(t, reader.K6), strings.NewReader(strings.Replace(text, from, to, 1)),
			onMachine()); err == nil || !strings.Contains(err.Error(), "virtual users vary") {
			t.Errorf("%q: %v", to, err)
		}
	}
}

// fuzzTool reads anything as a tool's output; load is that of files without one, or "".
func fuzzTool(f *testing.F, name, load string) {
	for _, c := range captures() {
		if c.format == name {
			f.Add(captured(f, slices.Concat([]string{c.file}, c.beside)...))
		}
	}
	o := onMachine()
	if load != "" {
		var err error
		if o.Load, err = GivenLoad(load); err != nil {
			f.Fatal(err)
		}
	}
	fuzzFormat(f, formatNamed(f, name), o)
}

func FuzzImportK6(f *testing.F)             { fuzzTool(f, reader.K6, "") }
func FuzzImportAutocannon(f *testing.F)     { fuzzTool(f, reader.Autocannon, "") }
func FuzzImportOha(f *testing.F)            { fuzzTool(f, reader.Oha, "8") }
func FuzzImportVegeta(f *testing.F)         { fuzzTool(f, reader.Vegeta, "rate=500") }
func FuzzImportYCSB(f *testing.F)           { fuzzTool(f, reader.YCSB, "") }
func FuzzImportRedisBenchmark(f *testing.F) { fuzzTool(f, reader.RedisBenchmark, "") }
func FuzzImportJMH(f *testing.F)            { fuzzTool(f, reader.JMH, "") }
func FuzzImportCriterion(f *testing.F)      { fuzzTool(f, reader.Criterion, "") }

// FuzzRecognise looks at anything as the beginning of a file.
func FuzzRecognise(f *testing.F) {
	for _, c := range captures() {
		f.Add(captured(f, c.file))
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		for _, format := range Recognise(head) {
			if format.Marks.Home != nil {
				format.Marks.Home(head)
			}
		}
	})
}

package convert

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"

	"plimsoll/internal/record"
)

func onMachine() Options { return Options{File: "f.txt", Machine: "m", Replicate: Unnumbered} }

func TestGoFormat(t *testing.T) {
	text := `Unit p99-ns better=lower assume=nothing
` + strings.Replace(goOut, "Echo ", "Echo-2 ", 1) + `goarch: amd64
pkg: other
BenchmarkSeal/size=16KiB-2  100  7000 ns/op
toolchain: tip
Note: this is no configuration
http://neither
coverage: 12 % of statements
Benchmarking is no benchmark
BenchmarkSeal/size=16KiB-2
BenchmarkSeal/size=16KiB-2  100  9000 ns/op
toolchain:
pkg:
BenchmarkSeal/toolchain=x  100  9500 ns/op
toolchain: base
BenchmarkSeal/toolchain=x  100  9000 ns/op`
	_, trials := imported(t, goFormat(), text, onMachine())
	same(t, texts(trials), []string{
		"m Seal r0 2 cpus pkg=example size=16KiB | throughput 5.46133e+09 B/s higher | time 3e-06 s lower | B/op 32 B/op " +
			"lower | allocs/op 1 allocs/op lower",
		"m Seal r1 2 cpus pkg=example size=16KiB | throughput 3.2768e+09 B/s higher | time 5e-06 s lower | B/op 64 B/op " +
			"lower | allocs/op 1 allocs/op lower",
		"m Open r0 2 cpus pkg=example | time 1e-06 s lower | p99-ns 250 p99-ns lower",
		"m Echo r0 2 cpus pkg=example | op/s 2500 op/s higher | time 0.0004 s lower",
		"m Seal r0 2 cpus pkg=other size=16KiB | time 7e-06 s lower",
		"m Seal r0 2 cpus pkg=other size=16KiB toolchain=tip | time 9e-06 s lower",
		"m Seal r0 1 cpus toolchain=x | time 9.5e-06 s lower",
		"m Seal r0 1 cpus config.toolchain=base toolchain=x | time 9e-06 s lower",
	})
	for key, want := range map[string]string{"arch": "amd64", "os": "linux", "cpu": "AMD EPYC", record.KeyImported: "go",
		record.KeyMachine: "m"} {
		if got := trials[0].Keys[key]; got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

// Several files go on counting the replicates, each in a plan of its own.
func TestGoReplicates(t *testing.T) {
	var im Import
	var got []string
	for range 2 {
		b, err := im.Read(goFormat(),
			strings.NewReader("BenchmarkX-8 1 2 ns/op\nBenchmarkX-8 1 3 ns/op\nBenchmarkX 1 4 ns/op\n"), onMachine())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, texts(slices.Collect(b.Trials("p")))...)
	}
	same(t, got, []string{
		"m X r0 8 cpus | time 2e-09 s lower", "m X r1 8 cpus | time 3e-09 s lower", "m X r0 1 cpus | time 4e-09 s lower",
		"m X r2 8 cpus | time 2e-09 s lower", "m X r3 8 cpus | time 3e-09 s lower", "m X r1 1 cpus | time 4e-09 s lower",
	})
	o := onMachine()
	o.Replicate, o.Params = 7, record.Params{"commit": "c1"}
	_, trials := imported(t, goFormat(), "BenchmarkX-8 1 2 ns/op\n", o)
	same(t, texts(trials), []string{"m X r7 8 cpus commit=c1 | time 2e-09 s lower"})
}

func TestNameOf(t *testing.T) {
	for full, want := range map[string]string{
		"Seal":                        "Seal r0 1 cpus",
		"Seal-16":                     "Seal r0 16 cpus",
		"Seal/size=1KiB/aes-8":        "Seal r0 8 cpus size=1KiB sub2=aes",
		"Seal/a=1/a=2-4":              "Seal r0 4 cpus a=1 sub2=a=2",
		"Seal/=x/y=/z":                "Seal r0 1 cpus sub1==x sub2=y= sub3=z",
		"Seal/sha-0":                  "Seal r0 1 cpus sub1=sha-0",
		"Seal/v-08":                   "Seal r0 1 cpus sub1=v-08",
		"Seal//x":                     "Seal r0 1 cpus sub2=x",
		"Seal/x-99999999999999999999": "Seal r0 1 cpus sub1=x-99999999999999999999",
		"Seal-":                       "Seal- r0 1 cpus",
	} {
		base, params, cpus := nameOf(full, true)
		load := record.LoadPoint{Kind: record.Closed, Level: float64(cpus), Unit: loadCPUs}
		same(t, texts([]record.Trial{{Keys: newKeys(Go, "m", base, params, load)}}), []string{"m " + want})
	}
}

func TestGoRefusals(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		set              func(*Options)
	}{
		{"no machine", goOut, "f.txt: Go benchmarks do not name their machine", func(o *Options) { o.Machine = "" }},
		{"no benchmark", "PASS\nok  x 1s\n", "f.txt: no Go benchmark line\nhint: use the output of `go test -bench", nil},
		{"events without a result", `{"Action":"output","Output":"PASS\n"}`, "f.txt: no Go benchmark line", nil},
		{"two machines", "cpu: A\nBenchmarkX 1 2 ns/op\ncpu: B\n",
			`f.txt:3: cpu is "B" here but "A" above: these are two machines`, nil},
		{"two architectures", "goarch: amd64\ngoarch: arm64\n", "f.txt:2: goarch is", nil},
		{"workload", "BenchmarkX 1 2 ns/op\n", `f.txt:1: workload is "X" here, but "Y" in --workload`,
			func(o *Options) { o.Workload = "Y" }},
		{"parameter", "BenchmarkX/a=1 1 2 ns/op\n", `f.txt:1: a is "1" here, but "2" in --param`,
			func(o *Options) { o.Params = record.Params{"a": "2"} }},
		{"twice in one replicate", "BenchmarkX 1 2 ns/op\n\nBenchmarkX 1 2 ns/op\n", `f.txt:3: "time" of replicate 1 of "X"`,
			func(o *Options) { o.Replicate = 1 }},
		{"two values of one name", "BenchmarkX 1 2 ns/op 3 ns/op\n", `f.txt:1: "time" of run 1`, nil},
		{"not a number", "\nBenchmarkX 1 NaN ns/op\n", `f.txt:2: "X" is NaN "ns/op"`, nil},
		{"negative", "BenchmarkX 1 -3 ns/op\n", `f.txt:1: "X" is -3 "ns/op"`, nil},
		{"nothing but a rate that is not known", "BenchmarkX 1 0.00 MB/s\n", "f.txt: no results found", nil},
		{"a torn line", "BenchmarkX-8 100 abc\n", `f.txt:1: benchmark "X-8": "abc" is not a number`, nil},
		{"a value without a unit", "BenchmarkX-8 100 1 ns/op 2\n", `f.txt:1: benchmark "X-8": 2 has no unit`, nil},
		{"a value alone", "BenchmarkX 1 2 ns/op\nBenchmarkX-8 100 70", `f.txt:2: benchmark "X-8": 70 has no unit`, nil},
		{"nothing measured", "BenchmarkX-8 100\n", `f.txt:1: benchmark "X-8": nothing was measured`, nil},
		{"text in the line", "BenchmarkX-8   \tlistening on :80\n",
			`f.txt:1: benchmark "X-8": "listening" is not a number of iterations`, nil},
		{"two directions of a unit", "Unit p99 better=lower\nUnit p99 assume=x better=higher\nBenchmarkX 1 2 p99\n",
			`f.txt:2: "p99" is better when higher here, but when lower above`, nil},
		{"UTF-16", "\xff\xfeB\x00", "f.txt: it is UTF-16", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := onMachine()
			if tc.set != nil {
				tc.set(&o)
			}
			var im Import
			_, err := im.Read(goFormat(), strings.NewReader(tc.text), o)
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// asReference holds what is imported to what the reference library reads: the same results, each under the same
// configuration. What it calls a syntax error is refused, but for text that begins with the word, and units without a
// name.
func asReference(t *testing.T, text []byte) {
	t.Helper()
	var want []string
	bad := false
	r := benchfmt.NewReader(bytes.NewReader(text), "f")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			bad = true
		case *benchfmt.Result:
			config := map[string]string{}
			for _, c := range rec.Config {
				if c.File && c.Key != "coverage" && c.Key != "testing" {
					config[c.Key] = strings.TrimSpace(string(c.Value))
				}
			}
			want = append(want, fmt.Sprint(config))
		}
	}
	var got []string
	err := readGo(bytes.NewReader(text), Options{File: "f", Machine: "m", Replicate: Unnumbered},
		func(trial Result) error {
			config := map[string]string{}
			for key, value := range paramsOf(trial.Trial) {
				if key = strings.TrimPrefix(key, "config."); !strings.HasPrefix(key, "sub") {
					config[key] = value
				}
			}
			for from, to := range map[string]string{"goos": "os", "goarch": "arch", "cpu": "cpu"} {
				if v, ok := trial.Keys[to]; ok {
					config[from] = v
				}
			}
			got = append(got, fmt.Sprint(config))
			return nil
		})
	if err == nil && !bad && !slices.Equal(got, want) {
		t.Errorf("%q: %q, want %q", text, got, want)
	}
	if bad && err == nil && len(got) > len(want) {
		t.Errorf("%q: %q, and the reference has only %q", text, got, want)
	}
}

func TestGoConfigurationAgreesWithReference(t *testing.T) {
	const head, result = "pkg: p\ngoos: linux\n", "BenchmarkX 1 2 ns/op\n"
	for _, text := range []string{
		head + "toolchain: base\n" + result + "toolchain: tip\n" + result,
		head + "a:\n" + result + "a: 1\n" + result + "a:\n" + result,
		head + "a:b\nA: b\na b: c\n: d\na\tb: c\nä-ö:\tc  \n" + result,
		"pkg: p\n" + result + "pkg: q\n" + result,
		"BenchmarkX\n" + head + "commit: 1\ncommit-time: 2026-01-01T00:00:00Z\n" + result + "PASS\nok  \tp\t1s\n",
	} {
		asReference(t, []byte(text))
	}
}

// FuzzGoConfiguration: what is imported of any text is under the configuration that the reference library reads.
func FuzzGoConfiguration(f *testing.F) {
	f.Add([]byte(goOut))
	f.Add([]byte("toolchain: base\nBenchmarkX 1 2 ns/op\ntoolchain:\nBenchmarkX 1 2 ns/op\nBenchmarkX 1 2 ns/op 3\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		// Names with parameters could be those of keys; what is not UTF-8 is refused elsewhere.
		if bytes.ContainsAny(text, "/") || !utf8.Valid(text) || bytes.Contains(text, []byte("config.")) ||
			bytes.Contains(text, []byte("sub")) {
			return
		}
		asReference(t, text)
	})
}

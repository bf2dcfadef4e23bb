package convert

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

func onMachine() Options { return Options{File: "f.txt", Machine: "m", Replicate: Unnumbered} }

func TestGoFormat(t *testing.T) {
	text := `Unit p99-ns better=lower assume=nothing
` + goOut + `goarch: amd64
pkg: other
BenchmarkSeal/size=16KiB-2  100  7000 ns/op
note: this is no configuration
BenchmarkTorn-2  100  70`
	_, trials := imported(t, goFormat(), text, onMachine())
	same(t, texts(trials), []string{
		"m Seal r1 2 cpus pkg=example size=16KiB | throughput 5.46133e+09 B/s higher | time 3e-06 s lower | B/op 32 B/op lower | allocs/op 1 allocs/op lower",
		"m Seal r2 2 cpus pkg=example size=16KiB | throughput 3.2768e+09 B/s higher | time 5e-06 s lower | B/op 64 B/op lower | allocs/op 1 allocs/op lower",
		"m Open r1 2 cpus pkg=example | time 1e-06 s lower | p99-ns 250 p99-ns lower",
		"m Echo r1 1 cpus pkg=example | op/s 2500 op/s higher | time 0.0004 s lower",
		"m Seal r1 2 cpus pkg=other size=16KiB | time 7e-06 s lower",
	})
	for key, want := range map[string]string{"arch": "amd64", "os": "linux", "cpu": "AMD EPYC", record.KeyImported: "go", record.KeyMachine: "m"} {
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
		b, err := im.Read(goFormat(), strings.NewReader("BenchmarkX-8 1 2 ns/op\nBenchmarkX-8 1 3 ns/op\nBenchmarkX 1 4 ns/op\n"), onMachine())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, texts(slices.Collect(b.Trials("p")))...)
	}
	same(t, got, []string{
		"m X r1 8 cpus | time 2e-09 s lower", "m X r2 8 cpus | time 3e-09 s lower", "m X r1 1 cpus | time 4e-09 s lower",
		"m X r3 8 cpus | time 2e-09 s lower", "m X r4 8 cpus | time 3e-09 s lower", "m X r2 1 cpus | time 4e-09 s lower",
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
		base, params, cpus := nameOf(full)
		load := record.LoadPoint{Kind: record.Closed, Level: float64(cpus), Unit: loadCPUs}
		same(t, texts([]record.Trial{{Keys: newKeys(Go, "m", base, params, load)}}), []string{"m " + want})
	}
}

func TestGoRefusals(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		set              func(*Options)
	}{
		{"no machine", goOut, "f.txt: benchmarks do not say which machine", func(o *Options) { o.Machine = "" }},
		{"no benchmark", "PASS\nok  x 1s\n", "f.txt: no Go benchmark line\nhint: go test -bench", nil},
		{"JSON", `{"Action":"output","Output":"BenchmarkX-8 1 2 ns/op\n"}`, "f.txt: no Go benchmark line", nil},
		{"two machines", "cpu: A\nBenchmarkX 1 2 ns/op\ncpu: B\n", `f.txt:3: cpu is "B" here and "A" above: these are two machines`, nil},
		{"two architectures", "goarch: amd64\ngoarch: arm64\n", "f.txt:2: goarch is", nil},
		{"workload", "BenchmarkX 1 2 ns/op\n", `f.txt:1: workload is "X" here, and --workload says "Y"`, func(o *Options) { o.Workload = "Y" }},
		{"parameter", "BenchmarkX/a=1 1 2 ns/op\n", `f.txt:1: a is "1" here, and --param says "2"`, func(o *Options) { o.Params = record.Params{"a": "2"} }},
		{"twice in one replicate", "BenchmarkX 1 2 ns/op\n\nBenchmarkX 1 2 ns/op\n", `f.txt:3: "time" of replicate 1 of "X"`, func(o *Options) { o.Replicate = 1 }},
		{"two values of one name", "BenchmarkX 1 2 ns/op 3 ns/op\n", `f.txt:1: "time" of replicate 1`, nil},
		{"not a number", "\nBenchmarkX 1 NaN ns/op\n", `f.txt:2: "X" is NaN "ns/op"`, nil},
		{"negative", "BenchmarkX 1 -3 ns/op\n", `f.txt:1: "X" is -3 "ns/op"`, nil},
		{"nothing but a rate that is not known", "BenchmarkX 1 0.00 MB/s\n", "f.txt: it holds no result", nil},
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

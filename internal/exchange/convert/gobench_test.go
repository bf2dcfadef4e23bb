package convert

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
)

// agree holds our reading of Go benchmarks to that of the reference library.
// benchfmt tidies the units of time and rate; values are compared in base units.
func agree(t *testing.T, out []byte) {
	t.Helper()
	r := benchfmt.NewReader(bytes.NewReader(out), "output")
	ours := benchLines(out)
	for r.Scan() {
		want, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		if len(ours) == 0 {
			t.Fatalf("missed %s of %q", want.Name, out)
		}
		got := ours[0]
		ours = ours[1:]
		if got.name != want.Name.String() || len(got.values) != len(want.Values) {
			t.Fatalf("%+v, want %+v", got, want)
		}
		for i, v := range want.Values {
			unit, value := v.Unit, v.Value
			if v.OrigUnit != "" {
				unit, value = v.OrigUnit, v.OrigValue
			}
			if same := got.values[i].value == value || math.IsNaN(value); got.values[i].unit != unit || !same {
				t.Fatalf("%+v, want %g %s", got.values[i], value, unit)
			}
		}
	}
	if len(ours) > 0 {
		t.Fatalf("%+v are no results in %q", ours, out)
	}
}

func TestGoBenchAgreesWithReference(t *testing.T) {
	for _, out := range []string{
		goOut,
		"BenchmarkX 1 2 ns/op\r\n",
		"Benchmark 1 2 ns/op\n",
		"BenchmarkX-8 1 2 ns/op 3\n",
		"BenchmarkX-8 0 2 ns/op\n",
		"BenchmarkX-8 1\n",
		"Benchmarking 1 2 ns/op\n",
		"BenchmarkX 1 x ns/op\n",
		" BenchmarkX 1 2 ns/op\n",
		"BenchmarkÄ/a=b 10 1e3 ns/op 5 B/op",
	} {
		agree(t, []byte(out))
	}
}

// TestGoValuesThatAreNone: what a benchmark reports and cannot have measured is left out or refused, as an import does,
// and the other values are kept with the directions that the output states.
func TestGoValuesThatAreNone(t *testing.T) {
	for _, c := range []struct{ out, want, told string }{
		{"BenchmarkA-2 1 12 ns/op NaN x/op\n", "time_per_op=1.2e-08 lower", `NaN "x/op" of "A-2" is left out`},
		{"BenchmarkA 1 12 ns/op 5 y\nBenchmarkA 1 12 ns/op +Inf y\n", "time_per_op=1.2e-08 lower", `+Inf "y" of "A"`},
		{"BenchmarkA 1 -5 ns/op\n", `error "A" is -5 "ns/op"`, ""},
		{"BenchmarkA 1 NaN ns/op\n", `error "A" is NaN "ns/op"`, ""},
		{"BenchmarkA 1 5 ns/op 6 ns/op\n", `error a line of benchmark "A" states a unit twice`, ""},
		{"BenchmarkA 1 5 ns/op -3 dB\n", "time_per_op=5e-09 lower dB=-3 ", ""},
		{"Unit hits/s better=higher\nBenchmarkA 1 5 ns/op 8 MB/s 6 hits/s\n",
			"time_per_op=5e-09 lower throughput=8e+06 higher hits/s=6 higher", ""},
		{"BenchmarkA 1 5 ns/op\nFAIL\ta/b\t0.1s\n", "time_per_op=5e-09 lower", `package "a/b" failed`},
		{"BenchmarkA 1 5 ns/op\npanic: x\n\ngoroutine 7 [running]:\n", "time_per_op=5e-09 lower", "ended in a panic"},
		{"BenchmarkA 1 5 ns/op\n--- FAIL: TestX\nFAIL\n", "time_per_op=5e-09 lower", ""},
	} {
		values, told, err := Parse([]byte(c.out), Ask{Format: Go})
		var got []string
		for _, v := range values {
			got = append(got, fmt.Sprintf("%s=%.3g %s", v.Name, v.Value, v.Better))
		}
		if err != nil {
			got = []string{"error " + err.Error()}
		}
		if text := strings.Join(got, " "); !strings.HasPrefix(text, c.want) {
			t.Errorf("%q: %s, want %s", c.out, text, c.want)
		}
		if text := strings.Join(told, "; "); !strings.Contains(text, c.told) || c.told == "" && text != "" {
			t.Errorf("%q: told %q, want %q", c.out, text, c.told)
		}
	}
}

// TestGoPackageThatFailed: an import says that benchmarks may be missing, too.
func TestGoPackageThatFailed(t *testing.T) {
	tryAll(t, []report{
		{name: "package", format: Go, text: "BenchmarkX-8 100 12 ns/op\nFAIL\ta/b\t0.1s\n",
			unread: `package "a/b" failed: some of its benchmarks may be missing`},
		{name: "panic", format: Go, text: "BenchmarkX-8 100 12 ns/op\npanic: x\n\ngoroutine 1 [running]:\nmain.main()\n",
			unread: "the benchmarks ended in a panic"},
	})
}

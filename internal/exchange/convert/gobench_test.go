package convert

import (
	"bytes"
	"math"
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

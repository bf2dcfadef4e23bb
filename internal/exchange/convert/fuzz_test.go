package convert

import (
	"math"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// maxError is room for an excerpt, each byte of it escaped, and a list of names.
const maxError = 8*reader.ExcerptBytes + 8*reader.ListMax*reader.NameMax

// A parser gives one finite value or says why not, whatever a tool prints and
// whatever pattern a user writes; and what cannot be parsed for its pattern is
// known before there is any output.
func fuzz(f *testing.F, format string) {
	f.Fuzz(func(t *testing.T, out []byte, pattern, unit string) {
		ask := Ask{format, pattern, record.Metric{Name: "x", Unit: unit}}
		got, _, err := Parse(out, ask)
		if bad := ask.Check(); bad != nil && (err == nil || err.Error() != bad.Error()) {
			t.Fatalf("Check says %v, Parse %v", bad, err)
		}
		if err != nil {
			if len(err.Error()) > maxError+8*len(pattern)+8*len(unit) {
				t.Fatalf("an error of %d bytes: %v", len(err.Error()), err)
			}
			return
		}
		if len(got) == 0 || len(got) > maxParts {
			t.Fatalf("got %v", got)
		}
		for _, v := range got {
			if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
				t.Fatalf("got %v", got)
			}
		}
	})
}

func FuzzRegexp(f *testing.F) {
	f.Add([]byte(sysbenchOut), `second: +([0-9.]+)`, "op/s")
	f.Add([]byte("1e308 \xff"), `(\S+)`, "TB")
	f.Add([]byte("ab"), `a(\d)?b`, "")
	f.Add([]byte("\xff\xfe0\x00"), `0`, "")
	fuzz(f, Regexp)
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(fioOut), "$.jobs[0].write.iops", "op/s")
	f.Add([]byte(`[[1,[2]],{"a":"3"}]`), "$..a", "")
	f.Add([]byte(`[1,2,3] 4`), "$[?(@ > 2)]", "ms")
	f.Add([]byte(`{"a":1}`), "$[(@.length-1)]", "ms")
	fuzz(f, JSON)
}

func FuzzGo(f *testing.F) {
	f.Add([]byte(goOut), "Seal", "MB/s")
	f.Add([]byte("BenchmarkX 1 0 ns/op 1e999 B/s\n"), "", "op/s")
	f.Add([]byte("BenchmarkX 1 NaN x 1e-320 ns/op\n"), "X", "op/s")
	fuzz(f, Go)
}

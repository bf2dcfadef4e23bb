package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// fuzzFormat reads anything. What is taken has finite values, fits its line,
// can be exported, and says the same when that is imported.
func fuzzFormat(f *testing.F, format Format, o Options) {
	f.Fuzz(func(t *testing.T, text []byte) {
		var im Import
		b, err := im.Read(format, bytes.NewReader(text), o)
		if err != nil {
			var input *usage.Error
			if !errors.As(err, &input) || len(err.Error()) > maxError {
				t.Fatalf("%T of %d bytes: %v", err, len(err.Error()), err)
			}
			return
		}
		trials := slices.Collect(b.Trials("0123456789abcdef"))
		for _, tr := range trials {
			line, err := json.Marshal(tr)
			if err != nil || len(line) > maxTrial-100 || len(tr.Values) == 0 {
				t.Fatalf("%d bytes, %v: %+v", len(line), err, tr)
			}
		}
		if format.Name == csvName {
			again(t, trials)
		}
	})
}

// again exports trials and imports them.
func again(t *testing.T, trials []record.Trial) {
	text := exportedCSV(t, trials)
	var im Import
	b, err := im.Read(csvFormat(), strings.NewReader(text), given())
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	got, want := exact(slices.Collect(b.Trials("p"))), exact(trials)
	if !slices.Equal(got, want) {
		t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzImportCSV(f *testing.F) {
	f.Add([]byte(csvHead + "a,w,1,8,throughput,1,MB/s,clients,1KiB\nb,w,1,8,x,1,,rate,\n"))
	f.Add([]byte("\ufeff" + csvHead + "\"a\"\"\",w,1,8,latency,1,ns,cpus,\"a\r\nb\"\r\n"))
	f.Add([]byte("better,machine,workload,replicate,load,metric,value,unit,param.cpus\nlower,a,w,1,,x,1e-300,GB,all\n"))
	f.Add(
		[]byte("machine,workload,replicate,load,metric,value,unit,pair\na,w,1,8,x,1,,0\nb,w,3,8,x,1,,0\na,w,2,8,x,1,,\n"))
	f.Add([]byte("\xff\xfem\x00"))
	fuzzFormat(f, csvFormat(), given())
}

func FuzzImportGo(f *testing.F) {
	f.Add([]byte(goOut))
	f.Add([]byte("Unit x better=lower\nBenchmarkX/a=1/b-8 1 2 ns/op 3 x\nBenchmarkX/a=1/b-8 1 0.00 MB/s\n"))
	fuzzFormat(f, goFormat(), onMachine())
}

// fuzzParse demands that errors are short, and that all values taken from any bytes are finite and positive.
func fuzzParse(f *testing.F, format string) {
	f.Fuzz(func(t *testing.T, out []byte) {
		got, _, err := Parse(out, Ask{Format: format})
		if err != nil {
			if len(err.Error()) > maxError {
				t.Fatalf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		for _, v := range got {
			if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || v.Value < 0 ||
				v.Value == 0 && (v.Name == record.Throughput || isLatency(v.Name)) {
				t.Fatalf("%+v", v)
			}
		}
	})
}

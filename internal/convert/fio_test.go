package convert

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/convert/reader"
	"plimsoll/internal/record"
)

func fioCapture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestFio: the figures stand in the captures, beside each other where fio adds up, and to be added where it does not.
func TestFio(t *testing.T) {
	for name, want := range map[string]map[string]float64{
		"fio-write-grouped.json": {"throughput": 558413157, "iops": 34018.962076, "latency_p50": 1073152e-9,
			"latency_p99": 9371648e-9, "cpu_per_op": (2.748626 + 7.996002) / 100 * 2.001 / 34087},
		"fio-randrw-jobs.json": {},
	} {
		for _, before := range []string{"", "fio: a note\nfio: another\n"} {
			got, _, err := Parse(append([]byte(before), fioCapture(t, name)...), Ask{Format: reader.Fio})
			if err != nil {
				t.Fatal(err)
			}
			trial := record.Trial{Values: got}
			for metric, w := range want {
				if v, ok := trial.Value(metric); !ok || math.Abs(v.Value/w-1) > 1e-9 {
					t.Errorf("%s: %s is %g, want %g", name, metric, v.Value, w)
				}
			}
			if len(got) != 5 || got[0].Name != record.Throughput {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	o, err := reader.ReadFio(fioCapture(t, "fio-randrw-jobs.json"), reader.Limits())
	if err != nil {
		t.Fatal(err)
	}
	got, err := o.Values()
	sum := 0.0
	for _, s := range o.Sides() {
		sum += s.IOPS
	}
	// The median of all is between those of the reads and the writes.
	lowest, highest := math.Inf(1), 0.0
	for _, s := range o.Sides() {
		p := s.Lat.Percentile["50.000000"] * 1e-9
		lowest, highest = min(lowest, p), max(highest, p)
	}
	if v, _ := (record.Trial{Values: got}).Value(record.LatencyP50); v.Value < lowest*.99 || v.Value > highest*1.01 {
		t.Errorf("the median of all is %g, those of the directions %g to %g", v.Value, lowest, highest)
	}
	if err != nil || len(o.Sides()) != 4 || got[1].Value != sum || sum < 2*11324 {
		t.Errorf("%v: %d sides, %v", err, len(o.Sides()), got)
	}
}

func TestFioRefused(t *testing.T) {
	job :=
		`{"fio version":"fio-3.33","jobs":[{"jobname":"a","groupid":0,"error":0,"write":{"bw_bytes":1,"iops":1,"total_ios":1}}%s]}`
	for text, want := range map[string]string{
		"":                    "no fio JSON in nothing",
		"fio: failed\n":       "hint: fio --output-format=json+",
		"{":                   "invalid fio JSON",
		"{}":                  "or without jobs",
		`{"fio version":"x"}`: "or without jobs",
		`{"jobs":[{}]}`:       "not fio JSON",
		strings.ReplaceAll(job, "%s", `,{"groupid":1}`):  "one after the other",
		strings.ReplaceAll(job, "%s", `,{"error":5}`):    "failed with error 5",
		strings.ReplaceAll(job, "%s", `,{"usr_cpu":-1}`): "a negative figure, -1",
		`{"fio version":"x","jobs":[{"jobname":"a"}]}`:   "completed no reads or writes",
	} {
		if _, _, err := Parse([]byte(text), Ask{Format: reader.Fio}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if err := (Ask{Format: reader.Fio, Pattern: "x"}).Check(); err == nil {
		t.Error("a pattern is taken")
	}
	// Without bins or percentiles there are no latencies, and what there is stays.
	got, _, err := Parse([]byte(strings.ReplaceAll(job, "%s", "")), Ask{Format: reader.Fio})
	if err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestImportFio(t *testing.T) {
	var im Import
	b, err := im.Read(formatOf(reader.FioTool()), bytes.NewReader(fioCapture(t, "fio-write-grouped.json")),
		Options{File: "f", Machine: "m", Replicate: Unnumbered, Params: record.Params{"disk": "nvme"}})
	if err != nil {
		t.Fatal(err)
	}
	trials := slices.Collect(b.Trials("p"))
	if len(trials) != 1 || trials[0].Load.Key() != "64 clients" || trials[0].Keys["fio.bs"] != "16KiB" ||
		trials[0].Keys["fio.rw"] != "write" || trials[0].Keys["fio.disk"] != "nvme" {
		t.Errorf("%+v", trials)
	}
	if _, err := im.Read(formatOf(reader.FioTool()), strings.NewReader("{}"), Options{File: "f"}); err == nil ||
		!strings.Contains(err.Error(), "--machine NAME") {
		t.Error(err)
	}
}

// FuzzFio reads anything as fio's output; what is taken has finite values.
func FuzzFio(f *testing.F) {
	f.Add(fioCapture(f, "fio-write-grouped.json"))
	f.Add(
		[]byte(
			`{"fio version":"x","jobs":[{"read":{"bw_bytes":1e300,"iops":1e-300,"total_ios":1,"lat_ns":{"bins":{"1e308":5,"x":1}}}}]}`))
	fuzzParse(f, reader.Fio)
}

func FuzzImportFio(f *testing.F) {
	f.Add(fioCapture(f, "fio-randrw-jobs.json"))
	fuzzFormat(f, formatOf(reader.FioTool()), Options{File: "f", Machine: "m", Replicate: Unnumbered})
}

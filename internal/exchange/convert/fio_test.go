package convert

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
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

// TestFioText: the figures stand in the captures.
func TestFioText(t *testing.T) {
	for name, c := range map[string]struct {
		want   map[string]float64
		load   string
		params record.Params
	}{
		"fio-text.txt": {map[string]float64{"throughput": (79.2 + 79.7) * (1 << 20), "iops": (20308 + 20433) / 1.001,
			"cpu_per_op": (.012 + .232 + .04 + .197) * 1.001 / (20308 + 20433)}, "8 clients",
			record.Params{"rw": "randread", "bs": "4k", "ioengine": "libaio"}},
		"fio-text-group.txt": {map[string]float64{"throughput": (114 + 115) * (1 << 20), "iops": (29237 + 29368) / 1.001},
			"8 clients", record.Params{"rw": "randrw", "bs": "4k"}},
		"fio-text-fsync.txt": {map[string]float64{"throughput": 178 * (1 << 20), "iops": 2852 / 1.001, "latency_p50": 13e-6,
			"latency_p99": 63e-6, "sync_latency_p50": 676e-6, "sync_latency_p99": 4752e-6,
			"cpu_per_op": .1 * 1.001 / 2852}, "1 clients", record.Params{"rw": "write", "bs": "64k"}},
	} {
		text := fioCapture(t, name)
		b, trials := imported(t, formatNamed(t, reader.Fio), string(text), onMachine())
		wants(t, name, trials[0].Values, c.want, 1e-9)
		if got := trials[0].Load.Key(); got != c.load || len(trials) != 1 || len(b.Unread) > 0 {
			t.Errorf("%s: %d runs, %s, %q", name, len(trials), got, b.Unread)
		}
		for param, want := range c.params {
			if got := trials[0].Keys["fio."+param]; got != want {
				t.Errorf("%s: %s is %q, want %q", name, param, got, want)
			}
		}
		if doubts := trials[0].Doubts; len(doubts) > 0 {
			t.Errorf("%s: %q", name, doubts)
		}
		_, trials = imported(t, formatNamed(t, reader.Fio), string(text)+"\n"+string(text), onMachine())
		if len(trials) != 2 || !slices.Equal(trials[0].Values, trials[1].Values) {
			t.Errorf("%s twice: %v", name, trials)
		}
	}
}

// TestFioTextRefused: what it states twice agrees, and what is not read is named.
func TestFioTextRefused(t *testing.T) {
	text := string(fioCapture(t, "fio-text.txt"))
	_, second, _ := strings.Cut(text, "depth=4\nr: (g")
	second = "r: (g" + second
	for name, c := range map[string]struct{ text, want string }{
		"a rate of other reads": {strings.Replace(text, "IOPS=20.3k", "IOPS=30.3k", 1), "30300/s are stated"},
		"a job is missing":      {text[:strings.Index(text, "r: (groupid")] + second, "a part of the output is missing"},
		"a job failed":          {strings.Replace(text, "err= 0", "err=28 (file:x.c:1, error=No space left)", 1), "error 28"},
		"no depth":              {text[strings.Index(text, "r: (groupid"):], "hint: set what was in flight with --load N"},
		"several groups":        {strings.Replace(text, "groupid=0", "groupid=1", 1), "ran one after the other"},
		"fio 2": {"r: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=4\nfio-2.2.10\n" +
			"r: (groupid=0, jobs=1): err= 0: pid=1: x\n  read : io=96MB, bw=48MB/s, iops=12345, runt=  2001msec\n",
			"the plain text of fio 2 is not read"},
		"terse":  {string(fioCapture(t, "fio-terse.txt")), "the terse output of fio (--minimal) is not read"},
		"a list": {`[{"fio version":"fio-3.33","jobs":[]}]`, "a list of documents"},
	} {
		if got := Recognise([]byte(c.text)); len(got) != 1 || got[0].Name != reader.Fio {
			t.Errorf("%s: recognised as %v", name, got)
		}
		_, err := new(Import).Read(formatNamed(t, reader.Fio), strings.NewReader(c.text), onMachine())
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "hint: ") &&
			name != "a job failed" {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestFioJSONOfAnyWriter: its order and spaces are the writer's.
func TestFioJSONOfAnyWriter(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(fioCapture(t, "fio-write-grouped.json"), &doc); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	indented, err := json.MarshalIndent(doc, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	_, want := imported(t, formatNamed(t, reader.Fio), string(fioCapture(t, "fio-write-grouped.json")), onMachine())
	for name, text := range map[string]string{
		"sorted on one line": string(sorted), "indented": string(indented), "behind spaces": " \r\n  " + string(sorted),
		"with CRLF":      strings.ReplaceAll(string(indented), "\n", "\r\n"),
		"after a note":   "fio: a note\n   " + string(sorted),
		"after its text": string(fioCapture(t, "fio-text.txt")) + string(indented) + "\n",
	} {
		if got := Recognise([]byte(text)); len(got) != 1 || got[0].Name != reader.Fio {
			t.Errorf("%s: recognised as %v", name, got)
			continue
		}
		_, trials := imported(t, formatNamed(t, reader.Fio), text, onMachine())
		if !slices.Equal(trials[0].Values, want[0].Values) || !maps.Equal(trials[0].Keys, want[0].Keys) {
			t.Errorf("%s: %v, want %v", name, trials[0], want[0])
		}
	}
}

func FuzzImportFioText(f *testing.F) {
	for _, name := range []string{"fio-text.txt", "fio-text-group.txt", "fio-text-fsync.txt", "fio-terse.txt"} {
		f.Add(fioCapture(f, name))
	}
	fuzzFormat(f, formatNamed(f, reader.Fio), onMachine())
}

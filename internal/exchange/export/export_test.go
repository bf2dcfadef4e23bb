package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/perf/benchfmt"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/analysis/history"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// secretText is a secret that an old session holds written out.
const secretText = "geheim12345"

// logOf returns a session of a machine with five runs of a cell, a failed run and a pilot.
func logOf(machine string, header string) *session.Log {
	load := record.LoadPoint{Kind: record.Closed, Level: 8, Unit: record.ParamClients}
	log := &session.Log{Machines: []record.Machine{{Name: machine, ID: machine}},
		Plans: []record.PlanLine{{Hash: "p", Plan: record.Plan{
			Name: "n", Hosts: []string{"env TOKEN=" + secretText + " ssh host"}, Cells: []record.Cell{
				{Workload: "http", Params: record.Params{"header": header}, Load: load}},
		}}}}
	for i := range 7 {
		t := record.Trial{ID: fmt.Sprint(machine, i), Slot: record.Slot{Plan: "p", Replicate: i}, Load: load, DurationS: 10,
			Keys: map[string]string{record.KeyMachine: machine, record.KeyMachineID: machine, record.KeyWorkload: "http",
				record.KeyLoad: load.Key(),
				"http.path":    "/a b/ü", "http.header": header, "http.password": secretText, "label.build": "main",
				"engine.nginx": "1.22", "secret.TOKEN": "0da", record.KeyFile: "night-1"},
			Values: []record.Value{
				{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: 1000 + float64(i)},
				{Metric: record.Metric{Name: record.LatencyP99, Unit: "s", Better: record.Lower}, Value: .001}}}
		if i == 5 {
			t.Void = "failed with password=" + secretText
		}
		t.Pilot = i == 6
		log.Trials = append(log.Trials, t)
	}
	return log
}

// TestSecretsStay: what is written out in a session leaves it in no format, references and digests do.
func TestSecretsStay(t *testing.T) {
	log := logOf("vm", "Authorization: Bearer "+secretText+"\nX-Other: ${NAME}")
	log.Plans[0].Plan.Seed = math.MaxUint64
	masked, found, err := Masked(log)
	if err != nil || len(found) < 3 {
		t.Fatalf("%q, %v", found, err)
	}
	for _, o := range Outputs() {
		var b bytes.Buffer
		if _, err := o.Write(&b, masked); err != nil {
			t.Fatal(o.Name, err)
		}
		if text := b.String(); strings.Contains(text, secretText) || !strings.Contains(text, "${NAME}") {
			t.Errorf("%s:\n%s", o.Name, text)
		}
	}
	if masked.Plans[0].Plan.Seed != math.MaxUint64 {
		t.Errorf("the seed became %d", masked.Plans[0].Plan.Seed)
	}
	if log.Trials[0].Keys["http.password"] != secretText {
		t.Error("the session was changed")
	}
	if masked.Trials[0].Keys["secret.TOKEN"] != "0da" || masked.Trials[5].Void != "failed with password=***" {
		t.Errorf("%+v", masked.Trials[5])
	}
	clean := logOf("vm", "Accept: a")
	for i := range clean.Trials {
		delete(clean.Trials[i].Keys, "http.password")
	}
	clean.Plans[0].Plan.Hosts, clean.Trials[5].Void = nil, ""
	if _, found, err := Masked(clean); err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
}

// TestBenchLines: the library of benchstat reads every run, its configuration and the direction of its metrics.
func TestBenchLines(t *testing.T) {
	var b bytes.Buffer
	left, err := writeBench(&b, logOf("vm", "Accept: a"))
	if err != nil || left != 2 {
		t.Fatalf("%d left, %v", left, err)
	}
	r, n := benchfmt.NewReader(&b, "x"), 0
	for r.Scan() {
		switch got := r.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Fatal(got)
		case *benchfmt.Result:
			n++
			v, ok := got.Value("throughput-op/s")
			if !ok || v < 1000 || v > 1004 || got.GetConfig("machine") != "vm" || got.GetConfig("session") != "night-1" ||
				got.GetConfig("label.build") != "main" || got.GetConfig("engine.nginx") != "1.22" {
				t.Errorf("%+v", got)
			}
			if name := string(got.Name.Full()); !strings.HasPrefix(name, "Http/header=Accept:_a") ||
				!strings.Contains(name, "/path=_a_b_ü") || !strings.HasSuffix(name, "/load=8_clients") {
				t.Errorf("the name is %q", name)
			}
		}
	}
	if better := r.Units().GetBetter("latency_p99-s"); n != 5 || better >= 0 {
		t.Errorf("%d results, better %d", n, better)
	}
}

// TestBenchNumberIsNoGOMAXPROCS: the library of benchstat, as others that read the format, takes a number at the end of
// a name for the CPUs, and a parameter may end in one.
func TestBenchNumberIsNoGOMAXPROCS(t *testing.T) {
	var b bytes.Buffer
	log := logOf("vm", "d-8")
	for i := range log.Trials {
		delete(log.Trials[i].Keys, "http.path")
	}
	if _, err := writeBench(&b, log); err != nil {
		t.Fatal(err)
	}
	for r := benchfmt.NewReader(&b, "x"); r.Scan(); {
		if got, ok := r.Result().(*benchfmt.Result); ok {
			for _, part := range parts(got.Name) {
				if strings.HasPrefix(part, "-") {
					t.Errorf("%q has %q", got.Name, part)
				}
			}
		}
	}
}

// parts returns the parts of a benchmark's name behind the first.
func parts(name benchfmt.Name) []string {
	var out []string
	_, all := name.Parts()
	for _, p := range all {
		out = append(out, string(p))
	}
	return out
}

// TestBencher: the document satisfies Bencher's schema, has intervals, and names machines where there are several.
func TestBencher(t *testing.T) {
	log := logOf("vm", "Accept: a")
	text := bencherText(t, log)
	if !strings.Contains(text, `"http at 8 clients, `) || strings.Count(text, "lower_value") != 2 {
		t.Error(text)
	}
	other := logOf("vm2", strings.Repeat("long ", 300))
	log.Machines, log.Trials = append(log.Machines, other.Machines...), append(log.Trials, other.Trials...)
	text = bencherText(t, log)
	if !strings.Contains(text, `"vm: http at 8 clients, `) || !strings.Contains(text, `"vm2: http at `) {
		t.Error(text)
	}
	var all map[string]any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if len(name) > maxBenchmark {
			t.Errorf("a name of %d bytes", len(name))
		}
	}
}

// TestBencherOfMeans: a mean with its deviation has the interval of show.
func TestBencherOfMeans(t *testing.T) {
	log := logOf("vm", "Accept: a")
	log.Trials = log.Trials[:1]
	name := log.Trials[0].Values[0].Name
	for n, want := range map[int]int{1: 0, 2: 0, 10: 1} {
		log.Trials[0].Moments = map[string]record.Moments{name: {N: n, SD: log.Trials[0].Values[0].Value / 10}}
		if text := bencherText(t, log); strings.Count(text, "lower_value") != want {
			t.Errorf("n=%d: %s", n, text)
		}
	}
}

func bencherText(t *testing.T, log *session.Log) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := writeBencher(&b, log); err != nil {
		t.Fatal(err)
	}
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "bmf.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b.Bytes()))
	if err == nil {
		err = s.Validate(doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMetrics: names end with their units, labels are escaped, and the end is marked. A script holds it to the
// reference parser.
func TestMetrics(t *testing.T) {
	log := logOf("vm", `quote " and \ and`+"\nline")
	var b bytes.Buffer
	if _, err := writeMetrics(&b, log); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"# TYPE plimsoll_throughput_operations_per_second gauge\n# UNIT plimsoll_throughput_operations_per_second " +
			"operations_per_second\n",
		"plimsoll_throughput_lower_operations_per_second{",
		`header="quote \" and \\ and\nline",label_build="main",load="8 clients",machine="vm"`,
		"plimsoll_latency_p99_seconds{", "} 0.00100",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if !strings.HasSuffix(text, "\n# EOF\n") || strings.Contains(text, "secret") {
		t.Error(text)
	}
}

// TestControlCharacters: names from elsewhere control no terminal that shows an export.
func TestControlCharacters(t *testing.T) {
	log := logOf("vm\x1b[31m", "a\x1b[2J")
	for _, o := range Outputs()[2:] {
		var b bytes.Buffer
		if _, err := o.Write(&b, log); err != nil || strings.Contains(b.String(), "\x1b") {
			t.Errorf("%s: %v\n%q", o.Name, err, b.String())
		}
	}
}

// kept returns a night of two cells.
func kept(n int, typ, id string, cells ...explore.Cell) explore.Kept {
	return explore.Kept{File: explore.File{Name: fmt.Sprint("night-", n)},
		Summary: explore.Summary{Ended: "done", Machines: []explore.Machine{{
			Name: "ip-" + id, ID: id, Type: typ, Began: fmt.Sprintf("2026-03-%02dT02:00:00.5Z", n), Cells: cells, Runs: n}}}}
}

func cellAt(id, what string, v float64) explore.Cell {
	return explore.Cell{ID: "ip-" + id + ": " + what, Title: what, Metric: "throughput", Unit: "op/s",
		Better: record.Higher, N: 3, Runs: []float64{v}}
}

// TestOtava: a row a night in the order of times, branches of several types, no gap in what a branch has.
func TestOtava(t *testing.T) {
	var all []explore.Kept
	for n := 5; n > 0; n-- {
		a, b := cellAt(fmt.Sprint("a", n), "put", 1), cellAt(fmt.Sprint("a", n), "get", 2)
		a.Value, b.Value = float64(n), float64(10*n)
		of := []explore.Cell{a, b}
		if n == 3 {
			of = of[:1]
		}
		all = append(all, kept(n, "m6g.large", fmt.Sprint("a", n), of...))
	}
	var out bytes.Buffer
	left, err := WriteOtava(&out, history.Of(all, true))
	want := "time,machine_id,session,get throughput,put throughput\n2026-03-01T02:00:00Z,a1,night-1,10,1\n" +
		"2026-03-02T02:00:00Z,a2,night-2,20,2\n" +
		"2026-03-04T02:00:00Z,a4,night-4,40,4\n2026-03-05T02:00:00Z,a5,night-5,50,5\n"
	if err != nil || len(left) != 1 || left[0] != "night-3" || out.String() != want {
		t.Errorf("%q, %v:\n%s", left, err, out.String())
	}
	for n := 1; n < 4; n++ {
		c := cellAt(fmt.Sprint("b", n), "put", 1)
		c.Value = float64(100 * n)
		k := kept(n, "m7g.large", fmt.Sprint("b", n), c)
		k.File.Name = fmt.Sprint("other-", n)
		all = append(all, k)
	}
	out.Reset()
	if _, err := WriteOtava(&out, history.Of(all, true)); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.HasPrefix(text, "time,branch,machine_id,session,") ||
		!strings.Contains(text, "2026-03-02T02:00:00Z,m7g.large,b2,other-2,,200\n") {
		t.Error(text)
	}
}

// TestNamesOfFormats: each has a name of its own and a description.
func TestNamesOfFormats(t *testing.T) {
	names, docs := Formats()
	seen := map[string]bool{}
	for i, n := range names {
		if seen[n] || docs[i] == "" {
			t.Errorf("%s: %q", n, docs[i])
		}
		seen[n] = true
	}
	if _, err := os.Stat("testdata/bmf.json"); err != nil {
		t.Error(err)
	}
}

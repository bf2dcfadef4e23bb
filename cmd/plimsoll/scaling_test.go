package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// sweepFile is a session of one machine whose throughput at n CPUs is known.
func sweepFile(t *testing.T, machine string, most int, value func(n int) float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), machine+".plimsoll.jsonl")
	w, err := session.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Machine(record.Machine{Name: machine, ID: "id-" + machine,
		CPU: record.CPU{Cores: 4, Threads: 8, ThreadsPerCore: 2}}); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= most; n++ {
		for i := range 3 {
			load := record.LoadPoint{Kind: record.Closed, Level: float64(n), Unit: record.ParamCPUs}
			err := w.Trial(record.Trial{
				ID: fmt.Sprintf("%s-%d-%d", machine, n, i), Slot: record.Slot{Plan: "p-" + machine, Cell: n, Replicate: i},
				Load: load,
				Keys: map[string]string{
					record.KeyMachine: machine, record.KeyMachineID: "id-" +
						machine, record.KeyWorkload: "aes-gcm", record.KeyLoad: load.Key(), "aes-gcm.cpus": strconv.Itoa(n),
				},
				Values: []record.Value{
					{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher},
						Value: value(n) * (1 + .003*float64(i-1))}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func cores(n int) float64   { return 6e9 * float64(n) }
func threads(n int) float64 { return 8e9 * (math.Min(float64(n), 4) + .26*math.Max(0, float64(n)-4)) }

// typed runs a command line in this process.
func typed(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = start(args, strings.NewReader(""), &out, &err, os.Getenv)
	return out.String(), err.String(), code
}

func TestShowScaling(t *testing.T) {
	file := sweepFile(t, "smt", 8, threads)
	out, _, code := typed(t, "show", file, "--json")
	var doc struct {
		Cells    []struct{ ID string }
		Findings []struct {
			Kind  string
			Cells []string
			Body  json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != exitDone || len(doc.Cells) != 8 {
		t.Fatalf("code %d, %v, %d cells", code, err, len(doc.Cells))
	}
	var found int
	var s struct {
		Model           string
		LinearTo        int     `json:"linear_to"`
		SMTYield        float64 `json:"smt_yield"`
		EfficiencyAtMax float64 `json:"efficiency_at_max"`
		Peak            struct{ CPUs int }
	}
	for _, f := range doc.Findings {
		if f.Kind != "scaling" {
			continue
		}
		found++
		if err := json.Unmarshal(f.Body, &s); err != nil || f.Cells[0] != doc.Cells[7].ID {
			t.Errorf("it is at %s: %v", f.Cells[0], err)
		}
	}
	if found != 1 {
		t.Errorf("%d findings", found)
	}
	if s.Model != "smt" || s.LinearTo != 4 || math.Abs(s.SMTYield-.26) > .01 || math.Abs(s.EfficiencyAtMax-.63) > .01 ||
		s.Peak.CPUs != 8 {
		t.Errorf("%+v", s)
	}
}

func TestCompareCrossing(t *testing.T) {
	a, b := sweepFile(t, "arm", 8, cores), sweepFile(t, "smt", 8, threads)
	out, _, code := typed(t, "compare", "-v", a, b)
	if code != exitDone || !strings.Contains(out, "smt is better at low cpus, arm at high: they cross between") ||
		!strings.Contains(out, "smt would reach the throughput of arm with 2 more CPUs than its 8 (") {
		t.Errorf("code %d:\n%s", code, out)
	}
}

func TestMaxCPUs(t *testing.T) {
	a, b := sweepFile(t, "arm", 8, cores), sweepFile(t, "smt", 12, threads)
	out, said, code := typed(t, "show", b, "--max-cpus", "5")
	if code != exitDone || strings.Contains(out, "6 cpus") || !strings.Contains(out, "5 cpus") ||
		!strings.Contains(said, "--max-cpus 5 left out 21 runs") {
		t.Errorf("code %d, %s\n%s", code, said, out)
	}
	out, said, code = typed(t, "compare", a, b, "--max-cpus", "4")
	if code != exitDone || strings.Contains(out, "5 cpus") || strings.Contains(out, "crossing") ||
		!strings.Contains(said, "left out 36 runs") {
		t.Errorf("code %d, %s\n%s", code, said, out)
	}
	if _, said, code = typed(t, "show", b, "--max-cpus", "12"); code != exitDone || said != "" {
		t.Errorf("code %d, %q where nothing is left out", code, said)
	}
	if _, said, code = typed(t, "show", b, "--max-cpus", "-1"); code != exitUsage ||
		!strings.Contains(said, "--max-cpus -1: at least 1 is needed") {
		t.Errorf("code %d, %q", code, said)
	}
}

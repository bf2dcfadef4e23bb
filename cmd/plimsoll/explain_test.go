package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding/explain"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// writeProfiled makes a session of two levels of a factor, the second of which takes three times the CPU time for
// encryption, and profiles of both.
func writeProfiled(t *testing.T, path string) {
	t.Helper()
	w, err := session.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	load := record.LoadPoint{Kind: record.Closed, Level: 8, Unit: "clients"}
	p := record.Plan{Name: "kafka", Session: "s", Claim: plan.ClaimMachine, Margin: .02, Alpha: .05, Replicates: 5,
		DurationS: 10, Hosts: []string{"a"}, Factors: []record.Factor{{Name: "aes", Levels: []string{"on", "off"}}}}
	for _, level := range []string{"on", "off"} {
		p.Cells = append(p.Cells, record.Cell{Workload: "kafka",
			Params: record.Params{"broker.java_options": javaOptions(level)}, Load: load, Host: "m1",
			Levels: map[string]string{"aes": level}})
	}
	hash := plan.Hash(p)
	r := rand.New(rand.NewPCG(1, 0))
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(w.Machine(record.Machine{Format: record.Format, Name: "m1", ID: "id-m1", Arch: "amd64"}))
	check(w.Plan(record.PlanLine{Hash: hash, Plan: p}))
	for i := range p.Replicates {
		for cell, level := range []string{"on", "off"} {
			for _, profiled := range []bool{false, true} {
				check(writeTrial(w, r, p, hash, i, cell, level, profiled))
			}
		}
	}
	check(w.End(record.End{Plan: hash, Reason: "done", Trials: 4 * p.Replicates}))
	check(w.Close())
}

func javaOptions(level string) string {
	if level == "off" {
		return "-XX:-UseAES"
	}
	return ""
}

func writeTrial(out *session.Writer, r *rand.Rand, p record.Plan, hash string, replicate, cell int, level string,
	profiled bool) error {
	crypto := 8e-6 * math.Exp(.05*r.NormFloat64())
	if level == "off" {
		crypto *= 3
	}
	perOp := 20e-6*math.Exp(.05*r.NormFloat64()) + crypto
	o := record.Order{Slot: record.Slot{Plan: hash, Replicate: replicate, Profiled: profiled},
		Sides: []record.Side{{Cell: cell}}}
	tr := record.Trial{
		ID: o.SlotOf(0).ID(), Slot: record.Slot{Plan: hash, Cell: cell, Replicate: replicate, Profiled: profiled},
		Load: p.Cells[cell].Load, DurationS: 10,
		Keys: map[string]string{record.KeyMachine: "m1", record.KeyWorkload: "kafka", record.KeyLoad: "8 clients",
			"factor.aes": level, "kafka.broker.java_options": javaOptions(level)},
		Values: []record.Value{
			{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: 2 / perOp},
			{Metric: record.Metric{Name: "cpu_per_op", Unit: "s", Better: record.Lower}, Value: perOp},
		},
	}
	if profiled {
		n := int64(1000 * crypto / perOp)
		frame := func(name string) []record.Frame { return []record.Frame{{Function: name, Module: record.ModuleJava}} }
		data, err := session.EncodeProfile(record.Profile{Clock: record.ClockCPU, PeriodNs: 1e7, Stacks: []record.Stack{
			{Frames: frame("com.sun.crypto.provider.GHASH.processBlock"), N: n},
			{Frames: frame("kafka.server.KafkaApis.handle"), N: 1000 - n}}})
		if err != nil {
			return err
		}
		if err := out.Series(record.Series{Trial: tr.ID, Name: record.ProfileCPU, Unit: "op", Enc: record.EncProfile,
			Data: data}); err != nil {
			return err
		}
	}
	return out.Trial(tr)
}

// told runs the command line, with what it printed.
func told(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := start(args, strings.NewReader(""), &stdout, &stderr, func(string) string { return "" }); code != 0 {
		t.Fatalf("%v: exit code %d: %s", args, code, stderr.String())
	}
	return strings.Join(strings.Fields(stdout.String()), " ")
}

// TestWhySidesDiffer: from profiles in a file to sentences, JSON and a page.
func TestWhySidesDiffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.plimsoll.jsonl")
	writeProfiled(t, path)
	for _, args := range [][]string{{"compare", path, "--by", "aes"}, {"show", path}} {
		for _, want := range []string{"% of the gap is crypto: aes=off uses", "known: leave out the options",
			"source: https://openjdk.org/jeps/164"} {
			if text := told(t, args...); !strings.Contains(text, want) {
				t.Errorf("%v does not say %q: %s", args, want, text)
			}
		}
		text := told(t, append(args, "--no-known-issues")...)
		if !strings.Contains(text, "% of the gap is crypto: aes=off uses") || strings.Contains(text, "openjdk.org") {
			t.Errorf("%v without known issues: %s", args, text)
		}
	}
	var doc struct {
		Pairs []struct {
			Findings []struct {
				Kind string
				Body explain.Explanation
			}
		}
	}
	if err := json.Unmarshal([]byte(told(t, "compare", path, "--by", "aes", "--json")), &doc); err != nil {
		t.Fatal(err)
	}
	var x []explain.Explanation
	for _, f := range doc.Pairs[0].Findings {
		if f.Kind == "explain" {
			x = append(x, f.Body)
		}
	}
	if len(x) != 1 || fmt.Sprint(x[0].Causes) != "[crypto]" || x[0].Categories[0].Share == nil ||
		*x[0].Categories[0].Share < .8 {
		t.Errorf("got %+v", x)
	}
	page := filepath.Join(t.TempDir(), "r.html")
	told(t, "report", path, "-o", page)
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "Why they differ") ||
		!strings.Contains(string(html), "difference by category: kafka") {
		t.Errorf("the report does not say why, %v", err)
	}
}

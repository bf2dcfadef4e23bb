package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// writeSessions makes a file of sessions of two machines, pairs of trials each.
func writeSessions(tb testing.TB, path string, sessions, pairs int) {
	tb.Helper()
	w, err := session.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 0))
	err = w.Bulk(func(out *session.Bulk) error {
		for s := range sessions {
			if err := writeSession(out, fmt.Sprint(s), pairs, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

func writeSession(out *session.Bulk, name string, pairs int, r *rand.Rand) error {
	machines := []string{"m5d.8xlarge", "m6gd.8xlarge"}
	p := record.Plan{Name: "aes-gcm", Session: name, Claim: plan.ClaimMachine, Margin: .02, Alpha: .05, Replicates: pairs,
		DurationS: 10, Hosts: []string{"a", "b"}}
	load := record.LoadPoint{Kind: record.Closed, Level: 32, Unit: "cpus", All: true}
	for _, m := range machines {
		p.Cells = append(p.Cells, record.Cell{Workload: "aes-gcm", Params: record.Params{"size": "16KiB"}, Load: load,
			Host: m})
		if err := out.Machine(record.Machine{Format: record.Format, Name: m, ID: "id-" + m}); err != nil {
			return err
		}
	}
	hash := plan.Hash(p)
	if err := out.Plan(record.PlanLine{Hash: hash, Plan: p}); err != nil {
		return err
	}
	for i := range pairs {
		drift := 1e9 * math.Exp(.1*r.NormFloat64())
		for side, m := range machines {
			v := drift * math.Exp(.05*float64(side)+.02*r.NormFloat64())
			o := record.Order{Slot: record.Slot{Plan: hash, Replicate: i}, Sides: []record.Side{{Cell: side}}}
			err := out.Trial(record.Trial{
				ID: o.SlotOf(0).ID(), Slot: record.Slot{Plan: hash, Cell: side, Replicate: i}, Load: load, DurationS: 10,
				Keys: map[string]string{record.KeyMachine: m, record.KeyWorkload: "aes-gcm", record.KeyLoad: load.Key(),
					"aes-gcm.size": "16KiB"},
				Values: []record.Value{
					{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher}, Value: v}},
			})
			if err != nil {
				return err
			}
		}
	}
	return out.End(record.End{Plan: hash, Reason: "done", Trials: 2 * pairs})
}

// compareSessions is the command line, with what it printed.
func compareSessions(tb testing.TB, path string) string {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	if code := start([]string{"compare", path}, strings.NewReader(""), &stdout, &stderr,
		func(string) string { return "" }); code != 0 || stderr.Len() > 0 {
		tb.Fatalf("exit code %d: %s", code, stderr.String())
	}
	return stdout.String()
}

func TestManySessionsAreOneSample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.plimsoll.jsonl")
	writeSessions(t, path, 40, 5)
	if got := compareSessions(t, path); !strings.Contains(got, "200 pairs") || !strings.Contains(got, "DIFFERENT") {
		t.Error(got)
	}
}

// BenchmarkCompareFile is `plimsoll compare` of 10,000 sessions of two machines and ten trials, read
// from a file, and the most memory that this process took.
func BenchmarkCompareFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "many.plimsoll.jsonl")
	writeSessions(b, path, 10_000, 5)
	for b.Loop() {
		compareSessions(b, path)
	}
	var use unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &use); err == nil {
		b.ReportMetric(float64(use.Maxrss)/1024, "MiB-most")
	}
}

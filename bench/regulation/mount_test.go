package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/selftest/bucket"
)

// TestPacerKeepsTheTruth: reads that all come at once end when the bucket lets them, to the nanosecond.
func TestPacerKeepsTheTruth(t *testing.T) {
	const size = 1 << 14
	gate := &bucket.Renewed{Period: 10, Amount: 8 * size, Random: rand.New(rand.NewPCG(1, 0))}
	p := &pacer{rate: 1e9, gate: gate}
	var last time.Time
	for range 8*5 + 1 {
		last = p.end(size)
	}
	// The first allowance begins at once and the sixth 50 s later.
	if got := last.Sub(p.from).Seconds(); math.Abs(got-50-size/1e9) > 1e-6 {
		t.Errorf("the 41st read ends after %v s", got)
	}
}

func TestPacedDiskIsAFileSystem(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("mounting takes root")
	}
	if _, err := os.Stat("/dev/fuse"); err != nil {
		t.Skip("no /dev/fuse")
	}
	dir := t.TempDir()
	stop, err := mount(dir, &pacer{rate: 1e12})
	if err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}()
	want := bytes.Repeat([]byte("plimsoll"), 1<<14)
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, want, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove(name); err != nil {
		t.Error(err)
	}
	got := make([]byte, len(want))
	if _, err := f.ReadAt(got, 0); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: what was written is not read", err)
	}
}

func TestDrawnDisksAreTheSameByTheirSeed(t *testing.T) {
	classes := map[string]int{}
	for i := range 12 {
		a, b, c := drawn(7, i), drawn(7, i), drawn(8, i)
		if a.String() != b.String() || a.burst == c.burst {
			t.Errorf("disk %d: %s, %s, %s", i, a, b, c)
		}
		classes[a.class]++
		if a.class == "quantum" && (a.rate/a.burst < .05 || a.rate/a.burst > .5 || a.measure.Seconds() < 12*a.period) {
			t.Errorf("disk %d: %s over %s", i, a, a.measure)
		}
	}
	if classes["quantum"] != 6 || classes["credit"] != 2 || classes["stalls"] != 2 || classes["smooth"] != 2 {
		t.Errorf("%v", classes)
	}
}

func TestResultRow(t *testing.T) {
	period, rate, amount := .0998, 1.02e8, 1e7
	r := result{truth{class: "quantum", period: .1, amount: 1e7, rate: 1e8, burst: 4e8},
		found{Class: "quantum", PeriodS: &period, Rate: &rate, QuantumBytes: &amount}}
	if text := r.String(); !strings.Contains(text, "-0.20 %  +0.00 %  +2.00 %") || !strings.Contains(text, "duty 25 %") {
		t.Errorf("%q", text)
	}
	if text := (result{truth{class: "smooth", burst: 1e8}, found{Class: "none"}}).String(); strings.Contains(text, "NaN") {
		t.Errorf("%q", text)
	}
}

package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/profile"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// madeProfile is of stacks as "outer;inner;innermost", by which those in capitals are the kernel's.
func madeProfile(stacks map[string]int64) record.Profile {
	p := record.Profile{Clock: record.ClockCycles, PeriodNs: 1e6}
	for text, n := range stacks {
		s := record.Stack{N: n, Thread: "worker-1"}
		for _, name := range slices.Backward(strings.Split(text, ";")) {
			f := record.Frame{Function: name, Module: "web"}
			if name == strings.ToUpper(name) {
				f.Module = record.ModuleKernel
			}
			s.Frames = append(s.Frames, f)
		}
		p.Stacks = append(p.Stacks, s)
	}
	return p
}

func flamePage() Page {
	a := madeProfile(map[string]int64{"main;serve;SEND": 500, "main;serve;parse": 300, "main;serve;encrypt": 200})
	b := madeProfile(map[string]int64{"main;serve;SEND": 500, "main;serve;parse": 300})
	waits := madeProfile(map[string]int64{"POLL": 90, "FUTEX": 10})
	return Page{Title: "flames", Profiles: profile.Drawn([]profile.Flame{
		{Label: "m1: web at 8 clients", Trials: 3, CPU: a, Waits: waits, PerOp: 10e-6, WaitPerOp: 1e-3}},
		[]profile.FlameDiff{
			{Label: "web at 8 clients", A: profile.FlameSide{Name: "m1", CPU: a, PerOp: 10e-6},
				B: profile.FlameSide{Name: "m2", CPU: b, PerOp: 8e-6}}})}
}

func TestFlameOnThePage(t *testing.T) {
	text := reportText(t, flamePage())
	for _, want := range []string{
		"m1: web at 8 clients: CPU time", "1000 samples of 3 runs, by cycles, every 1 ms; 10.0 µs of CPU an operation",
		"encrypt, web; 20.0% of the samples of CPU time, 2.00 µs of CPU an operation", "worker-#",
		"encrypt, web; m1: 2.00 µs; m2: 0 s",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	all := elements(t, text)
	frames := 0
	for _, e := range all {
		if e.name == "svg" && strings.HasPrefix(e.attrs["class"], "frame ") {
			frames++
		}
	}
	if frames != 6+4+6 || countElements(all, "script", "") != 2 {
		t.Errorf("%d frames and %d scripts", frames, countElements(all, "script", ""))
	}
}

// TestFlamesAreSmall: ten thousand different stacks of forty calls make a graph that can be sent by mail.
func TestFlamesAreSmall(t *testing.T) {
	var p record.Profile
	for i := range 10_000 {
		s := record.Stack{N: 1}
		for depth := range 40 {
			s.Frames = append(s.Frames,
				record.Frame{Function: fmt.Sprintf("org.example.SomeClass%d.method%d", i%(1<<(depth%12)), depth),
					Module: record.ModuleJava})
		}
		slices.Reverse(s.Frames)
		p.Stacks = append(p.Stacks, s)
	}
	empty := len(
		reportText(t, Page{Profiles: profile.Drawn([]profile.Flame{{CPU: madeProfile(map[string]int64{"main": 1})}}, nil)}))
	if n := len(reportText(t, Page{Profiles: profile.Drawn([]profile.Flame{{CPU: p, Trials: 1}}, nil)})) -
		empty; n > 500_000 {
		t.Errorf("%d bytes", n)
	}
}

func TestProfileTables(t *testing.T) {
	c := aesCell("m1", "16KiB", "8 clients")
	c.N, c.Value = 3, 1e9
	c.Found = profile.KindProfile.Put(c.Found,
		&profile.Profile{N: 3, Samples: 12345, Clock: record.ClockCPU, PeriodS: 5.076142e-3,
			PerOp: new(figure.Between(19e-6, 21e-6).Around(20e-6)),
			CPU: []profile.Spent{
				{Category: category.Crypto, Share: figure.Between(.55, .65).Around(.6),
					PerOp: new(figure.Between(11e-6, 13e-6).Around(12e-6))}},
			Waits:  []profile.Spent{{Category: category.WaitingIdle, Share: estimate.Estimate{Value: 1}}},
			Doubts: told("only 100 samples")})
	var b strings.Builder
	if err := Show(&b, term.Style{Width: 100}, finding.Shown{Workloads: []finding.Cell{c}}, block.Depth{}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"profile 8 clients: 12345 samples of CPU time, by cpu-clock every 5.08 ms (n=3)",
		"crypto 55.0 to 65.0% 60.0% 11.0 to 13.0 µs 12.0 µs",
		"waiting threads share, interval share idle none 100.0%",
		"per operation 19.0 to 21.0 µs, by estimate 20.0 µs of CPU while it was profiled", "note only 100 samples",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

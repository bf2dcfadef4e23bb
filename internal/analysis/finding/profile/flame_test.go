package profile

import (
	"encoding/json"
	"fmt"
	"math"
	"plimsoll/internal/analysis/category"
	"plimsoll/internal/present/media/html"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"slices"
	"strings"
	"testing"
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

// drawnNodes are "NAME FROM-TO" of each frame, in percent.
func drawnNodes(tree *flameNode) []string {
	var out []string
	tree.Drawn(false).Walk(func(n *block.Frame, x, width float64) {
		out = append(out, fmt.Sprintf("%s%s %.0f-%.0f", strings.Repeat(" ", n.Depth), n.Name, 100*x, 100*(x+width)))
	})
	return out
}

func TestFlameTree(t *testing.T) {
	p := madeProfile(map[string]int64{"main;read;COPY": 250, "main;read": 50, "main;parse": 200, "main;a": 1, "main;b": 1,
		"main;c": 1, "other": 487})
	p.Stacks = append(p.Stacks, record.Stack{N: 10})
	tree, ok := flameTree(p, new(category.Memory).OfCPU(p))
	want := []string{"all 0-100", " [not walked] 0-1", " main 1-51", "  a 1-1", "  b 1-1", "  c 1-1", "  parse 1-21",
		"  read 21-51", "   COPY 21-46", " other 51-100"}
	if got := drawnNodes(tree); !ok || !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i := range p.Stacks { // a thousandth of what it was, for those of a single sample
		if p.Stacks[i].N > 1 {
			p.Stacks[i].N *= 2
		}
	}
	tree, _ = flameTree(p, new(category.Memory).OfCPU(p))
	if got := drawnNodes(tree); !slices.Contains(got, "  (smaller ones) 51-51") || slices.Contains(got, "  a 1-1") {
		t.Errorf("got %q: what is under a thousandth is one frame", got)
	}
	if _, ok := flameTree(record.Profile{}, nil); ok {
		t.Error("a tree of nothing")
	}
}

func TestShortFrame(t *testing.T) {
	for name, c := range map[string]struct{ module, want string }{
		"org.apache.kafka.common.network.Selector.poll": {record.ModuleJava, "Selector.poll"},
		"main": {record.ModuleJava, "main"},
		"crypto/internal/fips140/aes/gcm.gcmAesEnc": {"plimsoll", "gcm.gcmAesEnc"},
		"ObjectMonitor::enter(JavaThread*)":         {"libjvm.so", "ObjectMonitor::enter(JavaThread*)"},
		"":                                          {"[vdso]", "[vdso]"},
	} {
		if got := html.ShortFrame(newNode(record.Frame{Function: name, Module: c.module}, 1).Drawn(false)); got != c.want {
			t.Errorf("%s is short %q, want %q", name, got, c.want)
		}
	}
	if got := (record.Frame{Module: "libc.so.6"}).Name() + (record.Frame{}).Name(); got != "[libc.so.6][unknown]" {
		t.Errorf("without names: %q", got)
	}
}

func TestFlameCategory(t *testing.T) {
	p := madeProfile(map[string]int64{"main;handle": 95, "main;IO": 4, "main;IO;READ": 1})
	categories := []category.Name{}
	for _, s := range p.Stacks {
		categories = append(categories, map[bool]category.Name{true: category.KernelDisk,
			false: category.Application}[len(s.Frames) == 3 || s.Frames[0].Function == "IO"])
	}
	tree, _ := flameTree(p, categories)
	got := map[string]category.Name{}
	tree.Drawn(false).Walk(func(n *block.Frame, _, _ float64) { got[n.Name] = category.Name(n.Category) })
	for name, want := range map[string]category.Name{"all": category.Application, "handle": category.Application,
		"IO": category.KernelDisk} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	p = madeProfile(map[string]int64{"main;a": 80, "main;B": 20})
	tree, _ = flameTree(p, []category.Name{category.Crypto, category.Locks})
	if c := tree.Category(); c != "" {
		t.Errorf("all is %q, though a fifth is of another category", c)
	}
	for _, c := range append(ColouredCategories(), category.WaitingIdle, category.WaitingParked, category.WaitingDisk,
		category.WaitingNetwork, category.WaitingMemory) {
		if categoryColour(c) == 0 {
			t.Errorf("%s has no colour", c)
		}
	}
}

// TestFlameDiff: by the time of an operation. Side b takes half the samples for the same work in half the time, so that
// equal samples are a difference and half of them none.
func TestFlameDiff(t *testing.T) {
	a := madeProfile(map[string]int64{"main;same": 4000, "main;more": 1000, "main;only_a": 1000, "main;noise": 100})
	b := madeProfile(map[string]int64{"main;same": 2000, "main;more": 1000, "main;only_b": 1000, "main;noise": 53})
	perOp := 61e-6 // of a: 6100 samples of 10 ns; of b 4053 samples of 20 ns
	f, ok := newFlameDiff("id", FlameDiff{Label: "web", A: FlameSide{"m1", a, perOp}, B: FlameSide{"m2", b, 4053 * 20e-9}},
		nil)
	if !ok || f.Title != "web: CPU time of an operation, m2 against m1" ||
		!strings.Contains(f.Hint, "61.0 µs on m1 and 81.1 µs on m2, +32.9%") {
		t.Fatalf("%v %q %q", ok, f.Title, f.Hint)
	}
	tones, widths, whole := map[string]int{}, map[string]float64{}, 0.0
	f.Tree.Walk(func(n *block.Frame, _, width float64) {
		tones[n.Name], widths[n.Name] = n.Tone, width
		if n.Depth == 2 {
			whole += width
		}
	})
	for name, want := range map[string]int{"same": 0, "more": block.FullTone, "only_a": -block.FullTone,
		"only_b": block.FullTone, "noise": 0} {
		if tones[name] != want {
			t.Errorf("the tone of %s is %d, want %d", name, tones[name], want)
		}
	}
	if math.Abs(whole-1) > 1e-9 || math.Abs(widths["only_b"]-20e-6/(61e-6+81.06e-6)) > 1e-6 || widths["only_a"] <= 0 {
		t.Errorf("widths %v add up to %v", widths, whole)
	}
	if _, ok := newFlameDiff("id", FlameDiff{A: FlameSide{"a", a, 1}, B: FlameSide{"b", record.Profile{}, 1}}, nil); ok {
		t.Error("a difference to nothing")
	}
	// By what chance scatters: 100 samples against 140 lie 2.6 standard errors apart, against 125 1.7.
	if toneOf(100, 140, [2]float64{1, 1}) == 0 || toneOf(100, 125, [2]float64{1, 1}) != 0 {
		t.Error("tones do not follow the noise of the samples")
	}
}

func TestFlameData(t *testing.T) {
	a := madeProfile(map[string]int64{"main;serve;SEND": 500, "main;serve;encrypt": 200})
	cells, diffs := flamesOf([]Flame{{CPU: a, Waits: madeProfile(map[string]int64{"POLL": 90, "FUTEX": 10})}},
		[]FlameDiff{{A: FlameSide{"m1", a, 10e-6}, B: FlameSide{"m2", a, 8e-6}}}, nil)
	text, err := html.ChartData(nil, nil, slices.Concat(cells, diffs))
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Flames html.FlameData }
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for i, g := range got.Flames.Graphs {
		ids = append(ids, g.ID)
		stride := 4 + len(g.Sides)
		if len(g.Frames)%stride != 0 || len(g.Per) != len(g.Sides) || got.Flames.Names[g.Frames[0]] != "all\t" {
			t.Errorf("graph %d: %+v", i, g)
		}
	}
	if want := []string{"flame-1-cpu", "flame-1-waits", "flame-diff-1"}; !slices.Equal(ids, want) {
		t.Errorf("got %q, want %q", ids, want)
	}
	if text, err := html.ChartData(nil, nil, nil); err != nil || strings.Contains(text, "flames") {
		t.Errorf("%s, %v of no flames", text, err)
	}
}

package clocks_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/clocks"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// side is one machine's CPUs: their clock, how it is known, and the throughput of a GHz.
type side struct {
	mhz    float64
	source string // "" for no clock
	perGHz float64
}

// trial is one of the size'th cell. Clocks and throughput scatter a little, differently in each trial.
func (s side) trial(machine string, size, replicate, cell int) record.Trial {
	wobble := 1 + .002*math.Sin(float64(7*replicate+3*cell+size))
	mhz := s.mhz * wobble
	t := record.Trial{
		ID: fmt.Sprintf("%s-%d-%d", machine, size, replicate), Slot: record.Slot{Plan: "p1", Replicate: replicate,
			Cell: 2*size + cell, Group: size},
		Keys: map[string]string{record.KeyMachine: machine, record.KeyMachineID: machine, record.KeyWorkload: "aes",
			record.KeyLoad: "2 cpus", "aes.size": fmt.Sprint(16 << size)},
		Load: record.LoadPoint{Kind: record.Closed, Unit: record.ParamCPUs, Level: 2},
		Values: []record.Value{{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher},
			Value: s.perGHz * mhz / 1e3 * (1 + .001*math.Cos(float64(replicate)))}},
	}
	if s.source != "" {
		t.Clock = &record.Clock{MeanMHz: mhz, MinMHz: mhz - 100, CPUs: 2, Samples: 8, Source: s.source}
	}
	return t
}

// against compares two machines in as many cells, of five replicates each.
func against(t *testing.T, a, b side, cells int, alter func(*record.Trial)) finding.Pair {
	t.Helper()
	var trials []record.Trial
	for size := range cells {
		for r := range 5 {
			trials = append(trials, a.trial("m1", size, r, 0), b.trial("m2", size, r, 1))
		}
	}
	for i := range trials {
		if alter != nil {
			alter(&trials[i])
		}
	}
	got, err := judge.Compare(trials, nil, []record.PlanLine{
		{Hash: "p1", Plan: record.Plan{Alpha: .05, Margin: .02, Claim: "machine"}}}, judge.Options{})
	if err != nil || len(got.Pairs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	return got.Pairs[0]
}

func said(p finding.Pair) string {
	var out []string
	for _, s := range block.Of[block.Sentence](
		clocks.Analyzers()[0].Says(&finding.PairView{Pair: p, LabelA: p.A, LabelB: p.B})) {
		out = append(out, s.Lead+": "+s.Text)
	}
	return strings.Join(out, "\n")
}

func TestClocksThatDiffer(t *testing.T) {
	p := against(t, side{2600, "cpufreq", 1e9}, side{3100, "cpufreq", .95e9}, 1, nil)
	c := clocks.KindClocks.Of(p)
	if c == nil || c.N != 5 || !c.Paired || c.PerGHz == nil || len(c.Caveats()) != 0 || len(c.A.Trials) != 5 ||
		c.B.MinMHz > c.B.MHz-90 {
		t.Fatalf("%+v", c)
	}
	if *c.Lo > 3100./2600 || *c.Hi < 3100./2600 || *c.Hi-*c.Lo > .03 || math.Abs(c.Ratio/(3100./2600)-1) > .005 {
		t.Errorf("ratio %v, %v to %v", c.Ratio, *c.Lo, *c.Hi)
	}
	if g := c.PerGHz; *g.Lo > .95 || *g.Hi < .95 || math.Abs(g.Value-.95) > .002 {
		t.Errorf("per GHz %+v", g)
	}
	if got := said(p); !strings.HasPrefix(got, "clock: m2's clock is 1") ||
		!strings.Contains(got, " higher than m1's, 3.10 GHz against 2.60 GHz on average; throughput per GHz is 4.") ||
		!strings.HasSuffix(got, " lower: aes, size=16, 2 cpus") {
		t.Error(got)
	}
}

// TestClockPlot: a row for each side of a cell whose clocks differ, with a dot for each trial; none of cells alike.
func TestClockPlot(t *testing.T) {
	p := against(t, side{2600, "cpufreq", 1e9}, side{3100, "cpuinfo", 1e9}, 2, func(x *record.Trial) {
		if x.Group == 1 {
			x.Clock.MeanMHz = 2600
		}
	})
	plots := block.Of[block.Plot](clocks.Analyzers()[0].Says(
		&finding.PairView{Pair: p, ID: "pair-1", LabelA: p.A, LabelB: p.B}))
	if len(plots) != 1 || len(plots[0].Rows) != 2 || plots[0].ID != "pair-1-clocks" {
		t.Fatalf("%+v", plots)
	}
	for i, want := range []struct {
		label, figure string
		mhz           float64
	}{{"aes, size=16, 2 cpus: m1", "2.60 GHz by cpufreq", 2600},
		{"aes, size=16, 2 cpus: m2", "3.10 GHz by cpuinfo", 3100}} {
		r := plots[0].Rows[i]
		if r.Label != want.label || r.Figure != want.figure || len(r.Dots) != 5 || !r.Span.Bounded() ||
			*r.Span.Lo > want.mhz || *r.Span.Hi < want.mhz {
			t.Errorf("%+v", r)
		}
	}
	if a := plots[0].Scale; a.Lo > *plots[0].Rows[0].Span.Lo || a.Hi < *plots[0].Rows[1].Span.Hi {
		t.Errorf("scale %+v", a)
	}
}

// TestClocksOfManyCells: one sentence for a workload, whatever the number of its cells.
func TestClocksOfManyCells(t *testing.T) {
	p := against(t, side{2600, "cpufreq", 1e9}, side{3100, "cpufreq", 1e9}, 3, func(x *record.Trial) {
		if x.Group == 2 {
			x.Clock.MeanMHz = 2600 // none of its cells' clocks differ
		}
	})
	if all := clocks.KindClocks.All(p); len(all) != 3 {
		t.Fatalf("%d findings", len(all))
	}
	if got := said(p); strings.Count(got, "clock: ") != 1 || !strings.HasSuffix(got, ": aes, 2 of 3 cells") {
		t.Error(got)
	}
}

func TestClocksWithoutASentence(t *testing.T) {
	for name, c := range map[string]struct{ a, b side }{
		"equal":            {side{2600, "cpufreq", 1e9}, side{2600, "cpufreq", 2e9}},
		"less than 1%":     {side{2600, "cpufreq", 1e9}, side{2624, "cpufreq", 1e9}},
		"equal, nominal":   {side{2600, "cpuinfo", 1e9}, side{2600, "cpuinfo", 1e9}},
		"equal, unlike":    {side{2600, "cpufreq", 1e9}, side{2600, "cpuinfo", 1e9}},
		"none":             {side{2600, "", 1e9}, side{2600, "", 1e9}},
		"one side only":    {side{2600, "", 1e9}, side{3100, "cpufreq", 1e9}},
		"the other's only": {side{2600, "cpufreq", 1e9}, side{3100, "", 1e9}},
	} {
		p := against(t, c.a, c.b, 1, nil)
		if got := said(p); got != "" {
			t.Errorf("%s: %q", name, got)
		}
		if known := c.a.source != "" && c.b.source != ""; (clocks.KindClocks.Of(p) != nil) != known {
			t.Errorf("%s: %+v", name, clocks.KindClocks.Of(p))
		}
		why := clocks.KindClocks.Why(p).Text()
		if want := map[string]string{"one side only": "the CPU clock of m1 is unknown",
			"the other's only": "the CPU clock of m2 is unknown"}[name]; !strings.HasPrefix(why, want) ||
			want == "" && why != "" {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestNominalClocks: nothing is concluded from a clock that may be nominal, and the sentence says so.
func TestNominalClocks(t *testing.T) {
	p := against(t, side{2600, "cpufreq", 1e9}, side{3100, "cpuinfo", 1e9}, 1, nil)
	c := clocks.KindClocks.Of(p)
	if c.PerGHz != nil || len(c.Caveats()) != 1 {
		t.Errorf("%+v", c)
	}
	if got, want := said(p), "clock: m2 states 3.10 GHz, m1 2.60 GHz; the CPU clock may be nominal, "+
		"as on virtual machines: aes, size=16, 2 cpus"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNoThroughputPerGHzOfARate: what a load offers is no property of the CPUs.
func TestNoThroughputPerGHzOfARate(t *testing.T) {
	p := against(t, side{2600, "cpufreq", 1e9}, side{3100, "cpufreq", 1e9}, 1, func(x *record.Trial) {
		x.Load = record.LoadPoint{Kind: record.Open, Unit: record.ParamRate, Level: 1000}
	})
	if c := clocks.KindClocks.Of(p); c == nil || c.PerGHz != nil {
		t.Errorf("%+v", c)
	}
	if got := said(p); strings.Contains(got, "per GHz") || got == "" {
		t.Error(got)
	}
}

// TestClocksOfTwoSessions: two sessions of one machine are told apart by a label.
func TestClocksOfTwoSessions(t *testing.T) {
	p := against(t, side{2600, "cpufreq", 1e9}, side{3100, "cpufreq", 1e9}, 1, func(x *record.Trial) {
		x.Keys["label.boost"] = map[string]string{"m1": "off", "m2": "on"}[x.Keys[record.KeyMachine]]
		x.Keys[record.KeyMachine], x.Keys[record.KeyMachineID] = "m1", "m1"
	})
	if c := clocks.KindClocks.Of(p); c == nil || p.By != "label.boost" || math.Abs(c.Ratio-3100./2600) > .01 {
		t.Errorf("by %s: %+v", p.By, c)
	}
}

// TestClocksByEstimate: one replicate has no interval, and says so.
func TestClocksByEstimate(t *testing.T) {
	p := against(t, side{2600, "cpufreq", 1e9}, side{3100, "cpufreq", 1e9}, 1, func(x *record.Trial) {
		if x.Replicate > 0 {
			x.Void = "steal"
		}
	})
	if got := said(p); !strings.HasPrefix(got, "clock: no interval: 1 pair, 3 needed; by estimate m2's clock was ") ||
		strings.Contains(got, "per GHz") {
		t.Error(got)
	}
}

package judge

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// atLoad makes a trial one of a load; the workload of trial() is "aes".
func atLoad(kind record.LoadKind, unit string, level float64) change {
	return func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: kind, Level: level, Unit: unit}
		t.Keys[record.KeyLoad], t.Keys["aes."+unit], t.Cell = t.Load.Key(), fmt.Sprint(level), int(level)
	}
}

func offeredRate(rate float64) change { return atLoad(record.Open, record.ParamRate, rate) }

// reading is one probe of a hand-made sweep.
type reading struct{ rate, carried, cpu, latency float64 } // cpu 0: not known; latency in s

// rateSweep is one replicate of a sweep of rates.
func rateSweep(machine string, replicate int, readings []reading, changes ...change) []record.Trial {
	var out []record.Trial
	for _, r := range readings {
		cs := []change{offeredRate(r.rate), measured(record.Throughput, "op/s", record.Higher, r.carried)}
		cs = append(cs, measured(record.LatencyP99, "s", record.Lower, r.latency),
			measured(record.LatencyP50, "s", record.Lower, r.latency/4))
		if r.cpu > 0 {
			cs = append(cs, measured(record.CPUPercent, "%", record.Neutral, r.cpu))
		}
		out = append(out, trial(machine, replicate, r.carried, append(cs, changes...)...))
	}
	return out
}

// knee is a sweep whose p99 doubles half way, in logs, between 800/s and 1000/s.
func knee() []reading {
	return []reading{
		{100, 100, 10, .009}, {150, 150, 15, .011}, {400, 400, 40, .012}, {600, 600, 60, .015}, {800, 800, 80, .010},
		{1000, 1000, 98, .040},
	}
}

// lineIn is the one cell that bears a load line, or the reason against one.
func lineIn(t *testing.T, trials []record.Trial) finding.Cell {
	t.Helper()
	var found []finding.Cell
	for _, c := range Show(trials, nil, nil).Workloads {
		if headroom.Chief(c) != nil || !headroom.KindLoadLine.Why(c).IsZero() {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d cells bear a load line, want 1", len(found))
	}
	return found[0]
}

func close9(a, b float64) bool { return math.Abs(a/b-1) < 1e-9 }

func TestLoadLineOfASweep(t *testing.T) {
	c := lineIn(t, rateSweep("m1", 0, knee()))
	l := headroom.Chief(c)
	if l == nil || !c.Primary || c.Load != "1000/s" || l.Statistic != "p99" || len(headroom.LinesIn(c)) != 2 {
		t.Fatalf("%+v of %+v", l, c)
	}
	if !close9(*l.BaseLatency, .010) || !close9(l.Limit, .020) || !l.Crossed ||
		!close9(l.MaxSustained, 800*math.Sqrt(1.25)) {
		t.Errorf("base %v, limit %v, line %v, crossed %v", *l.BaseLatency, l.Limit, l.MaxSustained, l.Crossed)
	}
	if l.Lo != nil || l.Hi != nil || l.N != 1 || !flagged(l.Doubts, "a confidence interval needs at least 3 sweeps") {
		t.Errorf("of one replicate: %v to %v, doubts %q", l.Lo, l.Hi, l.Doubts)
	}
	if !close9(*l.At50, 500) || !close9(*l.Linear, 1000) || l.LinearFrom.Load != "400/s" {
		t.Errorf("at 50%% %v, linear %v from %+v", *l.At50, *l.Linear, l.LinearFrom)
	}
	if !close9(*l.OfLinear, l.MaxSustained/1000) || !close9(*l.UsedAt50, 500/l.MaxSustained) ||
		!close9(*l.GainPast50, l.MaxSustained/500-1) {
		t.Errorf("of linear %v, used %v, gain %v", *l.OfLinear, *l.UsedAt50, *l.GainPast50)
	}
	if len(l.Probes) != 6 || l.Probes[5].Latency != .040 || l.Unit != "op/s" || l.Metric != record.Throughput ||
		l.CPUScope != loadline.CPUScopeServer {
		t.Errorf("%+v", l)
	}
	if p50 := headroom.LinesIn(c)["p50"]; !close9(p50.MaxSustained, l.MaxSustained) || !close9(p50.Limit, .005) ||
		p50.Statistic != "p50" {
		t.Errorf("p50: %+v", p50)
	}
}

// TestLoadLineByReplicate: each replicate has a base and a line of its own.
func TestLoadLineByReplicate(t *testing.T) {
	var trials []record.Trial
	for i, by := range []float64{.98, 1, 1.02} {
		sweep := knee()
		for k := range sweep {
			sweep[k].carried *= by
			sweep[k].latency *= float64(i + 1) // which moves the base as well
		}
		trials = append(trials, rateSweep("m1", i, sweep)...)
	}
	l := headroom.Chief(lineIn(t, trials))
	want := 800 * math.Sqrt(1.25)
	if l.N != 3 || l.Lo == nil || *l.Lo >= .985*want || *l.Hi <= 1.015*want || *l.Lo < .9*want ||
		math.Abs(l.MaxSustained/want-1) > .001 {
		t.Fatalf("%+v", l)
	}
	cut := alter(trials, func(t record.Trial) bool { return t.Replicate == 2 && t.Load.Level == 1000 }, void("late"))
	if l := headroom.Chief(lineIn(t, cut)); l.Crossed || l.Lo != nil ||
		!flagged(l.Doubts, "only 2 of 3 sweeps reached the latency limit") {
		t.Errorf("one ended below: %+v", l)
	}
}

func TestLoadLineNeeds(t *testing.T) {
	edit := func(f func(*reading)) []reading {
		out := knee()
		for i := range out {
			f(&out[i])
		}
		return out
	}
	unknown := edit(func(r *reading) { r.cpu = 0 })
	busy := edit(func(r *reading) { r.cpu = 30 + r.cpu/2 })
	clients := func(t *record.Trial) {
		delete(t.Keys, "aes.rate")
		atLoad(record.Closed, record.ParamClients, t.Load.Level)(t)
	}
	bare := func(t *record.Trial) { t.Values = t.Values[1:] }
	for _, c := range []struct {
		name   string
		trials []record.Trial
		reason string  // of none
		max    float64 // 0: not checked
		doubt  string
	}{
		{"CPU not known", rateSweep("m1", 0, unknown), "", 800 * math.Sqrt(1.25),
			"CPU use is unknown, so loads of up to 15% of the highest throughput give the base latency"},
		{"nothing below 20%", rateSweep("m1", 0, busy),
			"no run at low load gives a base latency: the lowest CPU use is 35%", 0,
			""},
		{"nothing low", rateSweep("m1", 0, unknown[2:]),
			"no run at low load gives a base latency: CPU use is unknown, and every load is over 15%", 0, ""},
		{"clients", rateSweep("m1", 0, knee(), clients), "", 800 * math.Sqrt(1.25), ""},
		{"offered rates", rateSweep("m1", 0, knee(), bare), "", 800 * math.Sqrt(1.25), ""},
		{"clients without throughput", rateSweep("m1", 0, knee(), bare, clients),
			"no throughput was measured, so the capacity of clients is unknown", 0, ""},
		{"ended below", rateSweep("m1", 0, knee()[:5]), "", 800, ""},
		{"steps", rateSweep("m1", 0, knee()), "", 0, "the limit is interpolated between 800/s and 1000/s"},
		{"void above", append(rateSweep("m1", 0, knee()[:5]), rateSweep("m1", 0, knee()[5:], void("backlog"))...), "", 800,
			"all runs above 800/s failed"},
		{"few operations", rateSweep("m1", 0, knee(), done(500)), "", 0, "p99 has only 500 operations"},
	} {
		cell := lineIn(t, c.trials)
		if c.reason != "" {
			if headroom.Chief(cell) != nil || !strings.Contains(headroom.KindLoadLine.Why(cell).Text(), c.reason) {
				t.Errorf("%s: %q, want %q", c.name, headroom.KindLoadLine.Why(cell), c.reason)
			}
			continue
		}
		l := headroom.Chief(cell)
		if l == nil || c.max > 0 && !close9(l.MaxSustained, c.max) || c.doubt != "" && !flagged(l.Doubts, c.doubt) {
			t.Fatalf("%s: %q %+v", c.name, headroom.KindLoadLine.Why(cell), l)
		}
		if c.name == "CPU not known" && (l.At50 != nil || l.Linear != nil || l.OfLinear != nil ||
			l.CPUScope != loadline.CPUScopeUnknown) {
			t.Errorf("%s, and yet %+v", c.name, l)
		}
		if l.Crossed != (c.max != 800) {
			t.Errorf("%s: crossed %v", c.name, l.Crossed)
		}
	}
}

// TestLoadLineObjective: a given latency needs no base.
// What ends a sweep is said: the target, or something that says nothing of it.
func TestLoadLineBelowVoidLoads(t *testing.T) {
	short := knee()[:4]
	for want, over := range map[string]bool{
		"the machine fell behind above 600/s: the limit may be higher": true,
		"all runs above 600/s failed":                                  false,
	} {
		fell := func(t *record.Trial) { t.Void, t.Over = "made void", over }
		trials := append(rateSweep("m", 0, short), rateSweep("m", 0, []reading{{900, 700, 99, .5}}, fell)...)
		c := lineIn(t, trials)
		if headroom.Chief(c) == nil || headroom.Chief(c).Crossed ||
			!strings.Contains(strings.Join(note.Texts(headroom.Chief(c).Doubts), "\n"), want) {
			t.Errorf("%+v %q, want %q", headroom.Chief(c), headroom.KindLoadLine.Why(c), want)
		}
	}
}

func TestLoadLineObjective(t *testing.T) {
	busy := knee()[2:]
	lines := loadline.LinesOf(loadline.RampsOf(rateSweep("m1", 0, busy)), map[string]float64{"p99": .02, "p50": 1e-6})
	for _, f := range lines {
		l, ok := f.Lines["p99"]
		if !ok || !close9(l.MaxSustained, 800*math.Sqrt(1.25)) || l.Limit != .02 || l.BaseLatency != nil {
			t.Errorf("%+v", f)
		}
		if _, ok := f.Lines["p50"]; ok {
			t.Errorf("p50 is over the line everywhere: %+v", f)
		}
	}
	if len(lines) != 1 {
		t.Errorf("%d sweeps", len(lines))
	}
}

// TestNoSweepNoLine: what is no sweep of load, or has no latency, says nothing.
func TestNoSweepNoLine(t *testing.T) {
	for name, trials := range map[string][]record.Trial{
		"two rates": rateSweep("m1", 0, knee()[:2]), "one rate": rateSweep("m1", 0, knee()[:1]),
		"sessions": session(3, 0, .01),
		"apart":    append(rateSweep("m1", 0, knee()[:2]), rateSweep("m1", 0, knee()[2:4], key("aes.size", "1MiB"))...),
	} {
		for _, c := range Show(trials, nil, nil).Workloads {
			if headroom.Chief(c) != nil || !headroom.KindLoadLine.Why(c).IsZero() || headroom.LinesIn(c) != nil {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

// TestLoadsOfSeveralPlans: where each load is a session of its own, they are one sweep.
func TestLoadsOfSeveralPlans(t *testing.T) {
	var trials []record.Trial
	for i, r := range knee() {
		for replicate := range 3 {
			trials = append(trials, rateSweep("m1", replicate, []reading{r}, planned(fmt.Sprint("p", i)))...)
		}
	}
	l := headroom.Chief(lineIn(t, trials))
	if l == nil || l.N != 1 || l.Lo != nil || !flagged(l.Doubts, "no sweep has the") || l.Probes[0].N != 3 {
		t.Errorf("%+v", l)
	}
}

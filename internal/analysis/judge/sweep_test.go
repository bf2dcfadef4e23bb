package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// onCPUs makes a trial load n CPUs.
func onCPUs(n int) change {
	return func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Closed, Level: float64(n), Unit: record.ParamCPUs}
		t.Keys[record.KeyLoad], t.Keys["aes.cpus"], t.Cell = t.Load.Key(), fmt.Sprint(n), n
	}
}

// swept is a curve measured with noise at numbers of CPUs.
func swept(machine string, c stat.Curve, ns []int, replicates int, sd float64, changes ...change) []record.Trial {
	r := rand.New(rand.NewPCG(11, uint64(len(ns))))
	var out []record.Trial
	for _, n := range ns {
		for i := range replicates {
			value := c.At(float64(n)) * math.Exp(sd*r.NormFloat64())
			out = append(out, trial(machine, i, value, append([]change{onCPUs(n)}, changes...)...))
		}
	}
	return out
}

func eight() []int { return []int{1, 2, 3, 4, 5, 6, 7, 8} }

// hyperthreaded is a machine of 4 cores and 8 CPUs.
func hyperthreaded(name string) record.Machine {
	return record.Machine{Name: name, CPU: record.CPU{Cores: 4, Threads: 8, ThreadsPerCore: 2,
		Allowed: []int{0, 1, 2, 3, 4, 5, 6, 7}}}
}

// lastOf is the cell that bears the finding, and no other may.
func lastOf(t *testing.T, s finding.Shown) finding.Cell {
	t.Helper()
	var found []finding.Cell
	for _, c := range s.Workloads {
		if sweep.KindScaling.Of(c) != nil || !sweep.KindScaling.Why(c).IsZero() {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d cells bear a finding, want 1", len(found))
	}
	return found[0]
}

func TestScaling(t *testing.T) {
	latency := measured(record.LatencyP50, "s", record.Lower, 1e-3)
	for _, c := range []struct {
		name     string
		curve    stat.Curve
		machine  record.Machine
		ns       []int
		model    string
		linearTo int
		atMax    float64 // efficiency
		yield    float64 // 0: none
		peak     int
		loss     float64 // 0: none
	}{
		{"linear", stat.Curve{Gamma: 1e9, Yield: 1}, record.Machine{}, eight(), "linear", 8, 1, 0, 8, 0},
		{"second threads", stat.Curve{Gamma: 1e9, Yield: .26, Cores: 4}, hyperthreaded("m1"), eight(), "smt", 4, .63, .26, 8,
			0},
		{"four numbers", stat.Curve{Gamma: 1e9, Yield: .26, Cores: 4}, hyperthreaded("m1"), []int{1, 2, 4, 8}, "smt", 4, .63,
			.26, 8, 0},
		{"contention and a peak", stat.Curve{Gamma: 1e9, Alpha: .01, Beta: .01, Yield: 1}, record.Machine{},
			[]int{1, 2, 4, 8, 12, 16, 24}, "usl", 2, 1 / (1 + .23 + 5.52), 0, 8, .2357},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.machine.Name = "m1"
			cell := lastOf(t, Show(swept("m1", c.curve, c.ns, 4, .004, latency), []record.Machine{c.machine}, nil))
			s := sweep.KindScaling.Of(cell)
			if s == nil || !cell.Primary || cell.Params["cpus"] != fmt.Sprint(c.ns[len(c.ns)-1]) {
				t.Fatalf("%+v", cell)
			}
			if s.Model != c.model || s.LinearTo == nil || *s.LinearTo != c.linearTo || s.MaxCPUs != c.ns[len(c.ns)-1] {
				t.Errorf("%s, linear to %v of %d", s.Model, *s.LinearTo, s.MaxCPUs)
			}
			holds(t, "efficiency", *s.EfficiencyAtMax, *s.EfficiencyLo, *s.EfficiencyHi, c.atMax, .01)
			if (s.SMTYield != nil) != (c.yield > 0) {
				t.Fatalf("yield %v, want %v", s.SMTYield, c.yield)
			}
			if c.yield > 0 {
				holds(t, "yield", *s.SMTYield, *s.SMTYieldLo, *s.SMTYieldHi, c.yield, .02)
			}
			if s.Peak.CPUs != c.peak || (s.LossPastPeak != nil) != (c.loss > 0) {
				t.Fatalf("peak %+v, loss %+v", s.Peak, s.LossPastPeak)
			}
			holds(t, "peak", s.Peak.Value/1e9, *s.Peak.Lo/1e9, *s.Peak.Hi/1e9, c.curve.At(float64(c.peak))/1e9, .05)
			if c.loss > 0 {
				holds(t, "loss", s.LossPastPeak.Value, *s.LossPastPeak.Lo, *s.LossPastPeak.Hi, 1-c.curve.At(24)/c.curve.At(8), .02)
			}
			if s.Roughness < .002 || s.Roughness > .008 || s.Noise < .002 || s.Noise > .008 || len(s.Points) != len(c.ns) {
				t.Errorf("roughness %v, noise %v, %d points", s.Roughness, s.Noise, len(s.Points))
			}
			for n := 1.0; n <= 8; n++ {
				if got, want := s.At(n), c.curve.At(n); math.Abs(got/want-1) > .02 {
					t.Errorf("the curve is %v at %v, want %v", got, n, want)
				}
			}
		})
	}
}

// holds checks an estimate against the truth, within its interval and a tolerance.
func holds(t *testing.T, what string, got, lo, hi, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within || lo > got || got > hi || want < lo || want > hi {
		t.Errorf("%s %v (%v to %v), want %v within %v", what, got, lo, hi, want, within)
	}
}

func TestScalingNeeds(t *testing.T) {
	line := stat.Curve{Gamma: 1, Yield: 1}
	clients := func(t *record.Trial) { t.Load.Unit = record.ParamClients }
	for _, c := range []struct {
		name   string
		trials []record.Trial
		reason string // "": no sweep, and nothing to say
	}{
		{"one and all", swept("m1", line, []int{1, 8}, 5, .01), ""},
		{"one number", swept("m1", line, []int{4}, 5, .01), ""},
		{"clients", swept("m1", line, eight(), 3, .01, clients), ""},
		{"three numbers", swept("m1", line, []int{1, 2, 4}, 3, .01),
			"only 3 CPU counts have 3 valid runs, but 4 are needed"},
		{"five numbers once", swept("m1", line, []int{1, 2, 3, 4, 5}, 1, .01),
			"only 5 CPU counts were measured, each fewer than 3 times, but 6 are needed"},
		{"all void", swept("m1", line, eight(), 3, .01, void("late")), "all runs failed"},
		{"latency", swept("m1", line, eight(), 3, .01, as(record.LatencyP50, record.Lower)),
			"the primary metric is neither a rate nor a duration"},
		{"a zero", alter(swept("m1", line, eight(), 3, .01), func(t record.Trial) bool { return t.Cell == 5 },
			measured(record.Throughput, "B/s", record.Higher, 0)), "a value at 5 CPUs is zero or negative"},
	} {
		shown := Show(c.trials, nil, nil)
		if c.reason == "" {
			for _, cell := range shown.Workloads {
				if sweep.KindScaling.Of(cell) != nil || !sweep.KindScaling.Why(cell).IsZero() {
					t.Errorf("%s: %+v", c.name, cell)
				}
			}
			continue
		}
		if cell := lastOf(t, shown); sweep.KindScaling.Of(cell) != nil ||
			!strings.Contains(sweep.KindScaling.Why(cell).Text(), c.reason) {
			t.Errorf("%s: reason %q, want %q", c.name, sweep.KindScaling.Why(cell), c.reason)
		}
	}
}

// TestScalingOfOneRun: efficiency, peak and curve are told by estimate, without any interval.
func TestScalingOfOneRun(t *testing.T) {
	for _, runs := range []int{1, 2} {
		s := sweep.KindScaling.Of(lastOf(t,
			Show(swept("m1", stat.Curve{Gamma: 1e9, Alpha: .05, Yield: 1}, eight(), runs, .001), nil, nil)))
		if s == nil || s.Runs != runs || s.LinearTo != nil || s.EfficiencyAtMax == nil ||
			math.Abs(*s.EfficiencyAtMax-1/1.35) > .01 || s.EfficiencyLo != nil || s.Peak.Bounded() ||
			s.Terms["gamma"].Lo != nil {
			t.Errorf("%d runs: %+v", runs, s)
		}
	}
}

func TestScalingDoubts(t *testing.T) {
	line := stat.Curve{Gamma: 1, Yield: 1}
	jagged := alter(swept("m1", line, eight(), 4, .004), func(t record.Trial) bool { return t.Cell%2 == 0 },
		func(t *record.Trial) { t.Values[0].Value *= .93 })
	part := hyperthreaded("m1")
	part.CPU.Allowed = part.CPU.Allowed[:6]
	for _, c := range []struct {
		name    string
		trials  []record.Trial
		machine record.Machine
		doubt   string // "": none
	}{
		{"none", swept("m1", line, eight(), 3, .01), record.Machine{Name: "m1"}, ""},
		{"jagged", jagged, record.Machine{Name: "m1"}, "fit none of the scaling models"},
		{"a lone trial", append(swept("m1", line, eight(), 3, .01), trial("m1", 0, 12, onCPUs(12))),
			record.Machine{Name: "m1"}, "fewer than 3 valid runs are left out: 12"},
		{"from 2 CPUs", swept("m1", line, eight()[1:], 3, .01), record.Machine{Name: "m1"}, "a run at 1 CPU is missing"},
		{"part of the CPUs", swept("m1", line, eight()[:6], 3, .01), part, "6 of 8 CPUs may be used"},
		{"few numbers", swept("m1", stat.Curve{Gamma: 1, Alpha: .05, Beta: .01}, []int{1, 2, 4, 8, 16}, 3, .005),
			record.Machine{Name: "m1"}, "fitting a scaling model takes 6 CPU counts, not 5"},
	} {
		trials := c.trials
		var found *sweep.Scaling
		for _, cell := range Show(trials, []record.Machine{c.machine}, nil).Workloads {
			if sweep.KindScaling.Of(cell) != nil {
				found = sweep.KindScaling.Of(cell)
			}
		}
		if found == nil {
			t.Errorf("%s: no scaling", c.name)
			continue
		}
		if c.doubt == "" && len(found.Doubts) > 0 || c.doubt != "" && !flagged(found.Doubts, c.doubt) {
			t.Errorf("%s: doubts %q, want %q", c.name, found.Doubts, c.doubt)
		}
		if c.name == "from 2 CPUs" && (found.LinearTo != nil || found.EfficiencyAtMax != nil) {
			t.Errorf("%s: linear to %v, efficiency %v", c.name, found.LinearTo, found.EfficiencyAtMax)
		}
	}
}

// TestSweepsKeepApart: what differs in more than CPUs is another sweep, and all
// CPUs are a number of them.
func TestSweepsKeepApart(t *testing.T) {
	line := stat.Curve{Gamma: 1, Yield: 1}
	trials := append(swept("m1", line, eight(), 3, .01), swept("m2", line, eight(), 3, .01)...)
	trials = append(trials, swept("m1", line, eight(), 3, .01, key("aes.size", "1MiB"))...)
	alter(trials, func(t record.Trial) bool { return t.Cell == 8 }, key(record.KeyLoad, "all cpus"),
		key("aes.cpus", "all"))
	n := 0
	for _, c := range Show(trials, nil, nil).Workloads {
		if sweep.KindScaling.Of(c) != nil {
			n++
			if c.Load != "all cpus" || len(sweep.KindScaling.Of(c).Points) != 8 || sweep.KindScaling.Of(c).Points[7].N != 3 {
				t.Errorf("%s %v: %+v", c.Load, c.Params, sweep.KindScaling.Of(c).Points)
			}
		}
	}
	if n != 3 {
		t.Errorf("%d findings, want one for each of two machines and for the other size", n)
	}
}

func TestAtMost(t *testing.T) {
	trials := append(swept("m1", stat.Curve{Gamma: 1, Yield: 1}, eight(), 1, 0), trial("m1", 0, 1))
	for most, want := range map[int]int{0: 9, 1: 2, 4: 5, 8: 9, 100: 9} {
		kept, left := trialset.AtMost(trials, most)
		if len(kept) != want || left != len(trials)-want {
			t.Errorf("at most %d CPUs: %d kept, %d left out, want %d kept", most, len(kept), left, want)
		}
		for _, k := range kept {
			if most > 0 && trialset.CPUsOf(k) > most {
				t.Errorf("a trial of %d CPUs at most %d", trialset.CPUsOf(k), most)
			}
		}
	}
}

// TestScalingOfRuns: copies of one build that take 20% longer on all eight CPUs handle 6.67 times one.
func TestScalingOfRuns(t *testing.T) {
	run := func(t *record.Trial) { t.Load.Kind = record.Once }
	r := rand.New(rand.NewPCG(5, 0))
	var trials []record.Trial
	for _, n := range eight() {
		for i := range 3 {
			took := 90 * (1 + .2*float64(n-1)/7) * math.Exp(.002*r.NormFloat64())
			trials = append(trials, trial("m", i, took, onCPUs(n), run, func(t *record.Trial) {
				t.Values = []record.Value{{Metric: record.Metric{Name: "time", Unit: "s", Better: record.Lower}, Value: took}}
			}))
		}
	}
	c := lastOf(t, Show(trials, nil, nil))
	s := sweep.KindScaling.Of(c)
	if s == nil || s.Unit != "op/s" || s.Metric != record.Throughput || math.Abs(*s.EfficiencyAtMax-1/1.2) > .01 {
		t.Fatalf("seed 5: %+v %s", s, sweep.KindScaling.Why(c))
	}
	if o := sweep.KindSpeedup.Of(c); o == nil || math.Abs(o.Value-8/1.2) > .1 || o.Lo == nil || *o.Lo > o.Value ||
		*o.Hi < o.Value {
		t.Errorf("seed 5: over one CPU %+v", sweep.KindSpeedup.Of(c))
	}
	if p := s.Points[7]; math.Abs(p.Value-8/(90*1.2)) > .002 {
		t.Errorf("seed 5: at 8 CPUs %+v", p)
	}
}

// TestTimeOfARunScales: one build with so many jobs does one run in its time, a load of single runs one on each CPU.
func TestTimeOfARunScales(t *testing.T) {
	curve := stat.Curve{Gamma: 2, Alpha: .05}
	for name, c := range map[string]struct {
		kind record.LoadKind
		runs func(n float64) float64
	}{
		"one run on all CPUs": {record.Closed, func(float64) float64 { return 1 }},
		"one on each":         {record.Once, func(n float64) float64 { return n }},
	} {
		timed := func(t *record.Trial) {
			t.Load.Kind = c.kind
			measured("time", "s", record.Lower, c.runs(t.Load.Level)/t.Values[0].Value)(t)
			t.Values = t.Values[1:]
		}
		var last finding.Cell
		for _, cell := range Show(swept("m1", curve, eight(), 5, .005, timed), nil, nil).Workloads {
			if sweep.KindScaling.Of(cell) != nil || !sweep.KindScaling.Why(cell).IsZero() {
				last = cell
			}
		}
		s := sweep.KindScaling.Of(last)
		if s == nil || s.Unit != "op/s" || math.Abs(s.Terms["alpha"].Value-.05) > .01 ||
			math.Abs(*s.EfficiencyAtMax-1/1.35) > .02 || sweep.KindSpeedup.Of(last) == nil ||
			math.Abs(sweep.KindSpeedup.Of(last).Value-8/1.35) > .2 {
			t.Errorf("%s: %s %+v, over one %+v", name, sweep.KindScaling.Why(last), s, sweep.KindSpeedup.Of(last))
		}
	}
}

// TestCoresOfAType: second threads are told by the catalogue's cores where there is no fingerprint, with a doubt.
func TestCoresOfAType(t *testing.T) {
	machine := hyperthreaded("m1")
	machine.CPU.Allowed, machine.Unknown = nil, []string{sweep.CoresOfType + "m5d.2xlarge"}
	cells := Show(swept("m1", stat.Curve{Gamma: 2, Yield: .27, Cores: 4}, eight(), 5, .005), []record.Machine{machine},
		nil).Workloads
	s := sweep.KindScaling.Of(cells[len(cells)-1])
	if s == nil || s.Model != "smt" || math.Abs(*s.SMTYield-.27) > .02 ||
		!flagged(s.Doubts, "the 4 cores come from the instance type") {
		t.Errorf("%+v", s)
	}
}

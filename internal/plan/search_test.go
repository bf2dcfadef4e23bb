package plan

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// webDecl is a workload that takes open and closed loads.
func webDecl() record.Workload {
	return record.Workload{
		Name: "web", Loads: []record.LoadKind{record.Closed, record.Open},
		Metrics: []record.Metric{{Name: record.Throughput, Unit: "op/s", Better: record.Higher}},
		Params: []record.Param{
			{Name: record.ParamClients, Kind: record.Int, Default: "0", Max: 1000},
			{Name: record.ParamRate, Kind: record.Float, Default: "0", Max: 1e6},
			{Name: record.ParamArrivals, Kind: record.Enum, Default: "poisson", Choices: []string{"poisson"}},
		},
	}
}

func searchPlan(t *testing.T, change func(*Request)) record.Plan {
	t.Helper()
	req := Request{Session: "s", Seed: 3, WarmupS: -1, Measure: []Ask{{Workload: "web"}}}
	if err := req.Search(false, nil, []record.Workload{webDecl()}); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&req)
	}
	p, err := Resolve(req, []record.Workload{webDecl()},
		map[string]Target{"": {CPUs: 4}, "x": {CPUs: 4, Machine: "1"}, "y": {CPUs: 4, Machine: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// serverOf answers with a latency that doubles at 55% of the capacity, more or less.
func serverOf(o record.Order, capacity float64) record.Trial {
	s := o.Sides[0]
	t := record.Trial{ID: o.SlotOf(0).ID(), Slot: o.SlotOf(0),
		Load:    s.Load,
		WarmupS: o.WarmupS, DurationS: o.DurationS,
		Generator: &record.LoadUse{Done: int64(o.DurationS * min(s.Load.Level, capacity))},
		Keys:      map[string]string{record.KeyMachine: o.Host, record.KeyWorkload: "web", record.KeyLoad: s.Load.Key()}}
	for k, v := range s.Params {
		t.Keys["web."+k] = v
	}
	value := func(name, unit string, better record.Better, v float64) {
		t.Values = append(t.Values, record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: better}, Value: v})
	}
	carried := capacity
	if s.Load.Kind == record.Open {
		carried = min(s.Load.Level, capacity)
		if s.Load.Level > .99*capacity {
			t.Void, t.Over = "the target fell behind", true
		}
		latency := .002 / (1 - min(s.Load.Level, .99*capacity)/capacity)
		value(record.LatencyP99, "s", record.Lower, latency)
		value(record.LatencyP50, "s", record.Lower, latency/5)
	}
	value(record.Throughput, "op/s", record.Higher, carried)
	value(record.CPUPercent, "%", record.Neutral, 100*carried/capacity)
	return t
}

// searchOn carries out a plan of searches, on machines of these capacities by host.
func searchOn(t *testing.T, p record.Plan, capacity map[string]float64) (trials []record.Trial, orders []record.Order) {
	t.Helper()
	for {
		o, ok := Next(p, trials)
		if !ok {
			return trials, orders
		}
		if len(orders) > 1000 {
			t.Fatal("the search does not end")
		}
		orders = append(orders, o)
		trials = append(trials, serverOf(o, capacity[o.Host]))
	}
}

func TestSearchIsOneReplicate(t *testing.T) {
	p := searchPlan(t, func(r *Request) { r.Replicates = 3 })
	if p.WarmupS != SearchWarmupS || p.DurationS != SearchTimeS || p.Cells[0].Load.Key() != record.KeySearched {
		t.Errorf("plan %+v", p)
	}
	trials, orders := searchOn(t, p, map[string]float64{"": 10_000})
	if first := orders[0]; first.Sides[0].Load.Kind != record.Closed || first.Probe != 1 ||
		first.Sides[0].Params[record.ParamClients] != "64" {
		t.Errorf("begins with %+v", first)
	}
	if b := orders[1]; b.Sides[0].Load.Level != 1500 || b.DurationS != SearchTimeS ||
		b.Sides[0].Params[record.ParamRate] != "1500" {
		t.Errorf("then %+v for %v s", b.Sides[0].Load, b.DurationS)
	}
	ids := map[string]bool{}
	for _, o := range orders {
		ids[o.ID] = true
	}
	if len(ids) != len(orders) || len(orders) < 3*(1+3+SearchProbes+1) || len(orders) > 3*SearchRuns {
		t.Errorf("%d orders, %d ids", len(orders), len(ids))
	}
	plans := []record.PlanLine{{Hash: Hash(p), Plan: p}}
	cells := judge.Show(trials, nil, plans).Workloads
	var line *loadline.Line
	for _, c := range cells {
		if c.Load != record.KeySearched {
			t.Errorf("a cell at %s: probes are no cells of their own", c.Load)
		}
		if c.Primary {
			if line = headroom.Chief(c); c.Metric != "max_sustained" || c.N != 3 || c.Unit != "op/s" {
				t.Errorf("primary %+v", c)
			}
		}
	}
	// 0.002/(1-x) is twice its value at 10% if 1-x is half of 0.9.
	if line == nil || !line.Crossed || line.N != 3 || math.Abs(line.MaxSustained/5500-1) > .01 || line.Lo == nil ||
		line.At50 == nil || math.Abs(*line.At50-5000) > 50 {
		t.Fatalf("%+v", line)
	}
}

// TestSearchResumes: cut anywhere, the same order follows.
func TestSearchResumes(t *testing.T) {
	p := searchPlan(t, func(r *Request) { r.Replicates = 2 })
	trials, orders := searchOn(t, p, map[string]float64{"": 5000})
	for cut := range trials {
		if o, ok := Next(p, trials[:cut]); !ok || o.ID != orders[cut].ID || o.Sides[0].Load != orders[cut].Sides[0].Load ||
			o.Confirms != orders[cut].Confirms {
			t.Fatalf("after %d: %+v, want %s", cut, o, orders[cut].ID)
		}
	}
}

// TestSearchesSideBySide: the sides of a comparison take turns probing, each with its own search, and compare finds the
// one that sustains more.
func TestSearchesSideBySide(t *testing.T) {
	p := searchPlan(t, func(r *Request) { r.Replicates, r.Hosts = 5, []string{"x", "y"} })
	trials, orders := searchOn(t, p, map[string]float64{"x": 10_000, "y": 12_000})
	ahead := 0
	for i, o := range orders {
		if o.Host == "x" {
			ahead++
		} else {
			ahead--
		}
		if ahead > 2 || ahead < -2 {
			t.Fatalf("order %d: one side is %d probes ahead", i, ahead)
		}
	}
	got, err := judge.Compare(trials, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}, judge.Options{})
	if err != nil || len(got.Pairs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	v := got.Pairs[0].Verdicts[0]
	if v.Metric != "max_sustained" || !v.Primary || v.N != 5 || !v.Paired || v.Verdict != trialset.Different ||
		v.Better != "b" || math.Abs(v.Ratio-1.2) > .01 {
		t.Errorf("%+v", v)
	}
}

// TestSearchIsConfirmed: one run at the line found ends each search, as resumed in the middle of it; a void one is made
// once more, and plans without it, such as those of older sessions, end before.
func TestSearchIsConfirmed(t *testing.T) {
	p := searchPlan(t, func(r *Request) { r.Replicates = 2 })
	trials, orders := searchOn(t, p, map[string]float64{"": 10_000})
	var at []int
	for i, o := range orders {
		if o.Confirms != "" {
			at = append(at, i)
		}
	}
	if len(at) != 2 || at[1] != len(orders)-1 || orders[at[0]+1].Replicate != 1 || orders[at[0]].Confirms != "p99" ||
		orders[at[0]].Probe != orders[at[0]-1].Probe+1 {
		t.Fatalf("confirmed by orders %v of %d", at, len(orders))
	}
	confirming := orders[at[0]]
	if load := confirming.Sides[0].Load.Level; math.Abs(load/5500-1) > .025 {
		t.Errorf("at %v", load)
	}
	bad := trials[at[0]]
	bad.Void, bad.Values = "the agent died", nil
	done := append(slices.Clone(trials[:at[0]]), bad)
	again, ok := Next(p, done)
	if !ok || again.Confirms != "p99" || again.Attempt != 1 || again.Probe != confirming.Probe ||
		again.Sides[0].Load != confirming.Sides[0].Load {
		t.Errorf("after a void one: %+v", again)
	}
	bad.ID, bad.Attempt = again.ID, 1
	if o, ok := Next(p, append(done, bad)); !ok || o.Confirms != "p99" || o.Probe != confirming.Probe+1 {
		t.Errorf("after two void ones, with time left: %+v", o)
	}
	older := p
	older.Cells = slices.Clone(p.Cells)
	asked := *p.Cells[0].Search
	asked.Confirm, asked.TimeS = false, 0
	older.Cells[0].Search = &asked
	_, others := searchOn(t, older, map[string]float64{"": 10_000})
	if slices.ContainsFunc(others, func(o record.Order) bool { return o.Confirms != "" }) || len(others) >= len(orders) {
		t.Errorf("%d orders without confirmations, %d with", len(others), len(orders))
	}
}

// TestQuickSearch: one replicate, or three if sides are compared; few short probes, for p99 alone; a short warm-up of a
// Java server unless one is set. One that is not quick has more and longer probes, and is otherwise the same.
func TestQuickSearch(t *testing.T) {
	decl := webDecl()
	decl.Params = append(decl.Params, record.Param{Name: record.ParamHeat, Kind: record.Text, Default: record.HeatAuto})
	targets := map[string]Target{"": {CPUs: 4}, "x": {CPUs: 4, Machine: "1"}, "y": {CPUs: 4, Machine: "2"}}
	resolve := func(quick bool, change func(*Request)) record.Plan {
		req := Request{Session: "s", Seed: 3, WarmupS: -1, Quick: quick,
			Measure: []Ask{{Workload: "web", Set: map[string]string{}}}}
		if err := req.Search(false, nil, []record.Workload{decl}); err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(&req)
		}
		p, err := Resolve(req, []record.Workload{decl}, targets)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := resolve(true, nil)
	if c := p.Cells[0]; p.Replicates != 1 || p.DurationS != QuickTimeS || c.Search.Probes != QuickProbes ||
		!c.Search.Chief || c.Params[record.ParamHeat] != record.HeatShort {
		t.Errorf("%+v", p)
	}
	trials, orders := searchOn(t, p, map[string]float64{"": 10_000})
	if len(orders) < 1+3+QuickProbes+1 || len(orders) > SearchRuns || orders[len(orders)-1].Confirms != "p99" {
		t.Errorf("%d orders", len(orders))
	}
	line := headroom.Chief(judge.Show(trials, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}).Workloads[0])
	if line == nil || math.Abs(line.MaxSustained/5500-1) > .03 || line.OneSearch == nil ||
		!line.OneSearch.Bounded() || line.OneSearch.Excludes(5500) || line.Bounded() {
		t.Errorf("%+v", line)
	}
	set := resolve(true, func(r *Request) { r.Measure[0].Set[record.ParamHeat] = record.HeatAuto })
	compared := resolve(true, func(r *Request) { r.Hosts = []string{"x", "y"} })
	if set.Cells[0].Params[record.ParamHeat] != record.HeatAuto || compared.Stop == nil ||
		compared.Stop.Alone != QuickMost {
		t.Errorf("%+v, %+v", set.Cells[0], compared.Stop)
	}
	whole := resolve(false, nil)
	if c := whole.Cells[0]; whole.Replicates != 1 || c.Search.Probes != SearchProbes || !c.Search.Chief ||
		c.Params[record.ParamHeat] != record.HeatShort || c.Search.TimeS != SearchRuns*(SearchWarmupS+SearchTimeS+startS) {
		t.Errorf("%+v", whole)
	}
}

// TestSearchWithoutLineIsNotConfirmed: a server that handles whatever is offered within the limit has no line to
// confirm.
func TestSearchWithoutLineIsNotConfirmed(t *testing.T) {
	p := searchPlan(t, func(r *Request) {
		r.Replicates = 1
		r.Measure[0].Search.Objectives = map[string]float64{"p99": 10}
	})
	var trials []record.Trial
	for o, ok := Next(p, nil); ok; o, ok = Next(p, trials) {
		if o.Confirms != "" {
			t.Fatalf("%+v", o)
		}
		capacity := 1e6
		if o.Sides[0].Load.Kind == record.Closed {
			capacity = 1000
		}
		trials = append(trials, serverOf(o, capacity))
	}
}

func TestSweepOfLoad(t *testing.T) {
	p := searchPlan(t, func(r *Request) { r.Replicates = 1; r.Measure[0].Search.Sweep = true })
	trials, orders := searchOn(t, p, map[string]float64{"": 1000})
	if len(orders) != 1+len(shares()) || orders[1].Sides[0].Load.Level != 50 ||
		orders[len(orders)-1].Sides[0].Load.Level != 1000 {
		t.Errorf("%d orders", len(orders))
	}
	cells := judge.Show(trials, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}).Workloads
	if headroom.Chief(cells[0]) == nil || len(headroom.Chief(cells[0]).Probes) < 13 {
		t.Errorf("%+v", cells[0])
	}
}

// A probe that is void for the generator's sake is made once more; a closed load that never works ends the search.
func TestSearchThatFails(t *testing.T) {
	p := searchPlan(t, func(r *Request) { r.Replicates = 1 })
	var done []record.Trial
	o, _ := Next(p, done)
	loaded := serverOf(o, 1000)
	loaded.Void = "the generator was loaded itself"
	if o, ok := Next(p, []record.Trial{loaded}); !ok || o.Probe != 2 {
		t.Errorf("a generator that was loaded has told the capacity about: %+v", o)
	}
	bad := serverOf(o, 1000)
	bad.Void, bad.Values = "the agent died", nil
	done = append(done, bad)
	o, ok := Next(p, done)
	if !ok || o.Probe != 1 || o.Attempt != 1 || o.ID == bad.ID {
		t.Fatalf("%+v", o)
	}
	bad.ID, bad.Attempt = o.ID, 1
	if o, ok := Next(p, append(done, bad)); ok {
		t.Errorf("goes on with %+v", o)
	}
}

func TestSearchesRefused(t *testing.T) {
	for want, req := range map[string]Request{
		"supports an open loop": {Measure: kernel(nil)},
		"load is to be found":   {Measure: []Ask{{Workload: "web", Set: map[string]string{"rate": "5"}}}},
		"must be a percentile":  {Measure: []Ask{{Workload: "web"}}},
	} {
		objectives := map[string]string{}
		if want == "must be a percentile" {
			objectives["p100"] = "1ms"
		}
		times, err := ParseObjectives(objectives)
		decls := append(declared(), webDecl())
		if err == nil {
			err = req.Search(false, times, decls)
		}
		if err == nil {
			_, err = Resolve(req, decls, map[string]Target{"": {CPUs: 4}})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// TestSearchWithConnections: the closed loop of a search has as many clients as its open loops have connections.
func TestSearchWithConnections(t *testing.T) {
	decl := webDecl()
	decl.Params = append(slices.Clone(decl.Params),
		record.Param{Name: record.ParamConnections, Kind: record.Int, Default: "64", Min: 1, Max: 1e4})
	for text, want := range map[string]string{"": "64", "16": "16"} {
		req := Request{Session: "s", Seed: 3, Measure: []Ask{{Workload: "web", Set: map[string]string{}}}}
		if text != "" {
			req.Measure[0].Set[record.ParamConnections] = text
		}
		if err := req.Search(false, nil, []record.Workload{decl}); err != nil {
			t.Fatal(err)
		}
		p, err := Resolve(req, []record.Workload{decl}, map[string]Target{"": {CPUs: 4}})
		if err != nil {
			t.Fatal(err)
		}
		first, _ := Next(p, nil)
		if got := first.Sides[0]; got.Load.Kind != record.Closed || got.Params[record.ParamClients] != want {
			t.Errorf("connections %q: %+v, %s clients", text, got.Load, got.Params[record.ParamClients])
		}
	}
}

// TestSearchGoesOnUntilConfirmed: a run that does not confirm the line is one more probe; the next is to confirm what
// is then the line, and the search ends when one does, or with its time.
func TestSearchGoesOnUntilConfirmed(t *testing.T) {
	p := searchPlan(t, func(r *Request) {
		r.Replicates = 1
		r.Measure[0].Search.Objectives = map[string]float64{"p99": .008}
	})
	p.Cells[0].Search.TimeS *= 2
	for _, c := range []struct{ slow, confirmations int }{{0, 1}, {1, 2}, {100, 0}} {
		var trials []record.Trial
		var lines []float64
		for o, ok := Next(p, nil); ok; o, ok = Next(p, trials) {
			got := serverOf(o, 10_000)
			if len(trials) > 40 {
				t.Fatal("the search does not end")
			}
			if o.Confirms != "" {
				if lines = append(lines, got.Load.Level); len(lines) <= c.slow {
					got.Values[0].Value *= 2
				}
			}
			trials = append(trials, got)
		}
		took := 0.0
		for _, o := range trials {
			took += p.WarmupS + startS + SearchTimeS*map[bool]float64{true: .5, false: 1}[o.Load.Kind == record.Closed]
		}
		if took > p.Cells[0].Search.TimeS {
			t.Errorf("%d slow runs: %v s", c.slow, took)
		}
		if c.confirmations > 0 && len(lines) != c.confirmations {
			t.Errorf("%d slow runs: to be confirmed were %v", c.slow, lines)
		}
		for i := 1; i < len(lines); i++ {
			if lines[i] >= lines[i-1] {
				t.Errorf("goes on at %v", lines)
			}
		}
		line := headroom.Chief(judge.Show(trials, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}).Workloads[0])
		if line == nil || line.Crossed != (c.confirmations > 0) || line.Crossed != (line.Between == nil) {
			t.Fatalf("%d slow runs: %+v", c.slow, line)
		}
		if b := line.Between; b != nil && (line.AtMost == nil || b.Within.Load != line.MaxSustained ||
			b.Above.Load != *line.AtMost || *b.Within.Latency > .008 || line.OneSearch != nil) {
			t.Errorf("%+v", *line)
		}
	}
}

// TestInterruptedSearch: what was begun of a second search takes nothing from the first.
func TestInterruptedSearch(t *testing.T) {
	p := searchPlan(t, func(r *Request) { r.Replicates = 2 })
	trials, _ := searchOn(t, p, map[string]float64{"": 10_000})
	shown := func(trials []record.Trial) *loadline.Line {
		return headroom.Chief(judge.Show(trials, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}}).Workloads[0])
	}
	first := slices.IndexFunc(trials, func(o record.Trial) bool { return o.Replicate == 1 })
	want := shown(trials[:first])
	for cut := first + 1; cut < len(trials)-1; cut++ {
		if got := shown(trials[:cut]); got == nil || got.N != 1 || !got.Crossed || got.MaxSustained != want.MaxSustained {
			t.Errorf("after %d of %d: %+v, want %+v", cut, len(trials), got, want)
		}
	}
	for cut := 2; cut < first; cut++ { // the first itself brackets
		if got := shown(trials[:cut]); cut > 6 && got == nil || got != nil && got.Crossed {
			t.Errorf("after %d: %+v", cut, got)
		}
	}
}

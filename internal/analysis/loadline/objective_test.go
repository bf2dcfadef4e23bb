package loadline

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// TestSearchWithoutBase: a server that is never idle has no line without an objective, and the reason says so.
func TestSearchWithoutBase(t *testing.T) {
	busy := search(0, []float64{150, 100, 50}, rand.New(rand.NewPCG(1, 1)))
	for i := range busy {
		for j := range busy[i].Values {
			if v := &busy[i].Values[j]; v.Name == record.CPUPercent {
				v.Value += 21
			}
		}
	}
	for name, c := range map[string]struct {
		probes []record.Trial
		asked  record.Search
		code   note.Code
	}{
		"never idle":                  {busy, record.Search{}, "never-idle"},
		"never idle in a sweep":       {busy, record.Search{Sweep: true}, "never-idle"},
		"nothing but the closed loop": {busy[:1], record.Search{}, "no-low-probe"},
	} {
		if _, why := searchedLine(c.probes, c.asked, "p99", nil); why.Code != c.code {
			t.Errorf("%s: %q: %s", name, why.Code, why.Text())
		}
	}
}

// search returns the probes of a search of an M/M/1 server, steered by p99=50ms.
func search(replicate int, rates []float64, r *rand.Rand) []record.Trial {
	var out []record.Trial
	add := func(load record.LoadPoint, values ...record.Value) {
		t := record.Trial{Slot: record.Slot{Plan: "p", Replicate: replicate, Probe: len(out) + 1}, Load: load, Values: values}
		t.Keys = map[string]string{record.KeyWorkload: "http", record.KeyMachine: "m", record.KeyLoad: load.Key(),
			"http." + load.Unit: fmt.Sprint(load.Level)}
		out = append(out, t)
	}
	add(record.LoadPoint{Kind: record.Closed, Unit: record.ParamClients, Level: 64},
		record.Value{Metric: record.Metric{Name: record.Throughput, Unit: "op/s"}, Value: 1000})
	for _, rate := range rates {
		var values []record.Value
		for _, of := range []struct { // in this order, in which they draw from r
			name   string
			factor float64
		}{{"latency_p50", .693}, {"latency_p95", 2.996}, {"latency_p99", 4.605}} {
			values = append(values, record.Value{Metric: record.Metric{Name: of.name, Unit: "s", Better: record.Lower},
				Value: of.factor / (1000 - rate) * (1 + .02*r.NormFloat64())})
		}
		values = append(values, record.Value{Metric: record.Metric{Name: record.CPUPercent, Unit: "%"}, Value: rate / 10})
		add(record.LoadPoint{Kind: record.Open, Unit: record.ParamRate, Level: rate}, values...)
	}
	return out
}

// TestAnotherObjectiveIsBracketed: the truth of an M/M/1 server lies within the bounds that a search for another
// objective gives; and the search's own objective has its line.
func TestAnotherObjectiveIsBracketed(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	plans := map[string]record.Plan{"p": {Cells: []record.Cell{
		{Workload: "http", Search: &record.Search{Objectives: map[string]float64{"p99": .05}, Probes: 6, Clients: 64}}}}}
	var trials []record.Trial
	for i := range 5 {
		trials = append(trials, search(i, []float64{150, 100, 50, 700, 870, 930, 900, 915, 905, 970}, r)...)
	}
	for _, c := range []struct {
		statistic         string
		objective, factor float64
		bracketed         bool
	}{{"p99", .05, 4.605, false}, {"p99", .1, 4.605, true}, {"p95", .05, 2.996, true}, {"p50", .02, .693, true}} {
		objectives := map[string]float64{c.statistic: c.objective}
		found := lineFindings(trials, plans, objectives)
		lines := found[0].Lines
		l, truth := lines[c.statistic], 1000-c.factor/c.objective
		if len(lines) != 1 || l.Crossed == c.bracketed || (l.SteeredBy != "") != c.bracketed {
			t.Fatalf("%s=%v, seed %d: %+v of %v", c.statistic, c.objective, seed, lines, found)
		}
		condensed := Condensed(trials, plans, objectives)
		if len(condensed) != 5 || condensed[0].Values[0].Name != MetricSustained ||
			condensed[0].Values[0].AtLeast != c.bracketed {
			t.Errorf("%s=%v: %+v", c.statistic, c.objective, condensed[0].Values)
		}
		switch {
		case !c.bracketed && (l.MaxSustained < .98*truth || l.MaxSustained > 1.02*truth):
			t.Errorf("seed %d: the line is %v, the truth %v", seed, l.MaxSustained, truth)
		case c.bracketed && (l.MaxSustained > truth || l.AtMost != nil && *l.AtMost < truth || l.Lo != nil ||
			l.OneSided["max_sustained"] != LowerBound):
			t.Errorf("seed %d: %s=%v: %+v do not hold %v", seed, c.statistic, c.objective, l, truth)
		}
	}
}

func lineFindings(trials []record.Trial, plans map[string]record.Plan, objectives map[string]float64) []LineFinding {
	found := map[trialset.Key]LineFinding{}
	AddSearched(found, trials, plans, objectives)
	return slices.Collect(maps.Values(found))
}

// TestFewSearchesWithALineAreNone: 2 of 5 searches have a line, and they are no sample of all.
func TestFewSearchesWithALineAreNone(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	plans := map[string]record.Plan{"p": {Cells: []record.Cell{
		{Workload: "http", Search: &record.Search{Objectives: map[string]float64{"p99": .05}, Probes: 6, Clients: 64}}}}}
	for _, with := range []int{2, 3} {
		var trials []record.Trial
		for i := range 5 {
			rates := []float64{950, 970, 980, 990}
			if i < with {
				rates = []float64{150, 100, 50, 870, 930, 905}
			}
			trials = append(trials, search(i, rates, r)...)
		}
		valid := 0
		for _, s := range Condensed(trials, plans, nil) {
			if s.Void == "" {
				valid++
			}
		}
		if want := map[int]int{2: 0, 3: 3}[with]; valid != want {
			t.Errorf("of %d searches with a line %d count, want %d", with, valid, want)
		}
		for _, f := range lineFindings(trials, plans, nil) {
			if (len(f.Lines) == 0) != (with == 2) || with == 2 && f.Reason.Code != "most-without-line" {
				t.Errorf("%d of 5: %+v", with, f)
			}
		}
	}
}

// TestOnlySweepsAreInterpolated: a search has its own interval, which includes the distance between its probes.
func TestOnlySweepsAreInterpolated(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	trials := search(0, []float64{50, 100, 150, 400, 600, 800, 940}, r)
	for _, sweep := range []bool{false, true} {
		plans := map[string]record.Plan{"p": {Cells: []record.Cell{{Workload: "http", Search: &record.Search{
			Objectives: map[string]float64{"p99": .05}, Probes: 6, Clients: 64, Sweep: sweep}}}}}
		l := lineFindings(trials, plans, nil)[0].Lines["p99"]
		noted := slices.ContainsFunc(l.Doubts, func(n note.Note) bool { return n.Code == "line-interpolated" })
		if !l.Crossed || noted != sweep {
			t.Errorf("sweep %v: crossed %v, %+v", sweep, l.Crossed, l.Doubts)
		}
	}
}

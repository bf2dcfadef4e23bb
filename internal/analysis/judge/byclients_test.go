package judge

import (
	"math"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// clientSweep is replicates of a closed load at each number of clients, with the rates that they carry.
func clientSweep(machine string, n int, clients, rates []float64, changes ...change) []record.Trial {
	var out []record.Trial
	for r := range n {
		for i, c := range clients {
			cs := append([]change{atLoad(record.Closed, record.ParamClients, c),
				measured(record.Throughput, "op/s", record.Higher, rates[i]*(1+.001*float64(r)))}, changes...)
			out = append(out, trial(machine, r, 0, cs...))
		}
	}
	return out
}

// TestByClients: the points of a sweep stand with the cell of its most clients, and with no other one.
func TestByClients(t *testing.T) {
	clients := []float64{16, 32, 64, 128}
	got := Show(clientSweep("m1", 3, clients, []float64{100, 150, 180, 170}), nil, nil)
	var found *sweep.ByClients
	for _, c := range got.Workloads {
		if (sweep.KindByClients.Of(c) != nil) != (c.Primary && c.Load == "128 clients") {
			t.Errorf("%s at %s has %+v", c.Metric, c.Load, sweep.KindByClients.Of(c))
		}
		if sweep.KindByClients.Of(c) != nil {
			found = sweep.KindByClients.Of(c)
		}
	}
	if found == nil || found.Unit != "op/s" || found.Metric != record.Throughput {
		t.Fatalf("%+v", found)
	}
	var at []float64
	for i, p := range found.Points {
		at = append(at, p.Clients)
		if want := []float64{100, 150, 180, 170}[i]; math.Abs(p.Value/want-1.001) > 1e-5 || p.N != 3 || p.Lo == nil ||
			*p.Lo > p.Value || *p.Hi < p.Value {
			t.Errorf("%g clients: %+v, want %g", p.Clients, p, want)
		}
	}
	if p := found.Points; p[0].OverLast != nil || p[3].OverLast == nil ||
		math.Abs(p[3].OverLast.Value/(170./180)-1) > 1e-9 || *p[3].OverLast.Hi > .96 {
		t.Errorf("the last over the one before: %+v", p[3].OverLast)
	}
	if !slices.Equal(at, clients) {
		t.Errorf("clients %v", at)
	}
}

// TestTooFewClients: two numbers are no sweep, and one replicate has no interval.
func TestTooFewClients(t *testing.T) {
	for _, c := range Show(clientSweep("m1", 3, []float64{16, 32}, []float64{1, 2}), nil, nil).Workloads {
		if sweep.KindByClients.Of(c) != nil {
			t.Errorf("a sweep of two: %+v", sweep.KindByClients.Of(c))
		}
	}
	for _, c := range Show(clientSweep("m1", 1, []float64{1, 2, 4}, []float64{1, 2, 3}), nil, nil).Workloads {
		if sweep.KindByClients.Of(c) != nil && sweep.KindByClients.Of(c).Points[0].Lo != nil {
			t.Errorf("an interval of one value: %+v", sweep.KindByClients.Of(c))
		}
	}
}

// TestClientsCross: each number of clients keeps its gain with an interval, and between two of opposite winners lies
// one crossing.
func TestClientsCross(t *testing.T) {
	clients := []float64{16, 32, 64, 128}
	trials := append(clientSweep("m1", 5, clients, []float64{100, 150, 180, 170}),
		clientSweep("m2", 5, clients, []float64{115, 160, 170, 120}, planned("p2"))...)
	got, err := Compare(trials, nil, append(plans(nil),
		record.PlanLine{Hash: "p2", Plan: record.Plan{Alpha: .05, Margin: .02, Claim: "machine"}}), Options{})
	if err != nil || len(got.Pairs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, v := range got.Pairs[0].Verdicts {
		if want := []float64{1.15, 160. / 150, 170. / 180, 120. / 170}[i]; math.Abs(v.Ratio/want-1) > 1e-9 || v.Lo == nil ||
			v.Verdict != trialset.Different {
			t.Errorf("%s: %+v, want a ratio of %g", v.Load, v, want)
		}
	}
	if x := crossover.KindCrossing.All(got.Pairs[0]); len(x) != 1 || x[0].Axis != record.ParamClients || x[0].Lo != 32 ||
		x[0].Hi != 64 || x[0].FromBetter != "b" || x[0].Load != "" {
		t.Errorf("%+v", x)
	}
}

package judge

import (
	"errors"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// clustersOn returns five runs of a cluster of so many nodes, of which each handles as much.
func clustersOn(machine string, cell int, nodes string, each float64) []record.Trial {
	var out []record.Trial
	for i := range 5 {
		out = append(out, trial(machine, i, each*(1+.001*float64(i)), key(record.KeyWorkload, "kafka"),
			key("kafka."+record.ParamNodes, nodes),
			func(t *record.Trial) { t.Cell = cell }))
	}
	return out
}

func equalCost(t *testing.T, a, b float64, sides ...[]record.Trial) *cost.EqualCost {
	t.Helper()
	got, err := Compare(slices.Concat(sides...), nil, plans(nil), Options{Basis: priced(a, b), EqualCost: true})
	if err != nil {
		t.Fatal(err)
	}
	return cost.KindEqualCost.Of(got.Pairs[0])
}

// TestEqualCostIsMeasured: three nodes against four, of which nothing is assumed.
func TestEqualCostIsMeasured(t *testing.T) {
	e := equalCost(t, .126, .1008, clustersOn("m1", 0, "3", 900), clustersOn("m2", 1, "4", 1000))
	if e == nil || e.Assumed != "measured" || e.NodesA != 3 || e.NodesB != 4 || !close9(e.SpendA, .378) ||
		!close9(e.SpendB, .4032) || len(e.Cells) != 1 {
		t.Fatalf("%+v", e)
	}
	c := e.Cells[0]
	if !close9(c.Ratio, 10./9) || c.Verdict != trialset.Different || c.Better != "b" || c.N != 5 ||
		c.Params[record.ParamNodes] != "" ||
		!flagged(c.Flags, "all nodes of a cluster shared one machine") {
		t.Errorf("%+v", c)
	}
}

// TestEqualCostTakesTheClustersThatCostTheSame, the smallest of them, and otherwise assumes.
func TestEqualCostTakesTheClustersThatCostTheSame(t *testing.T) {
	all := func(machine string, each float64) []record.Trial {
		var out []record.Trial
		for i, nodes := range []string{"1", "2", "4"} {
			out = append(out, clustersOn(machine, i, nodes, each*float64(i+1))...)
		}
		return out
	}
	if e := equalCost(t, 1, .5, all("m1", 100), all("m2", 100)); e == nil || e.Assumed != "measured" || e.NodesA != 1 ||
		e.NodesB != 2 || !close9(e.Cells[0].Ratio, 2) {
		t.Errorf("%+v", e)
	}
	if e := equalCost(t, 1, .7, all("m1", 100), all("m2", 100)); e == nil || e.Assumed != "linear" || e.NodesA != 2 ||
		e.NodesB != 3 {
		t.Errorf("%+v", e)
	}
}

// TestClustersOfFailedRuns are no difference in what was measured, and clusters that nobody compares at equal cost have
// nothing in common.
func TestClustersOfFailedRuns(t *testing.T) {
	failed := clustersOn("m2", 1, "4", 1000)
	for i := range failed {
		failed[i].Void = "the brokers are gone"
	}
	trials := slices.Concat(clustersOn("m1", 0, "3", 900), failed)
	_, err := Compare(trials, nil, plans(nil), Options{Basis: priced(1, 1), EqualCost: true})
	if !errors.As(err, new(compare.NoValid)) {
		t.Errorf("%v", err)
	}
	_, err = Compare(trials, nil, plans(nil), Options{Basis: priced(1, 1)})
	var apart compare.Disjoint
	if !errors.As(err, &apart) || !apart.Nodes {
		t.Errorf("%v", err)
	}
	_, err = Compare(trials, nil, plans(nil),
		Options{Basis: func(record.Machine) finding.Basis { return finding.Basis{} }, EqualCost: true})
	if err == nil {
		t.Error("nothing is known of the prices")
	}
}

// TestClustersOfSeveralHosts: what is known of such a machine is of all of its hosts, and a node is one of them.
func TestClustersOfSeveralHosts(t *testing.T) {
	hosts := func(trials []record.Trial, n string) []record.Trial {
		for i := range trials {
			trials[i].Keys[record.KeyHosts] = n
		}
		return trials
	}
	basis := func(m record.Machine) finding.Basis {
		return finding.Basis{VCPUs: 2, PricePerHour: map[string]float64{"m1": .126, "m2": .1008}[m.Name]}.Of(
			map[string]int{"m1": 3, "m2": 4}[m.Name])
	}
	trials := slices.Concat(hosts(clustersOn("m1", 0, "3", 900), "3"), hosts(clustersOn("m2", 1, "4", 1000), "4"))
	got, err := Compare(trials, nil, plans(nil), Options{Basis: basis, EqualCost: true})
	if err != nil {
		t.Fatal(err)
	}
	e := cost.KindEqualCost.Of(got.Pairs[0])
	if e == nil || !close9(e.SpendA, .378) || !close9(e.SpendB, .4032) || len(e.Cells) != 1 {
		t.Fatalf("%+v", e)
	}
	if flagged(e.Cells[0].Flags, "all nodes of a cluster shared one machine") {
		t.Errorf("%+v", e.Cells[0])
	}
	// as it was registered
	if b := got.Pairs[0].BasisA; b.VCPUs != 6 || !close9(b.PricePerHour, .378) || b.EachPerHour() != .126 {
		t.Errorf("%+v", b)
	}
}

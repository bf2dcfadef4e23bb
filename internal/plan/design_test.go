package plan

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// switches is a workload of five parameters of two values, and one of three.
func switches() []record.Workload {
	w := record.Workload{Name: "server", Loads: []record.LoadKind{record.Closed},
		Metrics: []record.Metric{{Name: record.Throughput, Unit: "op/s", Better: record.Higher}},
		Params:  []record.Param{{Name: record.ParamClients, Kind: record.Int, Default: "4", Min: 1, Max: 100}}}
	for _, n := range []string{"a", "b", "c", "d", "e"} {
		w.Params = append(w.Params, record.Param{Name: n, Kind: record.Enum, Default: "off",
			Choices: []string{"off", "on", "half"}})
	}
	return []record.Workload{w}
}

func varied(factors ...string) Request {
	r := Request{Session: "test", Measure: []Ask{{Workload: "server"}}}
	for _, f := range factors {
		key, values, _ := strings.Cut(f, "=")
		r.Factors = append(r.Factors, Vary("server."+key, strings.Split(values, ",")))
	}
	return r
}

func resolved(t *testing.T, r Request) record.Plan {
	t.Helper()
	p, err := Resolve(r, switches(), map[string]Target{"": {CPUs: 8}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDesigns(t *testing.T) {
	for _, c := range []struct {
		factors    []string
		cells      int
		kind, says string
	}{
		{[]string{"a=off,on"}, 2, "", ""},
		{[]string{"a=off,on", "b=off,on"}, 4, record.DesignFull,
			"each replicate is a block of all 4 combinations in random order"},
		{[]string{"a=off,on", "b=off,on", "c=off,on"}, 8, record.DesignFull, "all 8 combinations"},
		{[]string{"a=off,on", "b=off,on", "c=off,on", "d=off,on"}, 8, record.DesignHalf,
			"2^(4-1) of A server.a, B server.b, C server.c, D server.d, defining relation I = ABCD (D = ABC)"},
		{[]string{"a=off,on", "b=off,on", "c=off,on", "d=off,on", "e=off,on"}, 32, record.DesignMixed,
			"not a factorial, since it has 5 factors"},
		{[]string{"a=off,on,half", "b=off,on"}, 6, record.DesignMixed, "not a factorial, since server.a has 3 levels"},
	} {
		p := resolved(t, varied(c.factors...))
		if len(p.Cells) != c.cells {
			t.Errorf("%v: %d cells, want %d", c.factors, len(p.Cells), c.cells)
		}
		if c.kind == "" {
			if len(p.Designs) != 0 {
				t.Errorf("%v: %v", c.factors, p.Designs)
			}
			continue
		}
		if len(p.Designs) != 1 || p.Designs[0].Kind != c.kind || !strings.Contains(p.Designs[0].String(), c.says) {
			t.Errorf("%v: %v", c.factors, p.Designs)
		}
	}
}

// TestHalfIsEven: each cell of the half has an even number of factors at the second level, and no cell stands there
// twice.
func TestHalfIsEven(t *testing.T) {
	p := resolved(t, varied("a=off,on", "b=off,on", "c=off,on", "d=off,on"))
	seen := map[string]bool{}
	for _, c := range p.Cells {
		on := 0
		for _, l := range c.Levels {
			if l == "on" {
				on++
			}
		}
		seen[fmt.Sprint(c.Levels)] = true
		if on%2 != 0 || len(c.Levels) != 4 {
			t.Errorf("levels %v", c.Levels)
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d different cells", len(seen))
	}
	// No two of its cells differ in one factor alone, so that no look can end it.
	if p.Stop != nil || p.Replicates != DefaultReplicates {
		t.Errorf("it ends after %+v of %d", p.Stop, p.Replicates)
	}
}

// TestBlocksAreRandom: every replicate is a block of all combinations; the orders differ, depend only on the seed, and
// have varying successors.
func TestBlocksAreRandom(t *testing.T) {
	r := varied("a=off,on", "b=off,on", "c=off,on")
	r.Replicates, r.Seed = 12, 5
	p := resolved(t, r)
	blocks := map[int][]int{}
	for _, o := range follow(t, p, nil, nil) {
		blocks[o.Replicate] = append(blocks[o.Replicate], o.Sides[0].Cell)
	}
	orders, after := map[string]bool{}, map[int]map[int]bool{}
	for _, b := range blocks {
		if sorted := slices.Sorted(slices.Values(b)); !slices.Equal(sorted, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
			t.Errorf("a block of %v", b)
		}
		orders[fmt.Sprint(b)] = true
		for i := range b[1:] {
			if after[b[i]] == nil {
				after[b[i]] = map[int]bool{}
			}
			after[b[i]][b[i+1]] = true
		}
	}
	if len(blocks) != 12 || len(orders) != 12 {
		t.Errorf("%d orders of %d blocks", len(orders), len(blocks))
	}
	for cell, next := range after {
		if len(next) < 3 {
			t.Errorf("cell %d is followed by %v only", cell, slices.Sorted(maps.Keys(next)))
		}
	}
}

// TestImpossibleCombination: the error names the combination, the reason and an alternative.
func TestImpossibleCombination(t *testing.T) {
	refuses := func(when func(p record.Params) bool) map[string]Target {
		return map[string]Target{"": {CPUs: 8, Refuses: func(_ string, p record.Params) error {
			if when(p) {
				return errors.New("b=on, and nothing is encrypted\nhint: a=on")
			}
			return nil
		}}}
	}
	r := varied("a=off,on", "b=off,on")
	_, err := Resolve(r, switches(), refuses(func(p record.Params) bool { return p["b"] == "on" && p["a"] == "off" }))
	var bad *usage.Error
	want := "1 of the 4 combinations of server.a, server.b cannot be measured: server.a=off server.b=on: b=on, and " +
		"nothing is encrypted\n" +
		"hint: --set server.a=on --vary server.b=off,on, and server.a in a separate run; or list the possible states as " +
		"the levels of one factor in a suite"
	if !errors.As(err, &bad) || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	// What no combination can do is no fault of the factors.
	if _, err = Resolve(r, switches(), refuses(func(record.Params) bool { return true })); err == nil ||
		strings.Contains(err.Error(), "combinations") {
		t.Errorf("%v", err)
	}
	// An optional ask goes without, and is no factorial then.
	r.Measure[0].Optional = true
	p, err := Resolve(r, switches(), refuses(func(p record.Params) bool { return p["b"] == "on" && p["a"] == "off" }))
	if err != nil || len(p.Cells) != 3 || len(p.Designs) != 1 || p.Designs[0].Kind != record.DesignMixed ||
		len(p.LeftOut) != 1 {
		t.Errorf("%+v, %v", p.Designs, err)
	}
	if _, err := Resolve(varied("a=off,on", "a=half,on"), switches(), map[string]Target{"": {CPUs: 8}}); err == nil ||
		!strings.Contains(err.Error(), "factor server.a is listed twice\nhint: ") {
		t.Errorf("%v", err)
	}
}

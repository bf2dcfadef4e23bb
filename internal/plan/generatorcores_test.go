package plan

import (
	"testing"

	"plimsoll/internal/record"
)

// TestGeneratorCores: all machines of a plan give the load generator as many cores as a quarter of the smallest
// machine's are.
func TestGeneratorCores(t *testing.T) {
	smt, arm, hidden, small := Target{CPUs: 32, Cores: 16}, Target{CPUs: 32, Cores: 32}, Target{CPUs: 8}, Target{CPUs: 2,
		Cores: 1}
	split := record.Cell{Params: record.Params{record.ParamCPUSets: record.CPUsSplit}}
	for _, c := range []struct {
		targets []Target
		want    int
	}{
		{[]Target{smt}, 4}, {[]Target{arm}, 8}, {[]Target{arm, smt}, 4}, {[]Target{smt, hidden}, 2}, {[]Target{small}, 1},
		{[]Target{small, arm}, 1},
	} {
		var p record.Plan
		targets := map[string]Target{}
		for i, target := range c.targets {
			host := string(rune('a' + i))
			targets[host] = target
			cell := split
			cell.Host = host
			p.Cells = append(p.Cells, cell, record.Cell{Host: host})
		}
		if got := generatorCores(p, targets); got != c.want {
			t.Errorf("%+v: %d cores, want %d", c.targets, got, c.want)
		}
	}
	remote, shared := split, record.Cell{Params: record.Params{record.ParamCPUSets: record.CPUsShared}}
	remote.Remote = true
	if got := generatorCores(record.Plan{Cells: []record.Cell{remote, shared, {}}}, map[string]Target{"": smt}); got != 0 {
		t.Errorf("%d cores where nothing is divided", got)
	}
}

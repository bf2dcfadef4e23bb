package selftest

import (
	"fmt"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/record"
)

// probe is one load of a sweep: 1/s, %, seconds.
type probe struct{ rate, cpu, p99 float64 }

// awsLines returns the gates for the figures of AWS's guide "System Load and Compute Headroom"
// (docs/derivations.md#max-load), in packets per second. The lowest loads and the latencies are ours.
func (t tests) awsLines() ([]Gate, error) {
	var out []Gate
	for _, c := range []struct {
		machine                       string
		half, most, cpuMost, ofLinear float64
	}{
		{"c7g.2xlarge", 322253, 736860, 99, 736860.0 / 644506},
		{"c6i.2xlarge", 345138, 591411, 94, 591411.0 / 690276},
	} {
		sweep := []probe{{60e3, 9, 1e-3}, {90e3, 14, 1e-3}, {c.half, 50, 1.1e-3}, {c.most, c.cpuMost, 2e-3},
			{1.02 * c.most, 99.9, 6e-3}}
		got, err := ofLinear(sweep)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.machine, err)
		}
		out = append(out, exactGate(c.machine+": load line over the linear expectation", got, c.ofLinear, exactly))
	}
	return out, nil
}

// ofLinear returns a sweep's load line relative to that expected from its CPU use.
func ofLinear(sweep []probe) (float64, error) {
	var trials []record.Trial
	for i, p := range sweep {
		load := record.LoadPoint{Kind: record.Open, Level: p.rate, Unit: "rate"}
		t := record.Trial{ID: fmt.Sprint(i), Slot: record.Slot{Plan: "aws", Cell: i, Group: i}, Load: load,
			Values: []record.Value{throughput(p.rate), latency(p.p99)}}
		t.Values = append(t.Values,
			record.Value{Metric: record.Metric{Name: record.CPUPercent, Unit: "%", Better: record.Neutral}, Value: p.cpu})
		t.Keys = map[string]string{record.KeyMachine: sideA, record.KeyWorkload: "packets", record.KeyLoad: load.Key(),
			"packets." + record.ParamRate: fmt.Sprint(p.rate)}
		trials = append(trials, t)
	}
	cells := judge.Show(trials, nil, nil).Workloads
	at := slices.IndexFunc(cells, func(c finding.Cell) bool {
		return headroom.Chief(c) != nil && headroom.Chief(c).OfLinear != nil
	})
	if at < 0 {
		return 0, fmt.Errorf("a sweep of %d loads has no load line", len(sweep))
	}
	return *headroom.Chief(cells[at]).OfLinear, nil
}

package crossover

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// ByCPU is a difference that goes with CPU use: it is larger, or smaller, where the same workload uses more of the
// CPUs. The two cells are those with the least and the most CPU use.
type ByCPU struct {
	Workload string  `json:"workload"`
	Load     string  `json:"load"`
	Metric   string  `json:"metric"`
	Less     CPUCell `json:"less"`
	More     CPUCell `json:"more"`
	// whether the difference is larger in More
	Increases bool `json:"increases"`
}

// CPUCell is one of the two benchmarks.
type CPUCell struct {
	Params map[string]string `json:"params"`
	CPU    float64           `json:"cpu"`   // %, the mean of both sides
	Ratio  estimate.Estimate `json:"ratio"` // of b to a
}

// enoughCPU is the least distance in CPU use, in points, between two cells of which one uses more.
const enoughCPU = 10.

// byCPU compares the cells of a workload at one load that use least and most of the CPUs, if their intervals exclude
// each other.
func byCPU(p *finding.Pairing) []finding.Finding {
	type at struct{ workload, load, metric string }
	var order []at
	found := map[at]*ByCPU{}
	for l := range located(p) {
		c := l.c
		cpuA, cpuB, known := l.m.CPUUse()
		if !known || !c.Primary || c.Per != finding.PerMachine || !c.Bounded() ||
			!trialset.IsRate(record.Metric{Unit: c.Unit, Better: c.Direction}) {
			continue
		}
		cpu := (cpuA + cpuB) / 2
		cell := CPUCell{Params: c.Wording.Of(c.Params), CPU: cpu, Ratio: c.Change()}
		key := at{c.Workload, c.Load, c.Metric}
		switch b := found[key]; {
		case b == nil:
			order = append(order, key)
			found[key] = &ByCPU{Workload: key.workload, Load: key.load, Metric: key.metric, Less: cell, More: cell}
		case cpu < b.Less.CPU:
			b.Less = cell
		case cpu > b.More.CPU:
			b.More = cell
		}
	}
	var out []ByCPU
	for _, key := range order {
		b := found[key]
		apart := *b.Less.Ratio.Hi < *b.More.Ratio.Lo || *b.More.Ratio.Hi < *b.Less.Ratio.Lo
		if b.More.CPU-b.Less.CPU < enoughCPU || !apart {
			continue
		}
		b.Increases = math.Abs(math.Log(b.More.Ratio.Value)) > math.Abs(math.Log(b.Less.Ratio.Value))
		out = append(out, *b)
	}
	return KindByCPU.Each(out)
}

func byCPUSentence(_ *finding.PairView, b ByCPU) block.Sentence {
	larger := "larger"
	if !b.Increases {
		larger = "smaller"
	}
	cell := func(c, other CPUCell) string {
		own := map[string]string{}
		for name, v := range c.Params {
			if other.Params[name] != v {
				own[name] = v
			}
		}
		text := fmt.Sprintf("%s (%s) at %s%% CPU", figure.Percent(c.Ratio.Value),
			figure.PercentSpan(c.Ratio.Ends()), figure.Fixed(c.CPU, 0))
		return strings.Join(figure.NonEmpty(text, finding.ParamsText(own)), ", ")
	}
	return block.Sentence{Lead: "by CPU",
		Text: fmt.Sprintf("the difference is %s where the CPUs are more in use: %s; %s: %s", larger, cell(b.Less, b.More),
			cell(b.More, b.Less), finding.Placed(b.Workload, nil, b.Load, b.Metric))}
}

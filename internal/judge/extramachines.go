package judge

import (
	"strings"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/capacity"
	"plimsoll/internal/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// replaced are the numbers of machines of which it is told: with one, much is rounding.
func replaced() []int { return []int{1, 10} }

// machinesOf reads it from a ratio's interval; nil where there is no verdict on a rate of which more is better.
func machinesOf(c finding.Comparison) []finding.Replacement {
	if c.Verdict == "" || c.Lo == nil || !trialset.IsRate(record.Metric{Unit: c.Unit, Better: c.Direction}) {
		return nil
	}
	var out []finding.Replacement
	for _, n := range replaced() {
		out = append(out, finding.Replacement{Of: n, Machines: stat.MachinesOnPar(n, c.Ratio), Lo: stat.MachinesOnPar(n, *c.Hi), Hi: stat.MachinesOnPar(n, *c.Lo)})
	}
	return out
}

// whole says whether a cell is what whole machines carry: at their load lines, or with all of their CPUs loaded.
func (x comparer) whole(c finding.Comparison, m trialset.Matched) bool {
	if loadline.IsLine(c.Metric) || strings.HasPrefix(c.Load, "all ") {
		return true
	}
	cpuA, cpuB, known := capacity.CPUOf(m)
	if m.A[0].Load.Unit == record.ParamClients {
		return known && min(cpuA, cpuB) >= capacity.FullCPU
	}
	loads := func(side []record.Trial) bool {
		n := x.vcpusOf(side[0])
		return n > 0 && float64(trialset.CPUsOf(side[0])) >= n
	}
	return loads(m.A) && loads(m.B)
}

// vcpusOf is how many vCPUs a trial's machine has; 0 where that is not known.
func (x comparer) vcpusOf(t record.Trial) float64 {
	if x.in.Read.Basis != nil {
		return x.in.BasisOf(t.Keys[record.KeyMachine]).VCPUs
	}
	cpu := x.in.Fleet.Of(t).CPU
	if n := len(cpu.Allowed); n > 0 {
		return float64(n)
	}
	return float64(cpu.Threads)
}

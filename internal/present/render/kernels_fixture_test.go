package render

import (
	"math"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// The machines of MinIO's article, and what they cost and take.
const (
	armBox = "c6g.16xlarge"
	x86Box = "c5.18xlarge"
)

func bases() map[string]finding.Basis {
	return map[string]finding.Basis{
		armBox: {Type: armBox, VCPUs: 64, Cores: 64, PricePerHour: 2.176, PriceSource: "2021-10, list",
			Watts: &finding.Watts{Value: 110, Kind: catalog.Rumoured, Source: "press"}},
		x86Box: {Type: x86Box, VCPUs: 72, Cores: 36, PricePerHour: 3.06, PriceSource: "--price",
			Watts: &finding.Watts{Value: 400, Kind: catalog.Rated, Source: "maker"}},
	}
}

// kernelCell is a kernel's throughput with an interval of 1% to either side.
func kernelCell(machine, workload, size, load string, value float64) finding.Cell {
	c := finding.Cell{
		Machine: machine, Workload: workload, Params: map[string]string{"size": size}, Load: load, Metric: record.Throughput,
		Primary: true, Unit: "B/s", Better: record.Higher,
	}
	return estimated(c, value*.993, value, value*1.007)
}

// withSizes makes a cell the last of a sweep over sizes, whose throughput falls
// where the working set leaves the caches.
func withSizes(c finding.Cell, from, to, cache float64) finding.Cell {
	top := c.Value
	c.Found = sweep.KindBySize.Put(c.Found, &sweep.BySize{Param: "size"})
	for size := from; size <= to; size *= 2 {
		p := sweep.SizePoint{Size: size, Estimate: estimate.Estimate{Value: top}, Regime: record.RegimeCache}
		switch {
		case size > 8*cache:
			p.Value, p.Regime = top*.55, record.RegimeDRAM
		case size > cache:
			p.Value, p.Regime = top*.75, record.RegimeBetween
		}
		if p.Lo, p.Hi = ptr(p.Value*.98), ptr(p.Value*1.02); size == 256<<10 {
			p.Lo, p.Hi = ptr(p.Value*.86), ptr(p.Value*1.12)
		}
		sweep.KindBySize.Of(c).Points = append(sweep.KindBySize.Of(c).Points, p)
	}
	sweep.KindBySize.Of(c).Last = figure.Between(.54, .56).Around(.55)
	sweep.KindBySize.Of(c).Spread = sweep.KindBySize.Of(c).Last
	return c
}

func ofMemory(c finding.Cell, share float64) finding.Cell {
	const ceiling = 182e9
	c.Found = sweep.KindMemoryBandwidth.Put(c.Found, &sweep.MemoryBandwidthShare{
		Share: share, Bounds: figure.Between(share*.97, share*1.03), Traffic: share *
			ceiling, Ceiling: ceiling, Of: "memory copy at all cpus",
	})
	return c
}

// kernels is what MinIO's article measured on two machines, in small: sweeps of
// sizes on one and all CPUs, and shares of the memory's bandwidth.
func kernels() finding.Shown {
	const kib, mib = 1 << 10, 1 << 20
	unbounded := ofMemory(kernelCell(x86Box, "highwayhash", "16MiB", "all cpus", 171e9), .97)
	sweep.KindMemoryBandwidth.Of(unbounded).Lo, sweep.KindMemoryBandwidth.Of(unbounded).Hi = nil, nil
	arm, x86 := graviton(), xeon()
	arm.Name, x86.Name = armBox, x86Box
	arm.CPU.Threads, arm.CPU.Cores, x86.CPU.Threads, x86.CPU.Cores, x86.CPU.Sockets = 64, 64, 72, 36, 2
	arm.CPU.Caches = append(arm.CPU.Caches, record.Cache{Level: 1, Type: "instruction", Bytes: 64 * kib, Instances: 64})
	return finding.Shown{
		Machines: map[string]record.Machine{armBox: arm, x86Box: x86},
		Workloads: []finding.Cell{
			withSizes(kernelCell(armBox, "erasure", "16MiB", "1 cpus", 6.1e9), 32*kib, 16*mib, 1*mib),
			withSizes(kernelCell(x86Box, "erasure", "16MiB", "1 cpus", 11.3e9), 32*kib, 16*mib, 2*mib),
			ofMemory(withSizes(kernelCell(armBox, "erasure", "16MiB", "all cpus", 192e9), 32*kib, 16*mib, 1*mib), .82),
			ofMemory(withSizes(kernelCell(x86Box, "erasure", "16MiB", "all cpus", 168e9), 32*kib, 16*mib, 1*mib), 1.04),
			ofMemory(kernelCell(armBox, "highwayhash", "16MiB", "all cpus", 184e9), .61), unbounded,
		},
	}
}

// kernelPairs is their comparison per machine, vCPU, core, dollar and watt.
func kernelPairs() finding.Compared {
	a, b := bases()[x86Box], bases()[armBox]
	p := finding.Pair{A: x86Box, B: armBox, By: record.KeyMachine, BasisA: &a, BasisB: &b}
	for _, c := range []finding.Comparison{
		comparison(finding.Comparison{Load: "1 cpus", A: 11.3e9}, .54, .53, .55),
		comparison(finding.Comparison{Load: "all cpus", A: 168e9}, 1.143, 1.121, 1.166),
	} {
		c.Workload, c.Params, c.Metric, c.Primary = "erasure", map[string]string{"size": "16MiB"}, record.Throughput, true
		c.Per, c.Unit, c.Direction, c.N, c.Verdict = "machine", "B/s", record.Higher, 8, trialset.Different
		c.Better = map[bool]string{true: "b", false: "a"}[c.Ratio > 1]
		p.Verdicts = append(p.Verdicts, c)
		p.Verdicts = append(p.Verdicts, cost.PerBasis(c, a, b, .02, false)...)
	}
	return finding.Compared{Pairs: []finding.Pair{p}}
}

// wholePage has a drawing of each kind.
func wholePage() Page {
	p := page()
	s := kernels()
	s.Workloads = append(s.Workloads, sweeps().Workloads...)
	for name, m := range sweeps().Machines {
		s.Machines[name] = m
	}
	p.Title, p.Shown, p.Compared, p.Bases = "MinIO's kernels", s, []finding.Compared{kernelPairs()}, bases()
	p.Profiles = flamePage().Profiles
	return p
}

// longTrack is a timeline of n values with one spike and one gap.
func longTrack(n int) []block.Block {
	values := make([]float64, n)
	for i := range values {
		values[i] = 8e4 + 5e3*math.Sin(float64(i)/700) + 800*math.Sin(float64(i)*1.7)
	}
	values[n/3], values[n/2] = 14e4, math.NaN()
	return []block.Block{timeChart("time-1", "long", "op/s", 1, values)}
}

package memorylatency

import (
	"fmt"
	"strconv"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// Name is the workload's name.
const Name = "memory-latency"

const (
	metricLoad = "load_latency"

	paramTraffic = "traffic"
	paramNode    = "node"

	nodeLocal = "local"
)

// Spec declares the workload: a lane that follows a chain of loads, and lanes that copy meanwhile.
func Spec() workload.Spec {
	s := kernel.Spec(kernel.Declaration{
		Name: Name,
		Doc:  "one CPU follows a chain of dependent loads through memory, while the other CPUs copy",
		Params: []record.Param{
			{Name: "size", Kind: record.Size, Default: "0B", Min: 0, Max: 1 << 40, Phase: record.Build,
				Doc: "array of the chain, rounded down to a power of two; 0B: at least 4 times the last-level cache. Each array " +
					"of a copying CPU is its share of 4 times the caches they use, at most this size"},
			{Name: paramTraffic, Kind: record.Float, Default: "100", Min: 0, Max: 100, Phase: record.Load,
				Doc: "% of the time in which each other CPU copies"},
			{Name: paramNode, Kind: record.Text, Default: nodeLocal, Phase: record.Build,
				Doc: "NUMA node of the chain's memory: local, or a number. The others copy in their own"},
		},
		Grows: "size",
		Examples: []workload.Example{
			{Command: "run memory-latency", Doc: "the latency of a load from idle memory"},
			{Command: "run memory-latency --cpus all --sweep memory-latency.traffic=0,25,50,75,100",
				Doc: "latency under rising bandwidth"},
			{Command: "run memory-latency --sweep memory-latency.node=0,1", Doc: "latency of memory on both NUMA nodes"},
		},
		Check: check,
		Buffers: func(p workload.Params, m record.Machine) int64 {
			last := kernel.LastLevel(m.CPU.Caches)
			return max(chainSize(p, last), 2*copySize(p, kernel.Lanes(p, m), last))
		},
		New: newDriver,
	})
	s.Metrics = []record.Metric{
		{Name: metricLoad, Unit: "s", Better: record.Lower, Doc: "mean time of a load that depends on the one before"},
		{Name: record.MemoryTraffic, Unit: "B/s", Better: record.Neutral,
			Doc: "bytes that the copying CPUs read and write per second, as workload memory counts"},
	}
	return s
}

func check(p workload.Params, m record.Machine) error {
	where := p.Text(paramNode)
	if where == nodeLocal {
		return nil
	}
	n, err := strconv.Atoi(where)
	switch {
	case err != nil || n < 0:
		return fmt.Errorf("memory-latency: node=%s is not a NUMA node\nhint: local, or a number such as 0", where)
	case m.NUMA == 1:
		return fmt.Errorf("memory-latency: node=%s cannot be tested here: one NUMA node\nhint: leave out memory-latency.node",
			where)
	}
	return nil
}

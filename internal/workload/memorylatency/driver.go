package memorylatency

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"plimsoll/internal/client/load"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// driver runs the lanes. Lane 0 has the chain.
type driver struct {
	*kernel.Driver
	traffic float64
	doubts  []string
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	nodes, err := topology.MemoryNodes(hostfs.System())
	if err != nil {
		return nil, fmt.Errorf("memory-latency: %w", err)
	}
	caches, err := topology.Caches(hostfs.System())
	if err != nil && !hostfs.NotHere(err) {
		return nil, fmt.Errorf("memory-latency: %w", err)
	}
	lanes, err := kernel.LanesHere(env, p)
	if err != nil {
		return nil, fmt.Errorf("memory-latency: %w", err)
	}
	last := kernel.LastLevel(caches)
	size, each := chainSize(p, last), copySize(p, lanes, last)
	if size == 0 {
		return nil, errors.New("memory-latency: the cache sizes of this machine are unknown\nhint: set memory-latency.size " +
			"to at least 4 times its last-level cache")
	}
	policy, err := onNode(p.Text(paramNode), nodes)
	if err != nil {
		return nil, err
	}
	keys := map[string]string{record.KeyPath: "go", "array": record.FormatSize(size), "numa_nodes": fmt.Sprint(len(nodes))}
	if len(env.CPUs) > 0 {
		if at, ok := topology.NodeOf(hostfs.System(), env.CPUs[0]); ok {
			keys["cpu_node"] = fmt.Sprint(at)
		}
	}
	traffic := p.Number(paramTraffic)
	d, err := kernel.New(env, p, kernel.Kernel{
		Name: Name, Set: size, Keys: keys,
		Make: func(ctx context.Context, i int) (kernel.Work, error) {
			if i == 0 {
				return newChain(ctx, policy, int(size), env.Seed)
			}
			return newCopies(int(each), env.Seed, i, traffic)
		},
	})
	if err != nil {
		return nil, err
	}
	out := &driver{Driver: d, traffic: traffic}
	if size < timesCache*last.Bytes {
		out.doubts = append(out.doubts, fmt.Sprintf("the chain of %s is less than %d times the last-level cache: the "+
			"latency is partly the cache's", record.FormatSize(size), timesCache))
	}
	return out, nil
}

// Doubts returns a warning if the chain is too short to measure memory.
func (d *driver) Doubts() []string { return d.doubts }

// Values returns the latency by the chain's own rate in the window, and the traffic of the others.
func (d *driver) Values(r load.Result) ([]record.Value, error) {
	if len(r.Lanes) == 0 || r.Lanes[0].OpsPerSecond <= 0 {
		return nil, errors.New("memory-latency: no load of the chain was measured\nhint: measure longer with --for")
	}
	copied := 0.0
	for _, l := range r.Lanes[1:] {
		if d.traffic > 0 {
			copied += l.OpsPerSecond * 2 * chunk
		}
	}
	metrics := Spec().Metrics
	value := func(i int, v float64) record.Value {
		m := metrics[i]
		m.Doc = ""
		return record.Value{Metric: m, Value: v}
	}
	return []record.Value{value(0, 1/(r.Lanes[0].OpsPerSecond*loads)), value(1, copied)}, nil
}

func onNode(where string, nodes []int) (kernel.Policy, error) {
	if where == nodeLocal {
		return kernel.Policy{}, nil
	}
	for _, n := range nodes {
		if fmt.Sprint(n) == where && len(nodes) > 1 {
			return kernel.OnNode(n), nil
		}
	}
	return kernel.Policy{}, fmt.Errorf("memory-latency: node=%s: this machine has memory on NUMA nodes %v\nhint: leave "+
		"out memory-latency.node", where, nodes)
}

// timesCache is STREAM's rule for the size of an array, in multiples of the caches.
const timesCache = 4

// chainSize returns the bytes of the chain: a power of two, or 0 if it depends on unknown caches. Rounding up a default
// keeps STREAM's rule.
func chainSize(p workload.Params, last record.Cache) int64 {
	if size := int64(p.Int("size")); size > 0 {
		return 1 << (bits.Len64(uint64(max(size, chunk))) - 1)
	}
	if last.Bytes == 0 {
		return 0
	}
	return 1 << bits.Len64(uint64(timesCache*last.Bytes-1))
}

// copySize returns the bytes of each of the two arrays of a copying lane.
func copySize(p workload.Params, lanes int, last record.Cache) int64 {
	size := chainSize(p, last)
	if last.Bytes > 0 {
		size = min(size, (timesCache*kernel.InUse(last, lanes)+int64(lanes)-1)/int64(lanes))
	}
	return max(chunk, size/chunk*chunk)
}

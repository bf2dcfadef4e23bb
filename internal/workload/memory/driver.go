package memory

import (
	"context"
	"errors"
	"fmt"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// The driver's keys of a trial's identity, beside the code path.
const (
	keyArray = "array" // bytes of one array of one lane
	keyNodes = "numa_nodes"
)

type driver struct {
	*kernel.Driver
	doubts []string
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	policy, nodes, err := place(p, hostfs.System())
	if err != nil {
		return nil, err
	}
	caches, err := topology.Caches(hostfs.System())
	if err != nil && !hostfs.NotHere(err) {
		return nil, fmt.Errorf("memory: %w", err)
	}
	lanes, err := kernel.LanesHere(env, p)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	last := kernel.LastLevel(caches)
	size := arraySize(p, lanes, last)
	if size == 0 {
		return nil, errors.New("memory: the cache sizes of this machine are unknown\nhint: set memory.size to at " +
			"least 4 times its last-level cache")
	}
	d, err := kernel.New(env, p, kernel.Kernel{
		Name: Name, Bytes: int64(arrays(p)) * chunk, Set: int64(arrays(p)) * size, Traffic: 1,
		Keys: map[string]string{record.KeyPath: path(p), keyArray: record.FormatSize(size), keyNodes: fmt.Sprint(nodes)},
		Make: func(ctx context.Context, i int) (kernel.Work, error) {
			return newLane(ctx, p, policy, int(size), env.Seed, i)
		},
	})
	if err != nil {
		return nil, err
	}
	return &driver{d, doubts(size, lanes, last)}, nil
}

// place returns the policy and the nodes of the parameter placement.
func place(p workload.Params, root hostfs.Root) (kernel.Policy, []int, error) {
	nodes, err := topology.MemoryNodes(root)
	if err != nil {
		return kernel.Policy{}, nil, fmt.Errorf("memory: %w", err)
	}
	where := p.Text("placement")
	if where == placeLocal {
		return kernel.Policy{}, nodes, nil
	}
	if len(nodes) < 2 {
		return kernel.Policy{}, nil, errors.New("memory: placement=" + where + " cannot be tested here: one NUMA " +
			"node\nhint: leave out memory.placement")
	}
	if where == placeOneNode {
		return kernel.OnNode(nodes[0]), nodes[:1], nil
	}
	return kernel.Interleaved(nodes), nodes, nil
}

func doubts(size int64, lanes int, last record.Cache) []string {
	if need := timesCache * kernel.InUse(last, lanes); size*int64(lanes) < need {
		return []string{fmt.Sprintf("arrays of %s are less than %d times the last-level cache: the result is "+
			"partly that of the cache", record.FormatSize(size), timesCache)}
	}
	return nil
}

// Doubts returns a warning if the arrays are too small to measure memory.
func (d *driver) Doubts() []string { return d.doubts }

// path returns the code path: Go's memmove chooses its own instructions.
func path(p workload.Params) string {
	if p.Text("op") == opTriad {
		return "go float64"
	}
	return "go memmove"
}

// chunk is the part of each array, in bytes, that an operation covers. It is a multiple of every page size in use,
// and Go's memmove treats it as large on amd64.
const chunk = 1 << 20

// timesCache is STREAM's rule for the size of an array, in multiples of the caches.
const timesCache = 4

// arraySize returns the bytes of one array of one lane: a multiple of chunk, or 0 if it depends on unknown caches.
func arraySize(p workload.Params, lanes int, last record.Cache) int64 {
	size := int64(p.Int("size"))
	if size == 0 {
		size = (timesCache*kernel.InUse(last, lanes) + int64(lanes) - 1) / int64(lanes)
	}
	return (size + chunk - 1) / chunk * chunk
}

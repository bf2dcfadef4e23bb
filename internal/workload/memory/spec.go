package memory

import (
	"errors"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// Name is the workload's name.
const Name = "memory"

const (
	opCopy  = "copy"
	opTriad = "triad"

	placeLocal      = "local"
	placeOneNode    = "one-node"
	placeInterleave = "interleave"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return kernel.Spec(kernel.Declaration{
		Name:   Name,
		Doc:    "copies or computes through arrays larger than the caches, as STREAM does, one worker per CPU",
		Counts: "bytes read and written per second, counted as STREAM does",
		Params: params(),
		Grows:  "size",
		Examples: []workload.Example{
			{Command: "run memory --cpus all", Doc: "copying memory by all CPUs"},
			{Command: "run memory --op triad --sweep cpus=1,all", Doc: "the triad of STREAM on one CPU and on all"},
			{Command: "run memory --vary op=copy,triad --cpus all", Doc: "the two loops side by side"},
		},
		Check: check,
		Buffers: func(p workload.Params, m record.Machine) int64 {
			return int64(mapped(arrays(p), int(arraySize(p, kernel.Lanes(p, m), kernel.LastLevel(m.CPU.Caches)))))
		},
		New: newDriver,
	})
}

func params() []record.Param {
	return []record.Param{
		{Name: "op", Kind: record.Enum, Default: opCopy, Choices: []string{opCopy, opTriad}, Phase: record.Build,
			Doc: "copy: a = b, counted twice; triad: a = b + 3 c in float64, counted three times"},
		{Name: "size", Kind: record.Size, Default: "0B", Min: 0, Max: 1 << 40, Phase: record.Build,
			Doc: "one array of one worker, rounded up to 1 MiB; 0B: all arrays are 4 times the last-level caches"},
		{Name: "placement", Minor: true, Kind: record.Enum, Default: placeLocal,
			Choices: []string{placeLocal, placeOneNode, placeInterleave}, Phase: record.Build,
			Doc: "NUMA nodes of the arrays: local is each worker's own, one-node the first for all, interleave all " +
				"in turn"},
	}
}

func check(p workload.Params, m record.Machine) error {
	if p.Text("placement") != placeLocal && m.NUMA == 1 {
		return errors.New("memory: placement=" + p.Text("placement") + " cannot be tested here: one NUMA " +
			"node\nhint: leave out memory.placement")
	}
	return nil
}

// arrays returns the number of arrays that the operation covers; each counts once.
func arrays(p workload.Params) int {
	if p.Text("op") == opTriad {
		return 3
	}
	return 2
}

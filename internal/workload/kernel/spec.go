package kernel

import (
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Declaration is the part of a workload's declaration that is specific to one kernel.
type Declaration struct {
	Name, Doc string
	Counts    string         // definition of a throughput byte, in a few words
	Params    []record.Param // the kernel's own
	Grows     string         // the one of Params that enlarges its buffers
	Examples  []workload.Example

	// Check returns an error if the kernel's own parameters cannot run; nil accepts all values.
	Check func(workload.Params, record.Machine) error
	// Buffers returns the bytes that a lane maps.
	Buffers func(workload.Params, record.Machine) int64
	New     func(workload.Env, workload.Params) (workload.Driver, error)
}

// Spec returns the workload that d declares: a closed loop with one lane a CPU, whose sides can be sliced, with the
// parameters cpus, sockets, batch and extra. It refuses CPUs and memory that the machine does not have.
func Spec(d Declaration) workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name:   d.Name,
			Doc:    d.Doc,
			Params: append(d.Params, cpus(), sockets(), batch(), extra()),
			Metrics: []record.Metric{
				{Name: record.Throughput, Unit: "B/s", Better: record.Higher, Doc: d.Counts},
				traffic(),
			},
			Loads:  []record.LoadKind{record.Closed},
			Slices: true,
		},
		Charge:  workload.Lanes,
		Command: workload.Command{Examples: d.Examples},
		Check:   d.check,
		New:     d.New,
	}
}

func (d Declaration) check(p workload.Params, m record.Machine) error {
	if d.Check != nil {
		if err := d.Check(p, m); err != nil {
			return err
		}
	}
	if err := checkCPUs(d.Name, p, m); err != nil {
		return err
	}
	return checkMemory(d, d.Buffers(p, m), p, m)
}

func cpus() record.Param {
	return record.Param{Name: record.ParamCPUs, Kind: record.CPUs, Default: "1", Min: 1, Max: 4096, Phase: record.Load,
		Doc: "CPUs to use, one worker each, or all"}
}

func sockets() record.Param {
	return record.Param{Name: record.ParamSockets, Minor: true, Kind: record.Enum, Default: record.SocketsAll,
		Choices: []string{record.SocketsAll, record.SocketsOne}, Phase: record.Load,
		Doc: "all: workers use all sockets; one: they stay on one"}
}

const paramBatch = "batch"

func batch() record.Param {
	return record.Param{Name: paramBatch, Minor: true, Kind: record.Duration, Default: "100us", Min: 10e-6, Max: 1,
		Phase: record.Load,
		Doc:   "time operations in batches of at least this long, to amortise clock reads"}
}

const paramExtra = "extra"

func extra() record.Param {
	return record.Param{Name: paramExtra, Minor: true, Kind: record.Float, Default: "0", Min: 0, Max: 10,
		Phase: record.Load,
		Doc:   "uncounted operations per counted one, such as 0.05: a slowdown of known size, to test comparisons with"}
}

// traffic declares the metric of memory traffic, which is neutral since it follows from throughput.
func traffic() record.Metric {
	return record.Metric{Name: record.MemoryTraffic, Unit: "B/s", Better: record.Neutral,
		Doc: "bytes that the work reads and writes per second, without the lines that a store reads first"}
}

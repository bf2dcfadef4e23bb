// Package disk is the workload "disk": reads and writes of files, or of a whole device, bypassing the page cache, at
// a given queue depth, by io_uring or, if that is refused, by threads.
package disk

import (
	"plimsoll/internal/client/load"
	"plimsoll/internal/client/ring"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Name is the workload's name.
const Name = "disk"

// The workload's own parameters; those that make a load are record.Param*.
const (
	paramRW        = "rw"
	paramMix       = "mix"
	paramBlock     = "block"
	paramSize      = "size"
	paramLayout    = "layout"
	paramPath      = workload.ParamPath
	paramDirect    = "direct"
	paramFsync     = "fsync"
	paramFdatasync = "fdatasync"
	paramBandwidth = "bandwidth"
	paramEngine    = "engine"
	paramBatch     = "batch"

	// ParamDestroy lists the devices whose data the user gives up; only a flag sets it.
	ParamDestroy = "destroy"
	// ParamPath is the directory or device of the load.
	ParamPath = paramPath
)

// The values of rw.
const (
	rwWrite     = "write"
	rwRead      = "read"
	rwRandWrite = "randwrite"
	rwRandRead  = "randread"
	rwMixed     = "rw"
	rwRandMixed = "randrw"
)

// The values of layout.
const (
	layoutOwn    = "own"
	layoutShared = "shared"
)

// The values of engine.
const (
	engineAuto    = "auto"
	engineRing    = "ring"
	engineThreads = "threads"
)

// The metrics beside those of record.
const (
	metricDurable50 = "durable_p50"
	metricDurable99 = "durable_p99"
	metricSync50    = "sync_p50"
	metricSync99    = "sync_p99"
	metricEnters    = "enters_per_op"

	// Prefixes of the metrics of a mix's reads and writes.
	readSide  = "read_"
	writeSide = "write_"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name:   Name,
			Doc:    "reads and writes a disk, bypassing the page cache, at a given queue depth, by io_uring or threads",
			Params: append(workParams(), loadParams()...),
			Metrics: []record.Metric{
				{Name: record.Throughput, Unit: "B/s", Better: record.Higher,
					Doc: "bytes read and written per second; iops is the primary metric of blocks below 64KiB, latency_p99 " +
						"under a rate"},
				{Name: record.IOPS, Unit: "op/s", Better: record.Higher, Doc: "reads and writes per second"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower,
					Doc: "from the intended start of a read or write to its end"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: metricSync50, Unit: "s", Better: record.Lower,
					Doc: "of an fsync or fdatasync, from its start to its end; with fsync or fdatasync"},
				{Name: metricSync99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: metricDurable50, Unit: "s", Better: record.Lower,
					Doc: "from the intended start of a write to the end of the sync that covers it; with fsync or fdatasync"},
				{Name: metricDurable99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: readSide + record.IOPS, Unit: "op/s", Better: record.Higher, Doc: "of rw and randrw, only the reads"},
				{Name: readSide + record.Throughput, Unit: "B/s", Better: record.Higher, Doc: "likewise"},
				{Name: readSide + record.LatencyP50, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: readSide + record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: writeSide + record.IOPS, Unit: "op/s", Better: record.Higher,
					Doc: "of rw and randrw, only the writes"},
				{Name: writeSide + record.Throughput, Unit: "B/s", Better: record.Higher, Doc: "likewise"},
				{Name: writeSide + record.LatencyP50, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: writeSide + record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower,
					Doc: "CPU time of the workers, including the kernel's work for them"},
				{Name: metricEnters, Unit: "op", Better: record.Neutral,
					Doc: "calls of io_uring_enter per read or write, over the whole load"},
			},
			Loads: []record.LoadKind{record.Closed, record.Open}, Timeline: true,
			Small: &record.Small{Param: paramBlock, Below: smallBlock, Metric: record.IOPS},
		},
		Charge:    workload.Lanes,
		Waits:     true,
		Lanes:     lanes,
		Check:     check,
		Preflight: preflight,
		Describe:  describe,
		New:       newDriver,
		Path:      func(p workload.Params) (string, bool) { return p.Text(paramPath), true },
		Cost:      cost,
		Command:   command(),
	}
}

// smallBlock is the size in bytes from which a disk is judged by its bandwidth; below it, by its operations. Volumes of
// clouds count blocks of up to 16 KiB (gp2: 256 KiB) as one operation, and 64 KiB is where the bandwidth of most disks
// limits them before their operations do.
const smallBlock = 64 << 10

// prefillCPU is the CPU seconds of the reference machine for a byte written before the load.
const prefillCPU = .4e-9

// cost returns the time to write the files before the load.
func cost(p workload.Params, _ record.LoadPoint, _ record.Machine) forecast.Cost {
	j := jobOf(p)
	bytes := j.files()
	return forecast.Cost{Disk: bytes, Steps: []forecast.Step{
		{Name: forecast.Fill, Work: forecast.Work{Write: bytes, CPU: prefillCPU * float64(bytes), Threads: j.jobs}},
	}}
}

func workParams() []record.Param {
	return []record.Param{
		{Name: paramRW, Kind: record.Enum, Default: rwWrite,
			Choices: []string{rwWrite, rwRead, rwRandRead, rwRandWrite, rwMixed, rwRandMixed}, Phase: record.Load,
			Doc: "access pattern: sequential, or random (rand…); rw and randrw mix reads and writes"},
		{Name: paramMix, Minor: true, Kind: record.Int, Default: "50", Min: 1, Max: 99, Phase: record.Load,
			Only: []record.Only{{Param: paramRW, Is: []string{rwMixed, rwRandMixed}}},
			Doc:  "share of reads in rw and randrw, in %"},
		{Name: paramBlock, Kind: record.Size, Default: "16KiB", Min: 512, Max: 64 << 20, Phase: record.Load,
			Doc: "bytes per operation; a multiple of the device's sector"},
		{Name: paramSize, Minor: true, Kind: record.Size, Default: "256MiB", Min: 4096, Max: 1 << 46, Phase: record.Build,
			Doc: "bytes that each job traverses repeatedly; written before the load, so that no write extends a file"},
		{Name: paramLayout, Minor: true, Kind: record.Enum, Default: layoutOwn, Choices: []string{layoutOwn, layoutShared},
			Phase: record.Build,
			Doc:   "own gives each job a file, shared a range of one file; a device is always shared"},
		{Name: paramPath, Minor: true, Kind: record.Text, Phase: record.Build,
			Doc: "directory of the files, default: the run's scratch below TMPDIR; or a device, all of whose " +
				"data --destroy-data gives up"},
		{Name: ParamDestroy, Minor: true, Kind: record.Text, Phase: record.Build,
			Doc: "devices whose data may be destroyed; set only by --destroy-data"},
		{Name: paramDirect, Minor: true, Kind: record.Bool, Default: "true", Phase: record.Load,
			Doc: "bypass the page cache (O_DIRECT)"},
		{Name: paramFsync, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1 << 16, Phase: record.Load,
			Doc: "as fio's: each so many writes of a job begin an fsync, one of the operations in flight; 0: no fsync"},
		{Name: paramFdatasync, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1 << 16, Phase: record.Load,
			Doc: "the same with fdatasync"},
		{Name: paramBandwidth, Minor: true, Kind: record.Size, Default: "0B", Min: 0, Max: 1 << 50, Phase: record.Load,
			Doc: "closed loop: limit of all jobs together in bytes/s; delayed operations haven't begun; " +
				"0: no limit"},
		{Name: paramEngine, Minor: true, Kind: record.Enum, Default: engineAuto,
			Choices: []string{engineAuto, engineRing, engineThreads}, Phase: record.Load,
			Doc: "ring is io_uring, threads is a thread per operation in flight; auto uses threads if io_uring is " +
				"refused"},
		{Name: paramBatch, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: ring.MaxEntries, Phase: record.Load,
			Doc: "closed loop: completions that a system call waits for, for at most 100 µs; 0: a quarter of a " +
				"depth of 64 or more, up to 32, else 1"},
	}
}

func loadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamDepth, Kind: record.Int, Default: "128", Min: 1, Max: 1e6, Phase: record.Load,
			Doc: "operations in flight per job; in an open loop the maximum"},
		{Name: record.ParamJobs, Kind: record.Int, Default: "4", Min: 1, Max: 1024, Phase: record.Build,
			Doc: "threads that read and write, each its own part of the data"},
		{Name: record.ParamClients, Kind: record.Int, Default: "0", Min: 0, Max: 1e6, Phase: record.Load,
			Doc: "closed loop: operations in flight of all jobs together, instead of depth"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e7, Phase: record.Load,
			Doc: "open loop: reads and writes per second"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform},
			Phase: record.Load,
			Doc:   "spacing of an open loop's operations"},
		{Name: record.ParamPacing, Minor: true, Kind: record.Enum, Default: record.PacingSleep,
			Choices: []string{record.PacingSleep, record.PacingSpin}, Phase: record.Load,
			Doc: "how workers wait for an open loop's next operation; spin takes a CPU per job"},
	}
}

package record

// Better is the direction in which a metric improves.
type Better string

// The directions a metric can have. Neutral metrics get no verdict.
const (
	Higher  Better = "higher"
	Lower   Better = "lower"
	Neutral Better = "neutral"
)

// Metric is a measured quantity: its name, unit and direction.
type Metric struct {
	Name   string `json:"name"`             // such as "throughput"
	Unit   string `json:"unit"`             // such as "B/s"; "" for a plain number
	Better Better `json:"better,omitempty"` // Neutral when empty
	Doc    string `json:"doc,omitempty"`    // one sentence, only in a workload's declaration
}

// Value is one metric of one trial. It has its own unit and direction, so that a file can be read if the workload that
// wrote it is unknown.
type Value struct {
	Metric
	Value float64 `json:"value"`

	AtLeast bool `json:"-"` // known only to be at least this; set on values derived from trials, never read from a file
}

// The metric names that other programs read (see the CSV contract in docs/import.md).
const (
	Throughput = "throughput"
	LatencyP50 = "latency_p50"
	LatencyP99 = "latency_p99"
	Latency    = "latency"
	CPUPercent = "cpu"
	CPUPerOp   = "cpu_per_op"
	IOPS       = "iops"

	// Elapsed is the time of a command, a build or a benchmark of Go; CPUTime is the CPU time of the same.
	Elapsed = "time"
	CPUTime = "cpu_time"

	// Packets and PacketsPerOp are those of the server's network a second and for each operation: NetworkUse.Packets.
	Packets      = "packets"
	PacketsPerOp = "packets_per_op"

	// GeneratorCPU is the utilisation of the load generator's CPUs, in %.
	GeneratorCPU = "generator_cpu"
	// GeneratorCPUPerOp is the CPU time in seconds per operation of a closed loop whose generator is charged as a whole
	// (see workload.Spec.Whole).
	GeneratorCPUPerOp = "generator_cpu_per_op"

	// MemoryTraffic is the amount that the program reads and writes, in B/s, as STREAM counts it: without the cache
	// lines that a write reads first.
	MemoryTraffic = "memory_traffic"

	// Failed is the share of attempts that failed, in %, or their number; Errors likewise.
	Failed = "failed"
	Errors = "errors"
	// Operations is the number of operations done, if an input states it.
	Operations = "operations"
)

// CountsErrors reports whether a metric counts errors, so that a missing value means none.
func CountsErrors(name string) bool {
	return name == Failed || name == Errors || name == "socket_errors" || name == "reconnects"
}

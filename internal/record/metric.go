package record

// Better says which way of a metric is the better one.
type Better string

// The directions a metric can have. Neutral metrics get no verdict.
const (
	Higher  Better = "higher"
	Lower   Better = "lower"
	Neutral Better = "neutral"
)

// Metric names one measured quantity, its unit and which way is better.
type Metric struct {
	Name   string `json:"name"`             // such as "throughput"
	Unit   string `json:"unit"`             // such as "B/s"; "" for a plain number
	Better Better `json:"better,omitempty"` // Neutral when empty
	Doc    string `json:"doc,omitempty"`    // one sentence, only in a workload's declaration
}

// Value is one metric of one trial. It carries its own unit and direction, so
// that a file can be read where the workload that wrote it is unknown.
type Value struct {
	Metric
	Value float64 `json:"value"`

	AtLeast bool `json:"-"` // only known to be at least this: of values that are concluded from trials, never of a file's
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

	// GeneratorCPU is how busy the load generator kept its CPUs, in %.
	GeneratorCPU = "generator_cpu"
	// GeneratorCPUPerOp is the CPU time, in seconds, for an operation of a closed load whose generator is charged as a whole (see workload.Spec.Whole).
	GeneratorCPUPerOp = "generator_cpu_per_op"

	// MemoryTraffic is what the program reads and writes, in B/s, as STREAM
	// counts it: without the lines that a write reads first.
	MemoryTraffic = "memory_traffic"

	// Failed is the share of what was tried that failed, in %, or how many of it; Errors likewise.
	Failed = "failed"
	Errors = "errors"
	// Operations is how many operations were done, where an input states that.
	Operations = "operations"
)

// CountsErrors says whether a metric counts what went wrong, so that where nobody states it nothing did.
func CountsErrors(name string) bool {
	return name == Failed || name == Errors || name == "socket_errors" || name == "reconnects"
}

package record

// Trial is one run of one workload at one load in a process of its own. On disk it is a
// line of at most 8 KiB: what is large is in the Series written before it.
type Trial struct {
	ID        string            `json:"id"`
	Keys      map[string]string `json:"keys"` // identity: see Key*
	Plan      string            `json:"plan"` // hash of the plan
	Cell      int               `json:"cell"` // index into the plan's cells
	Group     int               `json:"group"`
	Replicate int               `json:"replicate"`      // trials of one group and replicate are pairs
	Pair      *int              `json:"pair,omitempty"` // of an import whose file says which trials ran side by side; nil: it does not
	Position  int               `json:"position"`
	Attempt   int               `json:"attempt,omitempty"`
	Probe     int               `json:"probe,omitempty"` // of a search for a load line, from 1
	Pilot     bool              `json:"pilot,omitempty"` // only chose the times of the others: in no estimate
	Extra     bool              `json:"extra,omitempty"` // of a pair run since another was tainted: stands in only where those are left out
	Load      LoadPoint         `json:"load"`
	Start     string            `json:"start"`      // UTC, RFC 3339 with nanoseconds, start of the measured window
	MonoNs    int64             `json:"mono_ns"`    // CLOCK_MONOTONIC of the same instant
	WarmupS   float64           `json:"warmup_s"`   // seconds
	DurationS float64           `json:"duration_s"` // seconds really measured
	Values    []Value           `json:"values"`     // [0] is the primary one
	CPU       *CPUUse           `json:"cpu,omitempty"`
	CPUSets   *CPUSets          `json:"cpu_sets,omitempty"`  // nil where they were not to be kept apart
	Generator *LoadUse          `json:"generator,omitempty"` // nil where no load generator was at work
	Ledger    *Ledger           `json:"ledger,omitempty"`
	Within    *Within           `json:"within,omitempty"`  // nil where the trial was too short to be judged by its windows
	Disk      *DiskUse          `json:"disk,omitempty"`    // nil where no disk did anything, and where several sides share the window
	Network   *NetworkUse       `json:"network,omitempty"` // nil where nothing moved, and where several sides share the window
	Clock     *Clock            `json:"clock,omitempty"`   // nil if the machine has no clock to read, the window was short, or several sides share it
	Heat      *Heat             `json:"heat,omitempty"`    // nil where no fresh server was loaded before
	Rise      *Rise             `json:"rise,omitempty"`    // nil but of closed loads on a server that compiles while it runs
	Doubts    []string          `json:"doubts,omitempty"`
	Void      string            `json:"void,omitempty"` // why this trial cannot be trusted
	Over      bool              `json:"over,omitempty"` // void since the target did not carry the load: not tried again

	Regulation *Regulation `json:"regulation,omitempty"` // nil of workloads without a timeline, and where it was too short to say anything
	Profiled   bool        `json:"profiled,omitempty"`   // samples of stacks were taken, in the series Profile*, which costs time: in no estimate
	Capped     float64     `json:"capped,omitempty"`     // the share of a disk's safe rate that was asked for, to verify that: in no estimate
}

// The fixed keys of a trial's identity. A workload's parameter is
// "WORKLOAD.NAME", an engine's version "engine.NAME", a factor's level
// "factor.NAME", a run's label "label.NAME".
const (
	KeyMachine   = "machine"    // name
	KeyMachineID = "machine_id" // fingerprint
	KeyWorkload  = "workload"
	KeyLoad      = "load" // LoadPoint's text form
	KeyEmulated  = "emulated"
	KeyPath      = "path"   // code path taken, such as "vaes+avx2"
	KeyRegime    = "regime" // where the working set lies: Regime*
	KeyVersion   = "plimsoll"
	KeyGo        = "go"
	KeyImported  = "imported" // format that an imported trial was read from
	KeyUnseen    = "unseen"   // "true" where the work was done where nothing of ours runs and nobody named the machine: neither its CPU use is known nor what it costs
	KeyBoot      = "boot"     // identity of the running kernel since it was started; not where it is not known

	KeyFile = "file" // the file that the trial was read from, by name; only where several are read, and in no session

	KeyTLS = EnginePrefix + "tls" // the version of TLS and the cipher suite that client and server agreed on

	EnginePrefix = "engine."
	FactorPrefix = "factor."
	LabelPrefix  = "label."  // what whoever ran a plan calls what was measured
	SecretPrefix = "secret." // with the name of a variable that parameters refer to: a digest of its value, by which one knows it changed
)

// The values of KeyRegime: the working set of all lanes fits the caches that
// they use, is too large for that, or is so much larger that it streams from memory.
const (
	RegimeCache   = "cache"
	RegimeBetween = "between"
	RegimeDRAM    = "dram"
)

// Value returns the named value.
func (t Trial) Value(name string) (Value, bool) {
	for _, v := range t.Values {
		if v.Name == name {
			return v, true
		}
	}
	return Value{}, false
}

// Operations is how many were done in the window; 0 where the trial does not say.
func (t Trial) Operations() float64 {
	if v, ok := t.Value(Throughput); ok && v.Unit == "op/s" {
		return v.Value * t.DurationS
	}
	if t.Generator != nil {
		return float64(t.Generator.Done)
	}
	return 0
}

// Counts says whether a trial is one of those that its plan asked for to estimate by: what is estimated, decided, drawn or exported of a
// cell is of these. A pilot is not: it only chose the times of the others, and had others than they. One of an extra pair is not: it was
// run since another was tainted, and stands in only where those are left out. A capped one is not: it was held near a disk's safe rate on
// purpose, where its cell asks for full load, and above that rate it is meant to fail. A profiled one is not: its samples cost time.
//
// Whether a trial is void is another question, and so is whether it is a probe: those of a search count, all of them as one.
func (t Trial) Counts() bool {
	return !t.Pilot && !t.Extra && t.Capped == 0 && !t.Profiled
}

// Where the CPU time of the work was read.
const (
	ChargedGroup   = "cgroup"
	ChargedTree    = "process tree" // all children of the agent's process are in it
	ChargedThreads = "threads"      // of the lanes, which do the work themselves
	ChargedNone    = "none started" // nothing was started whose it could be
)

// CPUUse is CPU time by role over the measured window, in seconds of CPU.
type CPUUse struct {
	Work          float64 `json:"work_s"`          // charged to the work itself
	Generator     float64 `json:"generator_s"`     // spent by the load generator
	Machine       float64 `json:"machine_s"`       // busy time of the whole machine
	CPUs          int     `json:"cpus"`            // CPUs the work could use
	GeneratorCPUs int     `json:"generator_cpus"`  // CPUs the generator could use
	Split         bool    `json:"split,omitempty"` // none of these are among the work's
	WindowS       float64 `json:"window_s"`        // seconds over which all this was used; of a sliced side, its part
	Source        string  `json:"source"`          // Charged*
}

// CPUSets is which CPUs the work and the load generator were given, as lists like "0-11,16-27". With one CPU both have the same.
type CPUSets struct {
	Work           string `json:"work"`
	Generator      string `json:"generator"`
	GeneratorCores int    `json:"generator_cores"` // whole cores; 0: it is not known to have had cores of its own
}

// LoadUse is how the load generator kept up, over the measured window. A closed
// load has neither backlog nor send lag, and offers what it does.
type LoadUse struct {
	Done   int64 `json:"done"`   // operations
	Errors int64 `json:"errors"` // operations that failed

	// ErrorsBy are the same by class: connect, closed, timeout, status, protocol, other.
	ErrorsBy map[string]int64 `json:"errors_by,omitempty"`

	// First is what the first of them said.
	First string `json:"first_error,omitempty"`

	Offered      int64   `json:"offered"`       // operations that were due
	BacklogStart int64   `json:"backlog_start"` // due and not finished when the window began
	BacklogEnd   int64   `json:"backlog_end"`
	SendLagP99   float64 `json:"send_lag_p99_s"` // seconds from intended to sent
	ControlP99   float64 `json:"control_p99_s"`  // the same of a thread that only spins, just before
	Useful       float64 `json:"useful"`         // share of its lanes' CPUs that the generator spent on anything but waiting, 0 to 1
}

// Ledger is what disturbed the machine during the measured window.
// A nil pointer is "not readable here".
type Ledger struct {
	StealPct     *float64 `json:"steal_pct,omitempty"`       // share of CPU time stolen by the hypervisor, %
	RunDelayPct  *float64 `json:"run_delay_pct,omitempty"`   // time our threads waited for a CPU, % of the window per lane
	PSICPUPct    *float64 `json:"psi_cpu_pct,omitempty"`     // "some" stall time, % of the window
	PSIIOPct     *float64 `json:"psi_io_pct,omitempty"`      // likewise
	PSIMemoryPct *float64 `json:"psi_memory_pct,omitempty"`  // likewise
	ThrottledS   *float64 `json:"throttled_s,omitempty"`     // cgroup CPU quota throttling, seconds
	ForeignCPU   *float64 `json:"foreign_cpu_pct,omitempty"` // CPU used by processes that are not ours, % of one CPU
	SwapPages    *float64 `json:"swap_pages,omitempty"`      // pages swapped in and out
	LoadAvg1     *float64 `json:"load1,omitempty"`           // 1-minute load average at the start
	CostS        float64  `json:"cost_s"`                    // CPU seconds that taking this ledger cost

	InterruptCPU  *float64 `json:"interrupt_cpu_pct,omitempty"` // CPU used by interrupts, % of one CPU: by some kernels a part of ForeignCPU
	ThermalEvents *float64 `json:"thermal_events,omitempty"`    // CPUs slowed down for their heat, each time counted

	GapMaxS *float64 `json:"gap_max_s,omitempty"`      // longest time for which the agent did not run though it could have: it, or its machine, was stopped
	GapsS   *float64 `json:"gaps_s,omitempty"`         // all such times from 50 ms on that touch what was measured, together
	IdlePct *float64 `json:"lanes_idle_pct,omitempty"` // of lanes that never wait: time in which they neither ran nor waited for a CPU, % of the window
}

// Series is bulk data of a trial, written before the trial that it belongs to.
type Series struct {
	Trial  string `json:"trial"` // ID
	Name   string `json:"name"`  // such as "ops" or "latency"
	Unit   string `json:"unit"`
	StepNs int64  `json:"step_ns"` // 0 where there is no time axis
	Enc    string `json:"enc"`     // one of Enc*
	Data   string `json:"data"`
}

// The encodings of a series' data.
const (
	EncWindows   = "dvz"   // int64 per step: delta, zigzag varint, deflate, base64
	EncHistogram = "hdr"   // HdrHistogram V2 compressed, base64, 3 digits
	EncSpread    = "spz"   // a few counted values per step: varints, deflate, base64
	EncProfile   = "pprof" // gzip pprof, base64
)

// Count is how often a value was there.
type Count struct{ Value, N int64 }

// Spread is the values of one step of time, the smallest first, each once: a small histogram.
type Spread []Count

// Total is how many values there were.
func (s Spread) Total() int64 {
	n := int64(0)
	for _, c := range s {
		n += c.N
	}
	return n
}

// Quantile is the smallest value that a share q of all, 0 to 1, do not exceed; 0 where there is none.
func (s Spread) Quantile(q float64) int64 {
	rank, seen := q*float64(s.Total()), int64(0)
	for _, c := range s {
		if seen += c.N; float64(seen) >= rank {
			return c.Value
		}
	}
	return 0
}

// Event is something that happened at an instant.
type Event struct {
	Trial  string `json:"trial,omitempty"`
	TimeNs int64  `json:"t_ns"` // CLOCK_MONOTONIC
	Name   string `json:"name"`
	Detail string `json:"detail,omitempty"`
}

// End closes a run; a file without one was cut short.
type End struct {
	Plan   string `json:"plan"`
	Reason string `json:"reason"` // "done", "interrupted", "failed"
	Detail string `json:"detail,omitempty"`
	Trials int    `json:"trials"`
	Void   int    `json:"void"`
}

// PlanLine is how a plan stands in a session.
type PlanLine struct {
	Hash string `json:"hash"`
	Plan Plan   `json:"plan"`
}

// Clock is the clock of the CPUs that did the work, over the measured window. Idle CPUs count as busy ones do.
type Clock struct {
	MeanMHz float64 `json:"mean_mhz"`
	MinMHz  float64 `json:"min_mhz"` // of the slowest CPU in the slowest sample
	CPUs    int     `json:"cpus"`    // sampled, of those of the work
	Samples int     `json:"samples"`
	Source  string  `json:"source"` // "cpufreq", or "cpuinfo", which on a virtual machine has the nominal clock
	CostS   float64 `json:"cost_s"` // CPU seconds that sampling took
}

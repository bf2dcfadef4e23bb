package record

import (
	"fmt"
	"slices"
	"strings"
)

// Trial is one run of one workload at one load in its own process. On disk it is a line of at most 8 KiB: bulk data are
// in the Series written before it.
type Trial struct {
	ID   string            `json:"id"`
	Keys map[string]string `json:"keys"` // identity: see Key*
	Slot
	Load      LoadPoint    `json:"load"`
	Start     string       `json:"start"`      // UTC, RFC 3339 with nanoseconds, start of the measured window
	MonoNs    int64        `json:"mono_ns"`    // CLOCK_MONOTONIC of the same instant
	WarmupS   float64      `json:"warmup_s"`   // seconds
	DurationS float64      `json:"duration_s"` // seconds actually measured
	Values    []Value      `json:"values"`     // [0] is the primary one
	CPU       *CPUUse      `json:"cpu,omitempty"`
	CPUSets   *CPUSets     `json:"cpu_sets,omitempty"`  // nil if work and generator were not to be kept apart
	Generator *LoadUse     `json:"generator,omitempty"` // nil without a load generator
	Ledger    *Ledger      `json:"ledger,omitempty"`
	Batch     *Batch       `json:"batch,omitempty"`    // nil if it had its process to itself
	Service   *Service     `json:"service,omitempty"`  // nil except for web services of the user's
	Database  *Database    `json:"database,omitempty"` // nil if the database was not watched, or there is nothing to tell
	Others    *Others      `json:"others,omitempty"`   // nil if the processes of the machine were not looked at
	Steady    *SteadyState `json:"within,omitempty"`   // nil if the trial was too short
	// Nil if no disk was active, or several sides share the window.
	Disk    *DiskUse    `json:"disk,omitempty"`
	Network *NetworkUse `json:"network,omitempty"` // nil without traffic, or if several sides share the window
	// Nil without a meter that this user may read, or if several sides share the window.
	Energy *EnergyUse `json:"energy,omitempty"`
	// Nil if the machine has no clock to read, the window was short, or several sides share it.
	Clock  *Clock  `json:"clock,omitempty"`
	WarmUp *WarmUp `json:"heat,omitempty"` // nil unless a fresh server was loaded before
	// Nil except for closed loops on a server that compiles while it runs.
	Rise    *Rise         `json:"rise,omitempty"`
	Sources []SourceClock `json:"source_clocks,omitempty"` // by generator on a host of its own
	Members []MemberHost  `json:"members,omitempty"`       // the target's further hosts, if it is a cluster of several
	Doubts  []string      `json:"doubts,omitempty"`
	Void    string        `json:"void,omitempty"` // why this trial failed
	Left    int           `json:"left,omitempty"` // most processes that one run of a command left, and that were ended
	// By metric: of an imported trial whose value is the mean of several that are not in the file.
	Moments map[string]Moments `json:"moments,omitempty"`
	// Void because an agent of its ended or fell silent before it was done, as when its host is lost.
	Away bool `json:"away,omitempty"`
	// Void because the target could not sustain the load: not retried.
	Over bool `json:"over,omitempty"`

	Regulation *Regulation `json:"regulation,omitempty"` // nil for workloads without a timeline, or if it was too short
}

// RunNumber returns the number by which people know the run of a replicate: files count replicates from 0, and people,
// like the progress of a session, count runs from 1. Every text that names a run takes it from here.
func RunNumber(replicate int) int { return replicate + 1 }

// Batch is the process that short runs share, one after another. Their ledgers have the process's percentages, and of
// its totals the run's part by duration.
type Batch struct {
	Runs    int     `json:"runs"`
	WindowS float64 `json:"window_s"` // seconds from the first run's start to the last one's end
}

// ObservedS returns the seconds that the trial's ledger covers.
func (t Trial) ObservedS() float64 {
	if t.Batch != nil {
		return t.Batch.WindowS
	}
	return t.DurationS
}

// Moments are the number and the standard deviation of values whose mean is a trial's value.
type Moments struct {
	N      int     `json:"n"`
	SD     float64 `json:"sd"`               // in the unit of the value
	Within bool    `json:"within,omitempty"` // of parts of one run, such as its iterations, and not of runs
	Read   bool    `json:"read,omitempty"`   // N is 1 and SD the error with which the value was read off a chart
}

// The fixed keys of a trial's identity. A workload's parameter is "WORKLOAD.NAME", an engine's version "engine.NAME", a
// factor's level "factor.NAME", a run's label "label.NAME".
const (
	KeyMachine   = "machine"    // name
	KeyMachineID = "machine_id" // fingerprint
	KeyWorkload  = "workload"
	KeyLoad      = "load" // LoadPoint's text form
	KeyEmulated  = "emulated"
	KeyPath      = "path"   // code path taken, such as "vaes+avx2"
	KeyRegime    = "regime" // location of the working set: Regime*
	KeyVersion   = "plimsoll"
	KeyGo        = "go"
	KeyImported  = "imported" // format of the file that an imported trial was read from
	// "true" if the work ran outside our processes on an unnamed machine: neither its CPU use nor its cost is known.
	// UnseenHere if it ran on this machine, in processes that were not found.
	KeyUnseen = "unseen"
	// KeyHosts is the number of the target's hosts, if it is a cluster with a server on each of several.
	KeyHosts = "hosts"
	// The executable of a server that was there, the revision that it was built from, its unit, and the programs that it
	// was connected to. Their CPU time counts as its own. They are also known of a service that a command of the user's
	// started.
	KeyServerProgram = "server.program"
	KeyServerBuild   = "server.build"
	KeyServerUnit    = "server.unit"
	KeyServerBehind  = "server.behind"
	KeyServerAddress = "server.address" // the one that was loaded, of a name with several
	KeyBlock         = "block"          // of its plan: Plan.Blocks; absent if there are none
	KeyBoot          = "boot"           // identity of the running kernel since boot; absent if unknown

	KeyFile = "file" // name of the file that the trial was read from; only if several are read, and never in a session

	// Of a server's settings, as text that has those which matter first, and a digest of all.
	KeySettings       = EnginePrefix + "settings"
	KeySettingsDigest = EnginePrefix + "settings_digest"

	// KeyErasureSet is the data and parity shards of an object store's erasure set, as 2+2.
	KeyErasureSet = EnginePrefix + "erasure_set"

	KeyTLS = EnginePrefix + "tls" // TLS version and cipher suite that client and server negotiated

	EnginePrefix = "engine."
	FactorPrefix = "factor."
	LabelPrefix  = "label." // the user's labels of the measured software
	// Followed by the name of a setting of the machine that the plan changes: the value that the run found, before it
	// changed it.
	FoundPrefix = "found."
	// Followed by the name of a variable that parameters refer to: a digest of its value, which shows that it changed.
	SecretPrefix = "secret."
)

// EngineVersion reports whether a key of a trial holds the version of an engine, or of a part of one. Others with that
// prefix say how it was set up.
func EngineVersion(key string) bool {
	name, ok := strings.CutPrefix(key, EnginePrefix)
	return ok && !slices.Contains([]string{KeySettings, KeySettingsDigest, KeyTLS}, key) &&
		!slices.Contains([]string{"build", "cipher", "class_archive", "data", ParamHeat}, name)
}

// UnseenHere is a value of KeyUnseen.
const UnseenHere = "here"

// The values of KeyRegime: the working set of all lanes fits the caches that they use, is too large for that, or is so
// much larger that it streams from memory.
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

// Operations returns the number of operations done in the window; 0 if the trial does not state it.
func (t Trial) Operations() float64 {
	if v, ok := t.Value(Throughput); ok && v.Unit == "op/s" {
		return v.Value * t.DurationS
	}
	if t.Generator != nil {
		return float64(t.Generator.Done)
	}
	return 0
}

// Measures reports whether a trial has a part in estimates: it is for them, and it did not fail.
func (t Trial) Measures() bool { return t.Void == "" && t.Counts() }

// Conclusive reports whether a trial has an answer about its target: a measurement, or that it cannot sustain the load.
func (t Trial) Conclusive() bool { return t.Void == "" || t.Over }

// Sources of the CPU time charged to the work.
const (
	ChargedGroup   = "cgroup"
	ChargedTree    = "process tree"    // includes all children of the agent's process
	ChargedThreads = "threads"         // of the lanes, which do the work themselves
	ChargedMachine = "machine"         // all of it: a server that was there, on a target that others load
	ChargedFound   = "found processes" // of a server that was there, found by its address
	ChargedNone    = "none started"    // we started no process to charge it to
)

// CPUUse is CPU time by role over the measured window, in seconds of CPU.
type CPUUse struct {
	Work          float64 `json:"work_s"`             // charged to the work itself
	Behind        float64 `json:"behind_s,omitempty"` // of that, by the programs of KeyServerBehind
	Generator     float64 `json:"generator_s"`        // spent by the load generator
	Machine       float64 `json:"machine_s"`          // busy time of the whole machine
	CPUs          int     `json:"cpus"`               // CPUs the work could use
	GeneratorCPUs int     `json:"generator_cpus"`     // CPUs the generator could use
	Split         bool    `json:"split,omitempty"`    // the generator's CPUs are separate from the work's
	WindowS       float64 `json:"window_s"`           // seconds over which it was used; for a sliced side its share
	Source        string  `json:"source"`             // Charged*
}

// CPUSets holds the CPUs of the work and of the load generator, as lists like "0-11,16-27". With one CPU both have the
// same.
type CPUSets struct {
	Work           string `json:"work"`
	Generator      string `json:"generator"`
	GeneratorCores int    `json:"generator_cores"` // whole cores; 0: none of its own, or unknown
}

// LoadUse is how the load generator kept up over the measured window. A closed loop has neither backlog nor send lag,
// and offers as much as it completes.
type LoadUse struct {
	Done   int64 `json:"done"`   // operations
	Errors int64 `json:"errors"` // operations that failed

	// ErrorsBy counts errors by class: connect, closed, timeout, status, protocol, other.
	ErrorsBy map[string]int64 `json:"errors_by,omitempty"`

	// First is the text of the first error.
	First string `json:"first_error,omitempty"`

	// Statuses counts answers by their HTTP status, failed ones too.
	Statuses map[string]int64 `json:"statuses,omitempty"`
	// Targets are the target lines of a mix of requests, the most frequent first; the last may be others. Nil if all
	// requests are of one.
	Targets []TargetUse `json:"targets,omitempty"`
	Bytes   int64       `json:"bytes,omitempty"` // of the operations done: of answers' bodies, for HTTP
	// Handshakes counts TLS handshakes of the load with its warm-up, Resumed those that resumed a session.
	Handshakes int64 `json:"handshakes,omitempty"`
	Resumed    int64 `json:"resumed,omitempty"`
	// Latency holds percentiles by statistic ("p90", "p999"), and LatencyMax, in seconds; nil if operations were not
	// timed individually.
	Latency map[string]float64 `json:"latency_s,omitempty"`

	Offered      int64 `json:"offered"`       // operations due; of a closed loop begun: done, failed or unanswered
	BacklogStart int64 `json:"backlog_start"` // due but not finished at the start of the window
	BacklogEnd   int64 `json:"backlog_end"`
	// seconds that an operation may wait by its settings before it is sent, as a record does for its batch
	HeldS      float64 `json:"held_s,omitempty"`
	SendLagP99 float64 `json:"send_lag_p99_s"` // seconds from intended to actual sending
	// LateS is the generator's own part of the send lag by statistic ("p99"), and LatencyMax, in seconds: for how long it
	// could have sent an operation that was due, and had not. What waited until the target had answered others is not in
	// it. Nil in older sessions and without an open loop.
	LateS      map[string]float64 `json:"late_s,omitempty"`
	ControlP99 float64            `json:"control_p99_s"` // the same for a thread that only spins, just before
	// Operations that never ended: in flight in the window of a closed loop, due in that of an open one; Stale are those
	// of an open loop that were due before it.
	Unanswered int64 `json:"unanswered,omitempty"`
	Stale      int64 `json:"stale,omitempty"`
	// Operations of an open loop that were due in the window and that no client was free to send. Offered is the sum of
	// Done, Errors, Unanswered and Unsent.
	Unsent int64 `json:"unsent,omitempty"`
	// Of a closed loop of clients: the mean number of operations in flight in the window, and the clients, of all, that
	// got no answer in it.
	InFlight  float64 `json:"in_flight,omitempty"`
	Accounted float64 `json:"accounted,omitempty"` // in flight by Little's law, with those that failed or had no answer
	Crossing  float64 `json:"crossing,omitempty"`  // by how much the two may differ for the edges of the window
	Starved   int64   `json:"starved,omitempty"`
	Clients   int64   `json:"clients,omitempty"`
	// Share of its lanes' CPUs that the generator used for anything but waiting, 0 to 1.
	Useful float64 `json:"useful"`
	// Both ends of the load are measured, so that the generator's CPU use is a result and no fault.
	Ends bool `json:"ends,omitempty"`
}

// TargetUse is what the requests of one method, path and query came to.
type TargetUse struct {
	Line   string           `json:"line"`             // such as "GET /items?page=1"
	Done   int64            `json:"done"`             // good answers
	P50    float64          `json:"p50_s"`            // of their latency, in seconds
	P99    float64          `json:"p99_s"`            // likewise
	Failed map[string]int64 `json:"failed,omitempty"` // by HTTP status, of others by class of error
}

// TargetLatency names the histogram of a line's latencies, by its place, among those that several generators share.
func TargetLatency(i int) string { return fmt.Sprintf("target_%d", i) }

// LateAt returns the generator's own lateness at a percentile such as "p99", in seconds: that of the nearest known
// percentile which is not below it; 0 if none is known.
func (u *LoadUse) LateAt(statistic string) float64 {
	asked, ok := PercentileOf(statistic)
	if u == nil || !ok {
		return 0
	}
	out, nearest := u.LateS[LatencyMax], 100.0
	for name, late := range u.LateS {
		if percent, ok := PercentileOf(name); ok && percent >= asked && percent < nearest {
			out, nearest = late, percent
		}
	}
	return out
}

// LatencyMax is the key of the longest latency among the percentiles of LoadUse.
const LatencyMax = "max"

// Ledger is the disturbance of the machine during the measured window. A nil pointer is "not readable here".
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
	// CPU seconds of this ledger, and of the thread that watches gaps and disks, from before the warm-up on
	CostS float64 `json:"cost_s"`

	// CPU used by interrupts, % of one CPU; some kernels include it in ForeignCPU
	InterruptCPU  *float64 `json:"interrupt_cpu_pct,omitempty"`
	ThermalEvents *float64 `json:"thermal_events,omitempty"` // throttling events of CPUs because of temperature

	// Longest time for which the agent, or its machine, was suspended.
	GapMaxS *float64 `json:"gap_max_s,omitempty"`
	// Total of such times of 65 ms or more that touch the measured interval.
	GapsS *float64 `json:"gaps_s,omitempty"`
	// Of lanes that never wait: time in which they neither ran nor waited for a CPU, % of the window.
	IdlePct *float64 `json:"lanes_idle_pct,omitempty"`
}

// Database is what stands out in a database that was watched under its load.
type Database struct {
	Scans []Scan             `json:"scans,omitempty"` // at most three tables, most rows first
	Open  []OpenTransactions `json:"open,omitempty"`  // at most three, most connections first
}

// Scan is a table that is read from its begin to its end.
type Scan struct {
	Table    string  `json:"table"`       // with its schema, unless that is public
	PerOp    float64 `json:"per_op"`      // sequential scans per transaction of the database
	RowsRead float64 `json:"rows_per_op"` // rows read by them per transaction
}

// OpenTransactions is connections of other clients that are idle in a transaction, which keeps its locks.
type OpenTransactions struct {
	Name  string  `json:"name"`  // their application_name; "" if they have none
	Count float64 `json:"count"` // on average over the looks
}

// Service is what the threads of a service did in the measured window, and the connections to PostgreSQL of what it is
// connected to, both sampled. Numbers of threads and connections are means over the looks.
type Service struct {
	Looks   int     `json:"looks"`
	Threads float64 `json:"threads"`
	Futex   float64 `json:"futex"` // threads that slept in a futex: for a lock, or for work
	Mutex   float64 `json:"mutex"` // of those: for a mutex that another thread held
	Disk    float64 `json:"disk"`  // threads that slept without being interruptible, as for a disk
	// How the place where a thread slept was seen: "stack", "wchan" or "syscall"; "" if none was seen
	How       string  `json:"how,omitempty"`
	RunDelayS float64 `json:"run_delay_s"`       // seconds that threads waited for a CPU, all together
	Busiest   string  `json:"busiest,omitempty"` // name of the thread with most CPU time
	BusiestS  float64 `json:"busiest_s"`         // its CPU seconds
	CostS     float64 `json:"cost_s"`            // CPU seconds of looking

	Connections *Connections `json:"connections,omitempty"` // nil if it is connected to no PostgreSQL of this host
}

// Connections are a PostgreSQL server's to its clients, as the titles of its processes tell.
type Connections struct {
	All    float64 `json:"all"`
	Active float64 `json:"active"` // a statement is carried out
	Open   float64 `json:"open"`   // idle in a transaction
	Locked float64 `json:"locked"` // wait for a lock of another transaction
	// Mean share of the looks at which none was idle without a transaction, 0 to 1.
	Full float64 `json:"full"`
}

// Others is what other programs than the work and its generator had of the CPUs, by two looks at all processes: one
// shortly before the measured window, or before a load of kind once or with hardly a warm-up, and one right after.
type Others struct {
	WindowS  float64   `json:"window_s"` // seconds between the looks
	Programs []Program `json:"programs"` // at most five, most CPU time first
	RestS    float64   `json:"rest_s"`   // CPU seconds of the other processes that could be seen
	// CPU seconds of no process that could be seen: of interrupts, of processes that nobody waited for, and of those that
	// are hidden from this user or are outside of this container
	UnseenS float64 `json:"unseen_s"`
	CostS   float64 `json:"cost_s"` // CPU seconds of looking, outside of the window
}

// Program is the processes of one name in one place.
type Program struct {
	Name     string  `json:"name"`               // of the command, without its arguments
	Unit     string  `json:"unit,omitempty"`     // service of systemd, "container ID" or "the kernel"; "" if unknown
	Children bool    `json:"children,omitempty"` // most of the time was that of programs that it ran and that have ended
	CPUS     float64 `json:"cpu_s"`              // CPU seconds
}

// Series is bulk data of a trial, written before the trial that it belongs to.
type Series struct {
	Trial  string `json:"trial"` // ID
	Name   string `json:"name"`  // such as "ops" or "latency"
	Unit   string `json:"unit"`
	StepNs int64  `json:"step_ns"` // 0 without a time axis
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

// Count is a value and how often it occurred.
type Count struct{ Value, N int64 }

// Spread holds the distinct values of one time step with their counts, ascending: a small histogram.
type Spread []Count

// Total returns the number of values.
func (s Spread) Total() int64 {
	n := int64(0)
	for _, c := range s {
		n += c.N
	}
	return n
}

// Quantile returns the smallest value such that a share q of all, 0 to 1, do not exceed it; 0 if there is none.
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
	TimeNs int64  `json:"t_ns"` // CLOCK_MONOTONIC; 0 of a host, whose event has At
	Name   string `json:"name"`
	Detail string `json:"detail,omitempty"`
	OfHost
}

// OfHost says where and when something happened to a host of a session rather than in a trial.
type OfHost struct {
	Plan      string `json:"plan,omitempty"` // hash
	Host      string `json:"host,omitempty"` // one of Plan.Hosts or Plan.Generators
	Machine   string `json:"machine,omitempty"`
	MachineID string `json:"machine_id,omitempty"`
	At        string `json:"at,omitempty"` // RFC 3339, by the clock of this machine
}

// The events of a host. Detail is the cause, or of one that is back for how long it was away.
const (
	HostAway = "host-away" // it cannot be reached, and is tried again
	HostBack = "host-back"
	HostLost = "host-lost" // it was away for too long: the rest of the session goes on without it
	// A run was finished while its connection was broken, and sent by a later agent. Detail is the run.
	RunResent = "run-resent"
)

// End closes a run; a file without one was cut short.
type End struct {
	Plan   string `json:"plan"`
	Reason string `json:"reason"` // EndDone, "interrupted", "budget", "failed"
	Detail string `json:"detail,omitempty"`
	Trials int    `json:"trials"`
	Void   int    `json:"void"`
}

// EndDone is the reason of a plan whose runs were all made.
const EndDone = "done"

// PlanLine is a plan's line in a session.
type PlanLine struct {
	Hash string `json:"hash"`
	Plan Plan   `json:"plan"`
}

// SteadyState describes a trial by its windows of 1 s: whether and when it became steady, and its scatter and drift
// from then on. It is known for closed loops of 30 windows or more. Seconds are those of the trial's own time, which
// does not pass for a sliced side while others run.
type SteadyState struct {
	Windows int     `json:"windows"`
	SteadyS float64 `json:"steady_s"` // seconds into the measured window at which the steady state began
	Kept    float64 `json:"kept"`     // share of the windows that lie in it, 0 to 1
	SD      float64 `json:"sd"`       // standard deviation of the throughput of the steady windows, over its mean
	Tau     float64 `json:"tau"`      // autocorrelation time of those, in windows
	Drift   float64 `json:"drift"`    // change from the first of those to the last, as a fraction
	DriftP  float64 `json:"drift_p"`  // probability of such a drift by chance
}

// MemberHost is a further host of a target that is a cluster, with its clock.
type MemberHost struct {
	Machine   string `json:"machine"`
	MachineID string `json:"machine_id"`
	SourceClock
}

// SourceClock relates the clock of a generator's host to that of the target.
type SourceClock struct {
	OffsetS float64 `json:"offset_s"` // the target's CLOCK_MONOTONIC minus the generator's, estimated before the load
	ErrorS  float64 `json:"error_s"`  // bound of the estimate's error, including the drift until the end of the window
	LateS   float64 `json:"late_s"`   // start of its measured time, after that of the first generator
}

// WarmUp describes the warm-up of a fresh server before the trial, from its throughput in windows of 0.1 s.
type WarmUp struct {
	Seconds  float64 `json:"s"`         // duration of the load
	SettledS float64 `json:"settled_s"` // seconds into the warm-up at which the steady state began
	Kept     float64 `json:"kept"`      // share of the windows that lie in it, 0 to 1
	Gain     float64 `json:"gain"`      // throughput of the steady state over that of the first second
	Half     float64 `json:"half"`      // half-width of the 95% CI of that throughput, as a fraction
}

// Rise is a straight line through the measured windows, of 1 s each, of a server that compiles while it runs.
type Rise struct {
	Windows int     `json:"windows"`
	Change  float64 `json:"change"` // from the first window to the last, as a fraction of the mean
	P       float64 `json:"p"`      // probability of such a rise by chance, if windows are independent
}

// The series that show how a disk is throttled: completions in each step, for loads on disks (docs/format.md).
const (
	SeriesDiskBytes = "disk.bytes"
	SeriesDiskIOs   = "disk.ios"

	// The same of a network: bytes on the wire with their headers, and operations.
	SeriesNetworkBytes = "network.bytes"
	SeriesNetworkOps   = "network.ops"

	// Nanoseconds of each step in which the load's threads should have looked at a disk or network and did not run, over
	// the threads on average; absent if none.
	SeriesUnseen = "unseen"
)

// Regulation describes how a trial's timeline was throttled. Fields that its class does not have, or that could not be
// determined, are nil. Rates are bytes per second; docs/disk.md#throttling describes them.
type Regulation struct {
	Class        string   `json:"class"` // one of stat.Classes
	PeriodS      *float64 `json:"period_s,omitempty"`
	QuantumBytes *float64 `json:"quantum_bytes,omitempty"`
	Rate         float64  `json:"rate"` // sustained
	BurstRate    *float64 `json:"burst_rate,omitempty"`
	AtLeast      bool     `json:"burst_rate_at_least,omitempty"` // bursts are too short for more than a lower bound
	Duty         *float64 `json:"duty,omitempty"`
	ZeroFraction float64  `json:"zero_fraction"`
	BucketBytes  *float64 `json:"bucket_bytes,omitempty"`
	ExhaustedS   *float64 `json:"exhausted_s,omitempty"` // time until a credit had run out
	SafeRate     *float64 `json:"safe_rate,omitempty"`
	SafeBurst    *float64 `json:"safe_burst_bytes,omitempty"`

	Cycles      int      `json:"cycles"` // complete bursts, from start to start
	AutoPeriodS *float64 `json:"auto_period_s,omitempty"`
	BinS        float64  `json:"bin_s"`               // length of the analysed bins
	SilenceS    *float64 `json:"silence_s,omitempty"` // silences at least this long make up half of all silent time
	ZeroP50S    *float64 `json:"zero_p50_s,omitempty"`
	ZeroP99S    *float64 `json:"zero_p99_s,omitempty"`
	ZeroMaxS    *float64 `json:"zero_max_s,omitempty"`
	ObservedS   float64  `json:"observed_s"`
	Bytes       float64  `json:"bytes"`    // moved in that time
	IOBytes     float64  `json:"io_bytes"` // mean size of an I/O

	InFlight float64  `json:"in_flight_bytes,omitempty"` // that the load kept in flight; 0 unknown
	Unseen   float64  `json:"unseen,omitempty"`          // share of the time in which the load's threads did not run
	Shallow  *Shallow `json:"shallow,omitempty"`         // nil if nothing had to be told apart
}

// Shallow describes the load with fewer operations in flight that followed a trial, to tell a quota from operations
// that end together. Fields are those of Regulation.
type Shallow struct {
	Class        string   `json:"class"`
	InFlight     float64  `json:"in_flight_bytes"`
	PeriodS      *float64 `json:"period_s,omitempty"`
	QuantumBytes *float64 `json:"quantum_bytes,omitempty"`
	Rate         float64  `json:"rate"`
}

// Clock is the clock of the CPUs that did the work, over the measured window. Idle CPUs count as busy ones do.
type Clock struct {
	MeanMHz float64 `json:"mean_mhz"`
	MinMHz  float64 `json:"min_mhz"` // of the slowest CPU in the slowest sample
	CPUs    int     `json:"cpus"`    // sampled, of those of the work
	Samples int     `json:"samples"`
	Source  string  `json:"source"` // "cpufreq", or "cpuinfo", which on a virtual machine has the nominal clock
	CostS   float64 `json:"cost_s"` // CPU seconds spent on sampling
}

package workload

import (
	"context"
	"encoding/json"
	"net/netip"
	"syscall"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/client/load"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
)

// Spec declares a workload and holds the functions that run it.
type Spec struct {
	record.Workload
	Charge  Charge
	Command Command
	// Inline replaces a reference, such as a file's name, by its content, keyed by parameter. It is called
	// while the plan is made, so that the plan holds everything that is run and every host has it.
	Inline map[string]func(value string) (string, error)
	// Files packs a file that a parameter names with everything that the file refers to, keyed by parameter. The
	// result travels as a secret does, and the plan keeps the path and a digest; Text returns it.
	Files map[string]Packer
	// Check returns an error if these values cannot run on that machine. A nil Check accepts all values. Like
	// every error of a workload it names the workload and has a hint.
	Check func(Params, record.Machine) error
	// Remarks returns sentences about what these values mean that their user cannot see in them, such as what of a file is
	// left out. They are printed as a run begins. A nil Remarks has none.
	Remarks func(Params) []string
	// Preflight runs on the host that will do the work and returns an error if these values cannot run there,
	// for instance because an engine is not set up. It leaves nothing behind. dir is the trial's future
	// scratch. It is nil if Check suffices.
	Preflight func(ctx context.Context, p Params, dir string) error
	// Describe identifies a device that the user gives up to the workload; nil if it takes none.
	Describe func(path string) (record.Device, error)
	// PreflightClients is set if Preflight also depends on the number of clients and on whether there is a
	// rate.
	PreflightClients bool
	New              func(Env, Params) (Driver, error)
	// Serve makes the target's half of the driver when other hosts make the load; nil if the load must be
	// local.
	Serve func(Env, Params) (Server, error)
	// Aim returns where a generator sends its load, by these values and by what each server of the target told as its
	// address, in a form that leaves it no choice but an IP address and a port. It is needed with Serve.
	Aim func(p Params, said []string) (Aim, error)
	// CheckServe returns an error if these values cannot be served to other hosts; nil accepts all values.
	CheckServe func(Params) error
	// Joins returns how many servers of a cluster are started in the measured window only, with these values; nil: none.
	Joins func(Params) int
	// Held returns how long an operation of an open loop may wait by these values before it is sent, for others to join
	// it; nil: not at all.
	Held func(Params, record.LoadPoint) time.Duration
	// Faults returns how much of the window is over, 0 to 1, when each thing happens to a server; nil: nothing does.
	Faults func(Params) []float64
	// Lanes returns the number of load threads if LanesOf's default, lanes that do one operation at a time,
	// does not fit. cpus is the number of CPUs that may be used.
	Lanes func(p Params, l record.LoadPoint, cpus int) int
	// Waits is set if lanes spend their time blocked in the kernel, so that more lanes than CPUs need a
	// thread of Go's at once.
	Waits bool
	// Whole is set if goroutines of a library do part of the lanes' work on threads that cannot be
	// identified: the whole process is then the generator, kept to its CPUs and charged as one.
	Whole bool
	// Ends is set if both ends of the load are measured, as of a network: in a closed loop, a generator without CPU time
	// left is then a result, and fails no run.
	Ends bool
	// Split reports whether lanes and started processes get CPUs of their own if there are at least two; nil
	// means never.
	Split func(Params) bool
	// Keeps is set if trials share files that one of them made: see Env.Keep.
	Keeps bool
	// Restore undoes, at the end of a session, what its trials have changed beyond their own files and left for the next
	// one; keep is Env.Keep. It is called once for each distinct set of values on the host; nil: nothing is left.
	Restore func(ctx context.Context, p Params, keep string) error
	// Cost estimates the time that a trial with these values takes on that machine besides its warm-up and
	// measurement, and its space; nil if both are negligible.
	Cost func(Params, record.LoadPoint, record.Machine) forecast.Cost
	// Path returns the directory below which the data lie with these values, or the device that holds them;
	// "" is the trial's scratch. known is false if this process cannot know. A nil Path always means the
	// scratch.
	Path func(Params) (path string, known bool)
	// There returns the processes of a server that plimsoll does not start with these values; false if it starts its
	// own. It is nil if there never is such a server.
	There func(Params) (There, bool)
	// Behind reports whether a server that is started with these values may have others of this host work for it, such as
	// a service's database; nil means never. One that was there may, in any case.
	Behind func(Params) bool
	// Runs returns which kind of process does the work with these values; nil means Programs. It is not
	// called if lanes do the work themselves.
	Runs func(Params) Runs
}

// Find returns the workload of a name.
func Find(specs []Spec, name string) (Spec, bool) {
	for _, s := range specs {
		if s.Name == name {
			return s, true
		}
	}
	return Spec{}, false
}

// Packer reads a file and whatever it refers to; variable returns the value of a ${NAME} in it.
type Packer func(path string, variable func(name string) (string, error)) ([]byte, error)

// Runs is the kind of process that does the work.
type Runs int

// The kinds of process.
const (
	Programs Runs = iota // started here
	Java                 // started here, possibly Java runtimes, which have a profiler of their own
	External             // already running, not started by us
)

// RunsOf returns which kind of process does the work.
func (s Spec) RunsOf(p Params) Runs {
	if s.Runs == nil {
		return Programs
	}
	return s.Runs(p)
}

// HeldS returns how long an operation of a load may wait by its settings before it is sent, in seconds.
func (s Spec) HeldS(p Params, l record.LoadPoint) float64 {
	if s.Held == nil || l.Kind != record.Open {
		return 0
	}
	return s.Held(p, l).Seconds()
}

// openLanes bounds the operations in flight in an open loop of synchronous lanes. Arrivals beyond it wait,
// and their latency includes the wait.
const openLanes = 64

// LanesOf returns the number of load threads on a generator with that many CPUs.
func (s Spec) LanesOf(p Params, l record.LoadPoint, cpus int) int {
	switch {
	case s.Lanes != nil:
		return max(1, s.Lanes(p, l, cpus))
	case l.Kind == record.Open && p.Text(record.ParamPacing) == record.PacingSpin:
		// Each spinning lane takes a CPU: half are left to the work.
		return max(1, cpus/2)
	case l.Kind == record.Open:
		return openLanes
	}
	return int(l.Level)
}

// Charge selects whose CPU time counts as the work's.
type Charge int

// The ways of charging CPU time.
const (
	Lanes   Charge = iota // the lanes' own
	Started               // of processes started through Env.Enter; the lanes are the generator
)

// MarkVar is the environment variable that marks every process of a trial, so that it can be found again; its value is
// the order's ID.
const MarkVar = "PLIMSOLL_TRIAL"

// Env is the environment of a driver's trial.
type Env struct {
	Scratch string           // the trial's own empty directory, removed afterwards; every user may enter it
	Keep    string           // if Spec.Keeps: shared by all trials of the session on this host
	Session string           // hex id, in lower case, common to all trials of one session and unique to it
	Lanes   int              // number of lanes of the trial
	Load    record.LoadPoint // load that the lanes make; for a Server, the total of all other hosts
	Work    []int            // CPUs for started processes; empty: the same as this process
	Target  string           // address of the server on another host; "": the driver starts its own
	Member  bool             // a Server is one of several of a cluster, each on its host
	CPUs    []int            // CPU of each lane, in order; empty if lanes are not pinned
	Seed    uint64           // of all random data and choices; equal on both sides of a pair
	Trial   string           // the trial's ID, which no other one has
	Key     string           // a secret that only the hosts of this trial know; "": there is one host
	Part    int              // which of the hosts that load one target this is, from 0

	// Environ is the environment for started processes. It holds the mark by which they are found again.
	Environ []string
	// Enter starts one process and charges its CPU time to the work. start returns its pid; attr is passed to
	// it and may be modified.
	Enter func(attr *syscall.SysProcAttr, start func() (pid int, err error)) error
}

// Driver runs one trial of a workload. Methods are called in the order Prepare, Lane for each lane (each on
// the locked thread that will run it), Verify, Close. Close is always called, even after an error.
type Driver interface {
	Prepare(context.Context) error // not measured
	Lane(i int) (Lane, error)      // first touch of memory, connecting; called for all lanes at once
	Verify(context.Context) error  // after the trial; an error voids it
	Close() error                  // stops everything it started; idempotent
}

// Server is the half of a driver that runs on the target and is loaded from other hosts. The powers of a driver that
// describe its server (Extender, Keyer, Doubter, Timeliner, Eventer, Heater) are a Server's too: they get the load of
// all hosts together, on the target's clock.
type Server interface {
	// Start starts the server and returns the address at which other hosts reach it.
	Start(context.Context) (address string, err error)
	Verify(context.Context) error // after the load; an error voids the trial
	Close() error                 // stops everything it started; idempotent
}

// Member is a Server of a cluster with one on each of several hosts: before it starts, each tells its place, and gets
// those of all.
type Member interface {
	Place(context.Context) (string, error) // where it will be; no secret, since everybody on the way may read it
	At(place string) (netip.Addr, error)   // the address at which the others reach the server of a place
	Join(Places) error                     // an error if it cannot be one of them
}

// PlaceText returns a place as a Member's Place states it, JSON. It takes the results of an engine's Place.
func PlaceText[P any](place P, err error) (string, error) {
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(place)
	return string(text), err
}

// TargetSeparator stands between the addresses of a cluster's servers in Env.Target.
const TargetSeparator = " "

// Places are those of all members of a cluster, in the order of its hosts.
type Places struct {
	Self  int      `json:"self"` // of the one that is told, from 1 on
	All   []string `json:"all"`
	Zones []string `json:"zones"` // of their hosts; "": unknown
	Doors []uint16 `json:"doors"` // ports at which their hosts prove that the places are theirs
}

// Elsewhere is a Server that may stand for one on machines that the trial does not meter.
type Elsewhere interface {
	Elsewhere() bool
}

// IsElsewhere reports whether a server's work is done by other machines than this one.
func IsElsewhere(s Server) bool {
	e, ok := s.(Elsewhere)
	return ok && e.Elsewhere()
}

// Beginner is a Server to which something is to happen in the measured window. Begin is called once, as the window
// begins, with when it will end: CLOCK_MONOTONIC, ns.
type Beginner interface {
	Begin(from, to int64)
}

// Begin tells a server that its window begins, if that is of use to it.
func Begin(s Server, from int64, length time.Duration) {
	if b, ok := s.(Beginner); ok {
		b.Begin(from, from+length.Nanoseconds())
	}
}

// Lane is one thread of load.
type Lane interface {
	// Run takes and does operations until l reports the end of the trial or ctx ends. It is called once and
	// holds the workload's hot loop.
	Run(ctx context.Context, l *load.Lane) error
}

// Valuer is a driver that replaces the load generator's values: it returns all of its trial's values, the
// primary one first.
type Valuer interface {
	Values(load.Result) ([]record.Value, error)
}

// Settler is a driver or Server whose load has an aftermath, such as a killed server's recovery. Settle is called once
// the load is over, before its values are asked for, and returns when that is over too; an error voids the trial.
type Settler interface {
	Settle(context.Context) error
}

// Settle waits for the aftermath of a load, if there is any.
func Settle(ctx context.Context, work any) error {
	if s, ok := work.(Settler); ok {
		return s.Settle(ctx)
	}
	return nil
}

// Extender is a driver that adds values to those of the load generator.
type Extender interface {
	Extra(load.Result) []record.Value
}

// Databaser is a driver or Server that watched a database, and tells what stands out in it; nil if nothing does.
type Databaser interface {
	Database(load.Result) *record.Database
}

// Keyer is a driver that adds to its trial's identity, such as the code path taken or the version of a
// library.
type Keyer interface {
	Keys() map[string]string
}

// Doubter is a driver that may have warnings about its own trial which do not void it. It is called after
// Verify.
type Doubter interface {
	Doubts() []string
}

// Repeater is a driver of a load of kind record.Once whose short runs follow each other in one process
// (record.Workload.Repeats). Again, called once or more instead of Lane, makes a run as if Prepare and CleanUp had been
// called around it.
type Repeater interface {
	Again(context.Context) Ran
}

// Ran is a run of a Repeater.
type Ran struct {
	Started time.Time
	Wall    time.Duration
	CPU     time.Duration // user and system time of the processes that it started and waited for
	Values  []record.Value
	Doubts  []string
	Left    int // processes that it left, and that were ended
	Err     error
}

// Cleaner is a driver that runs what the user wants to be run after a trial. CleanUp is called when no lane runs any
// more, also for a trial that failed, and before the trial is reported; its error is told with the trial, whose values
// it leaves alone. Close cleans up if CleanUp was not called.
type Cleaner interface {
	CleanUp(context.Context) error
}

// Leaver is a driver of commands that end with each operation, and leave nothing: what they left was ended, at most so
// many processes of one operation. It is called after Verify.
type Leaver interface {
	Left() int
}

// Failer is a driver that keeps the error of the first failed operation; nil if none failed. It is called
// after Verify.
type Failer interface {
	First() error
}

// Answerer is a driver that counts answers. It is called after Verify.
type Answerer interface {
	Answers() Answers
}

// Answers are the measured answers by HTTP status, and the TLS handshakes of the load with its warm-up.
type Answers struct {
	Statuses            map[string]int64
	Handshakes, Resumed int64 // Resumed are those of Handshakes that resumed a session
	Targets             []record.TargetUse
}

// Causer is a driver that may know why a lane failed, such as that its server has ended.
type Causer interface {
	Cause(lane error) error
}

// Timeliner is a driver with time series of its own, in addition to those of the load generator. It is called
// after Verify, for trials that are not void.
type Timeliner interface {
	Timeline(load.Result) []Track
}

// Shallower is a driver whose load can be repeated with fewer operations in flight, on the data that it has prepared.
type Shallower interface {
	// Shallower returns a driver of so many operations in flight in a closed loop, and its lanes. It needs no Prepare,
	// and its Close leaves the data in place. It must be closed before the driver that it came from.
	Shallower(inFlight int) (d Driver, lanes int)
}

// Eventer is a driver that records events during the measured time or ongoing at its start, such as a
// checkpoint of its server. It is called after Verify, for trials that are not void. Times are
// CLOCK_MONOTONIC.
type Eventer interface {
	Events(load.Result) []record.Event
}

// Heater is a driver that may have loaded a fresh server before the warm-up. It is called once the trial is
// over.
//
// A Server is a Heater too if it has a JIT compiler: the load is then the generators'.
type Heater interface {
	// Heat returns the operations done in each step of that load, empty if there was none. compiles reports
	// whether the server has a JIT compiler, so that it starts out slow.
	Heat() (w Warming, compiles bool)
}

// Sharer is a driver that may be one of several, on hosts of their own, that load one target. It is called
// once the trial is over.
type Sharer interface {
	// Shared returns how to merge its extra values with those of the others.
	Shared() Shared
}

// Shared holds how to merge extra values of several drivers. A value that is in neither map is a sum if it is a
// rate, else it is of its own host alone.
type Shared struct {
	Weights   map[string]float64                 // by value: number of events that it is a mean or a share of
	Latencies map[string]*hdrhistogram.Histogram // ns, of 3 digits, by the name before _p50 and _p99
}

// HeatStep is the step in which drivers count operations during a heat: fine enough to date the steady state
// to within a second or two.
const HeatStep = 100 * time.Millisecond

// Track is one time series: either Values or Spreads, one element a step. A step without events has a 0 or an
// empty spread.
type Track struct {
	Name, Unit string
	StepNs     int64
	Values     []int64
	Spreads    []record.Spread
}

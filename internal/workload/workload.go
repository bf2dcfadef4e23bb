// Package workload holds what loads a machine, one file (or folder) a workload.
// A workload knows nothing of plans, sessions or agents: it is told its
// parameters and its CPUs, prepares, and runs lanes that a load generator paces.
package workload

import (
	"context"
	"syscall"
	"time"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
)

// Spec is a workload: its declaration and what runs it.
type Spec struct {
	record.Workload
	Charge Charge
	// Inline puts what a value stands for, such as a file's text, in its place, by the names of the parameters whose values may: a plan
	// holds what is run, and every host has it. It is called where the plan is made.
	Inline map[string]func(value string) (string, error)
	// Check says why these values cannot run on that machine; nil: they always
	// can. Its error, like all of a workload's, names the workload and has a hint.
	Check func(Params, record.Machine) error
	// Look says, on the host itself, why these values cannot run there, such as for an engine that is not set up, without
	// leaving a trace; dir is where a trial's scratch would be. nil: Check knows all there is to know.
	Preflight func(ctx context.Context, p Params, dir string) error
	// Describe says what a device is that a user gives up to the workload; nil: it takes none.
	Describe func(path string) (record.Device, error)
	// PreflightClients: what Look says depends on the number of clients too, and on whether there is a rate instead.
	PreflightClients bool
	New              func(Env, Params) (Driver, error)
	// Serve makes the half of the driver that runs on the target where other hosts load it;
	// nil where the load cannot come from elsewhere.
	Serve func(Env, Params) (Server, error)
	// CheckServe says why these values cannot be served to other hosts; nil: they always can.
	CheckServe func(Params) error
	// Lanes says how many threads make the load, where that is not what LanesOf
	// takes for granted: lanes that do one operation at a time. cpus is how many may be used.
	Lanes func(p Params, l record.LoadPoint, cpus int) int
	// Waits says that the lanes spend their time inside the kernel, waiting, so that more of
	// them than there are CPUs need a thread of Go's at once.
	Waits bool
	// Whole says that goroutines of a library do part of the lanes' work, on threads that nobody knows: all of the
	// process is the generator, kept to its CPUs and charged as a whole.
	Whole bool
	// Split says whether lanes and started processes get CPUs of their own,
	// where there are two or more; nil: never.
	Split func(Params) bool
	// Keeps says that its trials share what one of them has made: see Env.Keep.
	Keeps bool
	// Room is what a trial with these values takes on that machine; nil: nothing worth telling beforehand.
	Room func(Params, record.Machine) Room
	// Path is the directory below which its data lie with these values, or the device that holds them; "" is the trial's scratch, and false that nobody here
	// knows. nil: always the scratch.
	Path func(Params) (path string, known bool)
	// Runs says what does the work with these values; nil: programs that are started here. It is not asked where the lanes do it.
	Runs func(Params) Runs
}

// Runs is what does the work.
type Runs int

// What can do it.
const (
	Programs Runs = iota // that are started here
	Java                 // likewise, and Java runtimes may be among them, which have a profiler of their own
	External             // what is there, and nobody here has started
)

// Room is the bytes that a trial takes.
type Room struct {
	Disk   int64 // at its most, beside what is there
	Memory int64 // of the machine's, for what is meant to stay there
}

// openLanes is how many operations of an open load of synchronous lanes can be
// in flight; arrivals beyond wait, and the wait counts.
const openLanes = 64

// LanesOf is how many threads make a load on a generator of so many CPUs.
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

// Charge says whose CPU time is the work's.
type Charge int

// The ways of charging CPU time.
const (
	Lanes   Charge = iota // the lanes' own
	Started               // that of the processes started through Env.Enter; the lanes are the generator
)

// Env is what a driver is given to work with.
type Env struct {
	Scratch string           // an empty directory of the trial's own, removed after it; every user may enter it
	Keep    string           // where Spec.Keeps: a directory that all trials of the session on this host have together, several at once; removed after the session
	Session string           // what all trials of one session have in common and no other session has, in lower-case hex digits
	Lanes   int              // how many there will be
	Load    record.LoadPoint // that they make, or of a Server all that other hosts make
	Work    []int            // CPUs that started processes may use; empty: those that this one may
	Target  string           // address of the server to load, on another host; "": the driver starts its own
	CPUs    []int            // CPU of each lane, in order; empty where lanes are not pinned
	Seed    uint64           // of all random data and choices; the same on both sides of a pair

	// Environ is the environment for processes that the driver starts: it
	// carries the mark by which they are found again.
	Environ []string
	// Enter starts one process so that its CPU time is charged to the work. start
	// gives its id; attr is what it is started with, and may be changed.
	Enter func(attr *syscall.SysProcAttr, start func() (pid int, err error)) error
}

// Driver is one workload being run. Methods are called in the order Prepare,
// Lane for each lane (each on the locked thread that will run it), Verify,
// Close. Close is always called, also after an error.
type Driver interface {
	Prepare(context.Context) error // not measured
	Lane(i int) (Lane, error)      // first touch of memory, connecting; called for all lanes at once
	Verify(context.Context) error  // after the trial; an error voids it
	Close() error                  // stops all it started; idempotent
}

// Server is what stands on the target and is loaded from other hosts.
type Server interface {
	// Start starts it and returns the address at which other hosts reach it.
	Start(context.Context) (address string, err error)
	Verify(context.Context) error // after the load; an error voids the trial
	Close() error                 // stops all it started; idempotent
}

// Lane is one thread of load.
type Lane interface {
	// Run takes and does operations until l says that the trial is over, or
	// ctx ends. It is called once and holds the workload's hot loop.
	Run(ctx context.Context, l *load.Lane) error
}

// Valuer is a driver whose values are not those of the load generator's own
// counts: it states all of its trial's values, the primary one first.
type Valuer interface {
	Values(load.Result) ([]record.Value, error)
}

// Extender is a driver that states values beside those that the load generator
// counts, which stay.
type Extender interface {
	Extra(load.Result) []record.Value
}

// Keyer is a driver that adds to its trial's identity, such as the code path
// taken or the version of a library.
type Keyer interface {
	Keys() map[string]string
}

// Doubter is a driver that has something to say against its own trial that
// does not void it. It is asked after Verify.
type Doubter interface {
	Doubts() []string
}

// Failer is a driver that knows what the first operation said that failed; nil where none did. It is asked after Verify.
type Failer interface {
	First() error
}

// Causer is a driver that may know why a lane has failed, such as that its server has ended.
type Causer interface {
	Cause(lane error) error
}

// Timeliner is a driver with series of its own over the measured time, beside those that
// the load generator keeps. It is asked after Verify, of trials that are not void.
type Timeliner interface {
	Timeline(load.Result) []Track
}

// Eventer is a driver that knows of what happened at instants of the measured time, or goes on since before, such as a checkpoint
// of its server. It is asked after Verify, of trials that are not void; the events' times are CLOCK_MONOTONIC.
type Eventer interface {
	Events(load.Result) []record.Event
}

// Heater is a driver that may have loaded a fresh server before the warm-up. It is asked once the trial is over.
type Heater interface {
	// Heat is what was done in each step of that; nothing where there was none. compiles says that the server is one which compiles what it
	// does while it runs, so that it is slow at first.
	Heat() (windows load.Windows, compiles bool)
}

// HeatStep is the step in which drivers count what is done in a heat: fine enough to tell when it became steady to within a second or two.
const HeatStep = 100 * time.Millisecond

// Track is one such series: either Values or Spreads, one for each step; a step in which
// nothing happened is there too, as 0 or as an empty spread.
type Track struct {
	Name, Unit string
	StepNs     int64
	Values     []int64
	Spreads    []record.Spread
}

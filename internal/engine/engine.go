package engine

import (
	"context"
	"io"
	"syscall"

	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
)

// Engine is a server that can be started here, any number of times concurrently.
type Engine interface {
	// Name returns its name for users: lower case, without spaces.
	Name() string
	// Doc returns one sentence for users.
	Doc() string
	// Params declares its parameters; all have the phase record.Server.
	Params() []record.Param
	// Find locates what Start needs for these parameters. It has no side effects. The error *Missing means that
	// setting up would help.
	Find(context.Context, Params) (Install, error)
	// Start starts a server in the foreground and returns once it accepts connections. It is stopped when ctx ends.
	// After an error nothing is left running.
	Start(ctx context.Context, in Install, s Settings) (Instance, error)
}

// Setup is an engine that plimsoll can set up if Find misses it.
type Setup interface {
	// Setup returns the steps needed here, in order, without running them. The error tells the user what to do if
	// plimsoll cannot.
	Setup(context.Context) ([]Step, error)
}

// Released is implemented by engines of which several releases can be set up side by side. Their parameter ParamRelease
// chooses one.
type Released interface {
	// Releases returns them, the newest first.
	Releases() []string
	// At returns the engine with one of them as its default.
	At(release string) Findable
}

// ParamRelease is the parameter of engines that are Released.
const ParamRelease = "release"

// ReleaseMark separates an engine from its release in the arguments of setup.
const ReleaseMark = "@"

// Instance is a running server. Its methods may be called from any goroutine.
type Instance interface {
	// Addrs returns its addresses, as HOST:PORT, the main one first.
	Addrs() []string
	// Roots returns the ids of the started processes, to which their descendants belong as well.
	Roots() []int
	// Wait returns when none of its processes is left: nil if it was stopped, else an error with its last lines of
	// output.
	Wait() error
	// Stop asks it to end, kills it after a few seconds or once ctx is done, and returns when nothing is left. It
	// may be called again.
	Stop(ctx context.Context) error
}

// Encrypted is an instance that may speak TLS.
type Encrypted interface {
	// Certificate returns the path of the PEM file of the certificate that clients should trust; "" for plain text.
	Certificate() string
}

// Settings are the settings of a start.
type Settings struct {
	Params  Params // of this engine: see Resolve
	Scratch string // the instance's own existing directory; it writes nowhere else
	Host    string // IP address to listen on; "": 127.0.0.1
	Port    int    // 0: a free one
	Threads int    // worker threads or processes; 0: one for each of its CPUs
	CPUs    []int  // its CPUs; empty: those of this process

	// Await is called once the process is there, and before it becomes the server; nil: it is that at once. A fork in the
	// middle of a measurement would stop this process for as long as the server's busy CPUs let the child wait. The port
	// may be taken until Await returns.
	Await func(context.Context) error

	// Output also receives the output of its processes; nil: nobody does.
	Output io.Writer
	// Environ is the environment of its processes; nil: this process's own.
	Environ []string
	// Enter starts the process with its CPU time charged to the work, as in workload.Env; nil: without.
	Enter func(attr *syscall.SysProcAttr, start func() (pid int, err error)) error
}

// Workers returns the number of worker threads or processes.
func (s Settings) Workers() (int, error) {
	if s.Threads > 0 {
		return s.Threads, nil
	}
	if len(s.CPUs) > 0 {
		return len(s.CPUs), nil
	}
	allowed, err := topology.Allowed()
	return max(1, len(allowed)), err
}

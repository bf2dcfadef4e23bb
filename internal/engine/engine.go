// Package engine finds, sets up, starts and stops the real servers and tools
// that workloads need, one folder an engine; engine/all lists them. An engine
// knows nothing of workloads, plans or agents: it is told its parameters and its
// CPUs, and gives addresses.
package engine

import (
	"context"
	"io"
	"syscall"

	"plimsoll/internal/record"
)

// Engine is a server that can be started here, any number of times at once.
type Engine interface {
	// Name is what users call it: lower case, without spaces.
	Name() string
	// Doc is one sentence for users.
	Doc() string
	// Params declares what can be set; all are of the phase record.Server.
	Params() []record.Param
	// Find looks for what a start with these parameters needs and changes
	// nothing. A *Missing says that setting up would help.
	Find(context.Context, Params) (Install, error)
	// Start starts a server in the foreground and returns once it accepts
	// connections. It is stopped when ctx ends. After an error nothing is left
	// running.
	Start(ctx context.Context, in Install, s Settings) (Instance, error)
}

// Setup is an engine that can be set up by us, where Find misses it.
type Setup interface {
	// Setup says what is to be done here, in order, and does nothing. The error
	// says what the user has to do where we cannot.
	Setup(context.Context) ([]Step, error)
}

// Instance is a server that runs. Its methods may be called from any goroutine.
type Instance interface {
	// Addrs are where it listens, as HOST:PORT, the main one first.
	Addrs() []string
	// Roots are the ids of the processes that were started; what these
	// started belongs to it, too.
	Roots() []int
	// Wait returns when nothing of it runs any more: nil where it was stopped,
	// else an error with the last lines that it printed.
	Wait() error
	// Stop asks it to end, kills what does not within a few seconds or once ctx
	// is done, and returns when nothing is left. It may be called again.
	Stop(ctx context.Context) error
}

// Encrypted is an instance that may speak TLS.
type Encrypted interface {
	// Certificate is the path of the PEM file of the certificate that clients
	// should trust; "" where it speaks plain text.
	Certificate() string
}

// Settings are what a start is told.
type Settings struct {
	Params  Params // of this engine: see Resolve
	Scratch string // a directory that exists and is the instance's own; it writes nowhere else
	Host    string // IP address to listen on; "": 127.0.0.1
	Port    int    // 0: a free one
	Threads int    // worker threads or processes; 0: one for each CPU it may use
	CPUs    []int  // that it may use; empty: those that this process may

	// Output gets what its processes print, too, as it comes; nil: nobody does.
	Output io.Writer
	// Environ is the environment of its processes; nil: this process's own.
	Environ []string
	// Enter starts the process so that its CPU time is charged to the work, as
	// workload.Env has it; nil: just start.
	Enter func(attr *syscall.SysProcAttr, start func() (pid int, err error)) error
}

// Package process runs commands for workloads and engines: each in a process group of its own, charged to the work,
// with its output read to the last byte, ended with its parent, and leaving nothing behind.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"plimsoll/internal/base/input"
)

// Program is a command, ready to be run any number of times on any number of threads.
type Program struct {
	Name    string // of the workload that runs it, with which messages begin
	Path    string // of the executable; relative to Dir if it has a slash
	Argv    []string
	Dir     string // "": this process's own
	Env     []string
	Input   string // file that is its standard input, from its start in each run; "": an empty one
	Timeout time.Duration
	Keep    int    // bytes of standard output kept for parsing
	Shell   bool   // Argv is sh -c TEXT
	Any     bool   // any exit status is a success
	AnyFlag string // by which the user sets Any; "": none

	// Enter starts the process with CPU accounting; nil: without.
	Enter func(*syscall.SysProcAttr, func() (int, error)) error

	buffers sync.Pool    // for reading output: the agent's garbage collector is off in a trial
	peak    atomic.Int64 // resident memory of this process, in bytes, when it was last read: see SeenMemory
}

// Find resolves the executable once for all runs, and returns an error if every run would fail.
func (p *Program) Find() error {
	if p.Dir != "" {
		if st, err := os.Stat(p.Dir); err != nil || !st.IsDir() {
			return errors.New(p.says("%s is not a directory\nhint: create it, or --set NAME.dir=…", p.Dir))
		}
	}
	if p.Input != "" {
		st, err := os.Stat(p.Input)
		if err == nil && !st.Mode().IsRegular() {
			err = errors.New("it is no regular file")
		}
		if err != nil {
			return errors.New(p.says("the input %s: %v\nhint: --input FILE, on the host that runs the command", p.Input, err))
		}
	}
	path, err := Locate(p.Dir, p.Path)
	if err != nil {
		return p.startError(err)
	}
	p.Path = path
	return nil
}

// Knows returns an error if a shell, run as this program would be, finds no command of that name.
func (p *Program) Knows(ctx context.Context, name string) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", `command -v "$1"`, "sh", name)
	cmd.Dir, cmd.Env = p.Dir, p.Env
	var ended *exec.ExitError
	if err := cmd.Run(); errors.As(err, &ended) {
		return errors.New(p.says("command %q not found by the shell\nhint: check its name and PATH, or give its "+
			"whole path", name))
	}
	return nil
}

// Run runs the command once and returns when nothing is left of it. The error of an unsuccessful run is a *Failure.
func (p *Program) Run(ctx context.Context) (Outcome, error) {
	// The kernel sends the parent-death signal when the thread that forked ends, so this thread must outlive the
	// child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithTimeoutCause(ctx, p.Timeout, errTimeout)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	c, err := p.start()
	if err != nil {
		return Outcome{}, p.startError(err)
	}
	buf, ok := p.buffers.Get().(*[readBytes]byte)
	if !ok {
		buf = new([readBytes]byte)
	}
	defer p.buffers.Put(buf)
	o, err := c.wait(ctx, buf[:])
	if err == nil && (o.Status == 0 || p.Any && o.Status.Exited()) {
		return o, p.withinLimit(o)
	}
	return o, p.failed(o, err)
}

func (p *Program) start() (c *child, err error) {
	c = &child{pidfd: -1}
	defer func() {
		if err != nil {
			c.abandon()
		}
	}()
	var outW, errW *os.File
	if c.out, outW, err = newOutput(p.Keep); err != nil {
		return c, err
	}
	defer outW.Close() // the command has its own
	if c.err, errW, err = newOutput(0); err != nil {
		return c, err
	}
	defer errW.Close()
	var in io.Reader
	if p.Input != "" {
		f, err := input.Open(p.Input)
		if err != nil {
			return c, err
		}
		defer f.Close() // likewise
		in = f
	}
	c.cmd = &exec.Cmd{
		Stdin: in,
		Path:  p.Path, Args: p.Argv, Dir: p.Dir, Env: p.Env, Stdout: outW, Stderr: errW,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, PidFD: &c.pidfd},
	}
	if p.Enter == nil {
		_, err = c.start()
		return c, err
	}
	return c, p.Enter(c.cmd.SysProcAttr, c.start)
}

// withinLimit returns an error if the output to parse was truncated.
func (p *Program) withinLimit(o Outcome) error {
	if p.Keep == 0 || o.Out.Size <= int64(p.Keep) {
		return nil
	}
	return errors.New(p.says("%s printed %d bytes, but only %d are kept\nhint: --set NAME.output_limit=…, or make "+
		"it print less", p, o.Out.Size, p.Keep))
}

// account copies the kernel's accounting of the command.
func (o *Outcome) account(st *os.ProcessState) {
	o.User, o.System = st.UserTime(), st.SystemTime()
	o.Status = st.Sys().(syscall.WaitStatus)
	o.MaxRSS = st.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// String returns the command as messages show it.
func (p *Program) String() string {
	if p.Shell {
		return fmt.Sprintf("%q", Clip(p.Argv[2]))
	}
	return fmt.Sprintf("%q", Clip(strings.Join(p.Argv, " ")))
}

// errTimeout is the cause of a run that exceeded its time limit.
var errTimeout = errors.New("timeout")

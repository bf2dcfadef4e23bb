package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/host/topology"
	"plimsoll/internal/process"
)

// grace is how long a server that was asked to end has until it is killed, and
// how long a killed one has until it is given up.
const grace = 5 * time.Second

// Server is a server that runs: an Instance. Its process leads a group of its
// own, in which those that it starts stay, or work in its scratch directory.
type Server struct {
	engine string
	at     netip.AddrPort
	cert   string

	interrupt unix.Signal // asks it to end
	scratch   string      // where all of its processes work, those too that lead groups of their own
	cmd       *exec.Cmd
	out       Output
	done      chan struct{} // closed when nothing is left

	mu      sync.Mutex
	asked   bool // to end
	exited  bool // so that nothing may be sent to it
	left    error
	release func() bool // of the watch on the context
}

var (
	_ Instance  = (*Server)(nil)
	_ Encrypted = (*Server)(nil)
)

// start starts a server's process.
func start(s Settings, c Command, at netip.AddrPort) (*Server, error) {
	v := &Server{engine: c.Engine, at: at, cert: c.Certificate, interrupt: cmp.Or(c.Interrupt, unix.SIGTERM), scratch: s.Scratch,
		done: make(chan struct{}), release: func() bool { return true }}
	env := s.Environ
	if env == nil {
		env = os.Environ()
	}
	// One writer for both streams, so that the process has one pipe and lines keep their order.
	var out io.Writer = &v.out
	if s.Output != nil {
		out = io.MultiWriter(out, s.Output)
	}
	v.cmd = &exec.Cmd{
		Path: c.Path, Args: append([]string{c.Path}, c.Args...), Dir: s.Scratch, Env: slices.Concat(env, c.Env),
		Stdout: out, Stderr: out, WaitDelay: grace,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: c.ParentDeath, Credential: c.As},
	}
	started := make(chan error)
	go v.live(s, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%s: start %s: %w", c.Engine, c.Path, err)
	}
	return v, nil
}

// live forks and waits on one thread: the kernel sends the parent-death signal
// when the thread that forked ends, as a lane's does. It is never unlocked, since
// its CPUs are the server's; with the goroutine it ends.
func (v *Server) live(s Settings, started chan<- error) {
	runtime.LockOSThread()
	err := v.fork(s)
	if err != nil && v.cmd.Process != nil { // it runs, but not as it should
		_ = v.cmd.Process.Kill()
		v.reap()
	}
	started <- err
	if err == nil {
		v.reap()
		close(v.done)
	}
}

func (v *Server) fork(s Settings) error {
	begin := func() (int, error) {
		if len(s.CPUs) > 0 {
			if err := topology.PinTo(s.CPUs); err != nil {
				return 0, err
			}
		}
		if err := v.cmd.Start(); err != nil {
			return 0, err
		}
		return v.cmd.Process.Pid, nil
	}
	if s.Enter != nil {
		return s.Enter(v.cmd.SysProcAttr, begin)
	}
	_, err := begin()
	return err
}

// reap returns when the process has ended and nothing is left of its group,
// which it ends while the process, not waited for yet, holds the group's number, nor of those that work in its scratch directory.
func (v *Server) reap() {
	pid := v.cmd.Process.Pid
	errs := []error{process.AwaitExit(pid)}
	v.mu.Lock()
	v.exited = true
	release := v.release
	v.mu.Unlock()
	release()
	errs = append(errs, endGroup(pid, v.scratch))
	// How it ended is in the process's state, and judged by Wait.
	var exit *exec.ExitError
	if err := v.cmd.Wait(); !errors.As(err, &exit) {
		errs = append(errs, err)
	}
	v.left = errors.Join(errs...)
}

// endWith stops the server when ctx ends.
func (v *Server) endWith(ctx context.Context) {
	release := context.AfterFunc(ctx, func() { _ = v.Stop(context.WithoutCancel(ctx)) })
	v.mu.Lock()
	defer v.mu.Unlock()
	v.release = release
	if v.exited {
		release()
	}
}

// Addrs is where clients on this machine reach it.
func (v *Server) Addrs() []string { return []string{dialable(v.at)} }

// Roots is the process that was started.
func (v *Server) Roots() []int { return []int{v.cmd.Process.Pid} }

// Certificate is as Encrypted has it.
func (v *Server) Certificate() string { return v.cert }

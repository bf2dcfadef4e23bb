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
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/process"
	"plimsoll/internal/machine/host/topology"
)

// grace is the time between asking a server to end and killing it, and between killing it and giving up.
const grace = 5 * time.Second

// Server is a running server: an Instance. Its process leads a group of its own; the processes that it starts stay
// in the group, or work in its scratch directory.
type Server struct {
	engine string
	at     netip.AddrPort
	cert   string
	chosen bool // the port is any that was free
	users  bool // see Command
	told   bool // its arguments name the port

	interrupt unix.Signal // asks it to end
	scratch   string      // working directory of all its processes, including those that lead groups of their own
	cmd       *exec.Cmd
	out       Output
	done      chan struct{} // closed when nothing is left

	mu      sync.Mutex
	asked   bool // to end
	exited  bool // no signal may be sent to it
	left    error
	trigger io.Closer   // closed to start the server in its process; nil: it starts at once
	release func() bool // of the watch on the context
}

var (
	_ Instance  = (*Server)(nil)
	_ Encrypted = (*Server)(nil)
)

// start starts a server's process.
func start(s Settings, c Command, at netip.AddrPort) (*Server, error) {
	v := &Server{engine: c.Engine, at: at, cert: c.Certificate, interrupt: cmp.Or(c.Interrupt, unix.SIGTERM),
		scratch: s.Scratch, chosen: s.Port == 0, users: c.Users, told: slices.ContainsFunc(c.Args, func(arg string) bool {
			return strings.Contains(arg, strconv.Itoa(int(at.Port())))
		}),
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
		Path: c.Path, Args: append([]string{c.Path}, c.Args...), Dir: cmp.Or(c.Dir, s.Scratch),
		Env:    slices.Concat(env, c.Env),
		Stdout: out, Stderr: out, WaitDelay: grace,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: c.ParentDeath, Credential: c.As},
	}
	if s.Await != nil {
		stdin, trigger, err := v.deferStart(s.Scratch, v.cmd.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Engine, err)
		}
		defer stdin.Close()
		v.trigger = trigger
	}
	started := make(chan error)
	go v.live(s, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%s: start %s: %w", c.Engine, c.Path, err)
	}
	return v, nil
}

// deferStart makes the command wait at its standard input until trigger is closed. It works in the directory above
// until then: an earlier server's end takes all that work in its own.
func (v *Server) deferStart(scratch, dir string) (stdin, trigger *os.File, err error) {
	if stdin, trigger, err = os.Pipe(); err != nil {
		return nil, nil, err
	}
	const wait = `read -r _; cd "$0" && exec "$@"`
	v.cmd.Args = append([]string{"sh", "-c", wait, dir}, append([]string{v.cmd.Path}, v.cmd.Args[1:]...)...)
	v.cmd.Path, v.cmd.Dir, v.cmd.Stdin = "/bin/sh", filepath.Dir(scratch), stdin
	return stdin, trigger, nil
}

// awaitStart waits until the server may start in its process.
func (v *Server) awaitStart(ctx context.Context, s Settings) error {
	if s.Await == nil {
		return nil
	}
	if err := s.Await(ctx); err != nil {
		return errors.Join(err, v.Stop(ctx), v.trigger.Close()) // ended before it is let go
	}
	return v.trigger.Close()
}

// live forks and waits on one thread: the kernel sends the parent-death signal when the thread that forked ends, as
// a lane's does. It is never unlocked, since its CPUs are the server's; it ends with the goroutine.
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

// reap returns when the process has ended and nothing is left of its group, nor of the processes in its scratch
// directory. It ends the group while the process, not waited for yet, still holds the group's id.
func (v *Server) reap() {
	pid := v.cmd.Process.Pid
	errs := []error{process.AwaitExit(pid)}
	v.mu.Lock()
	v.exited = true
	release := v.release
	v.mu.Unlock()
	release()
	errs = append(errs, endGroup(pid, v.scratch))
	// Wait judges the exit status.
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

// Addrs returns its address for clients on this machine.
func (v *Server) Addrs() []string { return []string{dialable(v.at)} }

// Roots returns the started process.
func (v *Server) Roots() []int { return []int{v.cmd.Process.Pid} }

// Certificate implements Encrypted.
func (v *Server) Certificate() string { return v.cert }

// portTries bounds the attempts to find a free port when other programs take it first.
const portTries = 3

// Command starts a server in the foreground. It runs in the scratch directory of its instance.
type Command struct {
	Engine string // for messages
	Path   string
	Args   []string
	Dir    string   // working directory; "": Settings.Scratch
	Env    []string // NAME=VALUE, beside the environment of Settings
	// ParentDeath is the signal sent to it when this process dies: SIGKILL, except for servers that have children of
	// their own to end.
	ParentDeath unix.Signal
	Certificate string // see Encrypted
	// Interrupt asks it to end; 0: SIGTERM.
	Interrupt unix.Signal
	// Users is whether the command is the user's, and so may listen at another port than it was told.
	Users bool
	// As is the user it runs as; nil: this process's own.
	As *syscall.Credential
}

// Launch starts a server and returns once it listens. configure receives the address, and may be called again with
// another one if a free port was taken before the server had it.
func Launch(ctx context.Context, s Settings, configure func(at netip.AddrPort) (Command, error)) (*Server, error) {
	for tries := 1; ; tries++ {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("start a server: %w", context.Cause(ctx))
		}
		at, err := s.address()
		if err != nil {
			return nil, err
		}
		c, err := configure(at)
		if err != nil {
			return nil, err
		}
		v, err := start(s, c, at)
		if err != nil {
			return nil, err
		}
		if err = v.awaitStart(ctx, s); err == nil {
			err = v.ready(ctx)
		}
		if err == nil {
			v.endWith(ctx)
			return v, nil
		}
		err = errors.Join(err, v.Stop(ctx))
		if _, taken := try(at); s.Port != 0 || tries == portTries || ctx.Err() != nil || !errors.Is(taken, unix.EADDRINUSE) {
			return nil, err
		}
	}
}

package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// child is a started command, the leader of a process group of its own.
type child struct {
	cmd      *exec.Cmd
	out, err *Output
	started  time.Time
	pidfd    int // readable once it has ended; -1: not of this kernel
}

// Outcome is the result of a finished run.
type Outcome struct {
	Started      time.Time // just before the command was started
	Wall         time.Duration
	User, System time.Duration // of the command and of all processes it waited for
	MaxRSS       int64         // bytes, as reported by the kernel: see SeenMemory
	Out, Err     *Output
	Status       syscall.WaitStatus
	Left         int // processes of its group that were left, and ended
	Doubts       []string
}

// wait returns when the command has been reaped and nothing is left of its group. It ends the group when ctx ends,
// and then returns ctx's cause.
func (c *child) wait(ctx context.Context, buf []byte) (Outcome, error) {
	stop := c.endWith(ctx)
	err := c.follow(buf)
	o := Outcome{Started: c.started, Wall: time.Since(c.started), Out: c.out, Err: c.err}
	killAt, ended := stop()
	// The caller judges the exit status; any other error is ours.
	var exit *exec.ExitError
	if e := c.cmd.Wait(); e != nil && !errors.As(e, &exit) {
		err = errors.Join(err, e)
	}
	if c.cmd.ProcessState != nil {
		o.account(c.cmd.ProcessState)
	}
	patience := time.Duration(0)
	if ended {
		patience = max(0, time.Until(killAt))
	}
	left, e := sweep(c.cmd.Process.Pid, patience)
	err = errors.Join(err, e)
	o.Left = len(left)
	if len(left) > 0 {
		o.Doubts = append(o.Doubts, fmt.Sprintf("the command left processes running, which were killed: %s",
			Clip(strings.Join(left, ", "))))
	}
	err = errors.Join(err, o.drain(buf))
	if ended {
		return o, errors.Join(context.Cause(ctx), err)
	}
	return o, err
}

// follow reads the outputs until the command has ended.
func (c *child) follow(buf []byte) error {
	ended := c.pidfd
	if ended < 0 {
		r, w, err := os.Pipe()
		if err != nil {
			return errors.Join(fmt.Errorf("wait for process %d: %w", c.cmd.Process.Pid, err), AwaitExit(c.cmd.Process.Pid))
		}
		defer r.Close()
		go func() {
			_ = AwaitExit(c.cmd.Process.Pid)
			w.Close()
		}()
		ended = int(r.Fd())
	} else {
		defer unix.Close(ended)
	}
	if err := follow(ended, time.Time{}, buf, c.out, c.err); err != nil {
		return errors.Join(err, AwaitExit(c.cmd.Process.Pid))
	}
	return nil
}

// start starts the command and the clock.
func (c *child) start() (pid int, err error) {
	c.started = time.Now()
	err = c.cmd.Start()
	if errors.Is(err, unix.EINVAL) && c.cmd.SysProcAttr.PidFD != nil { // qemu-user knows no CLONE_PIDFD
		attr := *c.cmd.SysProcAttr
		attr.PidFD, c.pidfd = nil, -1
		c.cmd = &exec.Cmd{Stdin: c.cmd.Stdin, Path: c.cmd.Path, Args: c.cmd.Args, Dir: c.cmd.Dir, Env: c.cmd.Env,
			Stdout: c.cmd.Stdout, Stderr: c.cmd.Stderr, SysProcAttr: &attr}
		c.started = time.Now()
		err = c.cmd.Start()
	}
	if err != nil {
		return 0, err
	}
	return c.cmd.Process.Pid, nil
}

// abandon releases the resources of a command that could not be started, or not be accounted for. The other ends of
// the pipes close a moment later, so it does not wait for the outputs.
func (c *child) abandon() {
	if c.cmd != nil && c.cmd.Process != nil {
		signalGroup(c.cmd.Process.Pid, unix.SIGKILL)
		_ = c.cmd.Wait()
	}
	if c.pidfd >= 0 {
		_ = unix.Close(c.pidfd)
	}
	for _, s := range []*Output{c.out, c.err} {
		if s != nil {
			s.close()
		}
	}
}

// endWith ends the group when ctx ends, until stop is called. Stop returns after the last signal, and reports
// whether any was sent and when the group's grace period ends. It must be called before the leader is reaped, since
// until then the group's id cannot be reused.
func (c *child) endWith(ctx context.Context) (stop func() (killAt time.Time, ended bool)) {
	pid := c.cmd.Process.Pid
	quit, done := make(chan struct{}), make(chan struct{})
	var killAt time.Time
	cancel := context.AfterFunc(ctx, func() {
		defer close(done)
		killAt = time.Now().Add(grace)
		signalGroup(pid, unix.SIGTERM)
		select {
		case <-quit:
		case <-time.After(grace):
			signalGroup(pid, unix.SIGKILL)
		}
	})
	return func() (time.Time, bool) {
		if cancel() {
			return killAt, false
		}
		close(quit)
		<-done
		return killAt, true
	}
}

// signalGroup signals a process's group, or, if the process moved to another group so that its own is empty, the
// process itself.
func signalGroup(leader int, s unix.Signal) {
	if err := unix.Kill(-leader, s); errors.Is(err, unix.ESRCH) {
		_ = unix.Kill(leader, s)
	}
}

// AwaitExit returns when the process, a child of this one, has ended, without reaping it.
func AwaitExit(pid int) error {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			if err != nil {
				return fmt.Errorf("wait for process %d: %w", pid, err)
			}
			return nil
		}
	}
}

// drain waits for the ends of both outputs, or until a process that left the group has kept one open too long.
func (o *Outcome) drain(buf []byte) error {
	err := follow(-1, time.Now().Add(lingers), buf, o.Out, o.Err)
	held := false
	errs := []error{err}
	for _, s := range []*Output{o.Out, o.Err} {
		held = held || s.fd >= 0
		s.close()
		errs = append(errs, s.err)
	}
	if held && err == nil {
		o.Doubts = append(o.Doubts, "a process that left the command's process group holds its output open")
	}
	return errors.Join(errs...)
}

// SeenMemory returns a run's peak resident memory in bytes, if it is the command's. On exec Linux charges a program
// with the peak of the memory that the fork shared (exec_mmap in fs/exec.c), which is this process's: a value not
// clearly above that says nothing about the command.
func (p *Program) SeenMemory(o Outcome) (float64, bool) {
	if o.MaxRSS <= clearlyAbove(p.peak.Load()) {
		return 0, false // this process's peak only grows
	}
	self, err := procfs.Self()
	if err != nil {
		return 0, false
	}
	st, err := self.NewStatus()
	if err != nil {
		return 0, false
	}
	p.peak.Store(int64(st.VmHWM))
	return float64(o.MaxRSS), st.VmHWM > 0 && o.MaxRSS > clearlyAbove(int64(st.VmHWM))
}

func clearlyAbove(bytes int64) int64 { return bytes / 8 * 9 }

package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Stop implements Instance.
func (v *Server) Stop(ctx context.Context) error { return v.StopBy(ctx, v.interrupt, grace) }

// StopBy asks it to end by a signal, and kills it after patience: a database that writes its memory to disk takes
// its time.
func (v *Server) StopBy(ctx context.Context, interrupt unix.Signal, patience time.Duration) error {
	v.signal(interrupt)
	if v.gone(ctx, patience) {
		return v.left
	}
	v.signal(unix.SIGKILL)
	if v.gone(context.WithoutCancel(ctx), grace) {
		return v.left
	}
	return fmt.Errorf("%s: process %d still exists %v after it was killed", v.engine, v.cmd.Process.Pid, grace)
}

// Wait implements Instance.
func (v *Server) Wait() error {
	<-v.done
	if v.asked {
		return v.left
	}
	return v.ended("")
}

// Alive returns a context that ends with the first of the servers to end, whose error is its cause.
func Alive(ctx context.Context, servers ...*Server) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	for _, v := range servers {
		go func() {
			select {
			case <-v.done:
				end(v.Wait())
			case <-ctx.Done():
			}
		}()
	}
	return ctx, func() { end(nil) }
}

// ended returns the error of a server that ended by itself, and when, if that is known.
func (v *Server) ended(when string) error {
	return fmt.Errorf("%s ended by itself%s: %s%s", v.engine, when, v.cmd.ProcessState, v.out.Last())
}

// gone waits until nothing is left of the server.
func (v *Server) gone(ctx context.Context, patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-v.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// signal asks the server to end; SIGKILL goes to its whole group.
func (v *Server) signal(s unix.Signal) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.exited {
		return
	}
	v.asked = true
	pid := v.cmd.Process.Pid
	if s == unix.SIGKILL {
		_ = unix.Kill(-pid, s)
	}
	_ = unix.Kill(pid, s)
}

// poll is the interval at which processes are checked.
const poll = 5 * time.Millisecond

// endGroup kills the rest of a group and the processes that work in a directory, and waits until they have ended.
func endGroup(pgid int, dir string) error {
	for deadline := time.Now().Add(grace); ; time.Sleep(poll) {
		left, err := members(pgid, dir)
		if err != nil || len(left) == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d processes of group %d still exist %v after they were killed", len(left), pgid, grace)
		}
		for _, p := range left {
			if err := unix.Kill(p.PID, unix.SIGKILL); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("kill process %d of group %d: %w", p.PID, pgid, err)
			}
		}
	}
}

// members returns the living processes of a group, and those that work in a directory: each process of a PostgreSQL
// server leads a group.
func members(pgid int, dir string) ([]procfs.Proc, error) {
	all, err := procfs.AllProcs()
	if err != nil {
		return nil, fmt.Errorf("list processes of group %d: %w", pgid, err)
	}
	var out []procfs.Proc
	for _, p := range all {
		st, err := p.Stat()
		if err == nil && (st.PGRP == pgid || worksIn(p, dir)) && st.State != "Z" && st.State != "X" {
			out = append(out, p)
		}
	}
	return out, nil
}

func worksIn(p procfs.Proc, dir string) bool {
	if dir == "" || p.PID == os.Getpid() {
		return false
	}
	cwd, err := p.Cwd() // an error: it has ended since, or is another user's
	return err == nil && (cwd == dir || strings.HasPrefix(cwd, dir+"/"))
}

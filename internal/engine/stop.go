package engine

import (
	"context"
	"fmt"
	"time"

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

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// lasts is about how long six runs take.
const lasts = 800 * time.Millisecond

// begun waits until the plan is in the file, and then for an arbitrary part of what is left; false if the session ends
// first.
func (t *trial) begun(r *running) bool {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if c, err := readSession(t.session); err == nil && c.planned {
			return true
		}
		if r.over() {
			return false
		}
	}
	return false
}

// instant returns an arbitrary part of a session's runs.
func (t *trial) instant() time.Duration { return time.Duration(t.random.Float64() * float64(lasts)) }

// kill kills the program, its agent, or both at an instant.
func kill(ctx context.Context, t *trial) outcome {
	t.tree = t.random.IntN(2) == 0
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	if t.random.IntN(8) > 0 { // else before there is any file
		t.begun(r)
	}
	time.Sleep(t.instant())
	whom := t.random.IntN(3)
	hit := false
	if whom != 0 {
		for _, pid := range t.agents() {
			hit = unix.Kill(pid, unix.SIGKILL) == nil || hit
		}
	}
	if whom != 1 {
		hit = r.cmd.Process.Kill() == nil || hit
	}
	if whom != 2 {
		return t.afterKill(ctx, r, hit)
	}
	// Nobody is left who could tidy up: the next start does, whatever it measures.
	<-r.told
	for deadline := time.Now().Add(patience); len(t.agents()) > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // what an agent that is still dying holds is left for the start after the next
	}
	if err := t.next(ctx); err != nil {
		return outcome{hit, text(err)}
	}
	return t.afterKill(ctx, r, hit)
}

// next runs another session, after which nothing is left of this one.
func (t *trial) next(ctx context.Context) error {
	other := *t
	other.session = filepath.Join(t.dir, "other.plimsoll.jsonl")
	other.replace = []string{"exec", "--set", "exec.command=true", "--replicates", "1"}
	r, err := other.start(ctx, false)
	if err != nil {
		return err
	}
	if code := r.wait(); code != 0 {
		return fmt.Errorf("the next session ends with %d: %s", code, r.text.String())
	}
	return errors.Join(t.deserted(), t.tidy())
}

// calls are those by which a session and what it leaves come about.
func calls() []string {
	return []string{"write", "fsync", "openat", "unlinkat", "ftruncate", "renameat", "close", "mkdirat", "pwrite64", "flock"}
}

// killAtCall kills the program as it enters its k-th system call of a kind once its plan is in the file.
func killAtCall(ctx context.Context, t *trial) outcome {
	call := calls()[t.random.IntN(len(calls()))]
	k := 1 + t.random.IntN(6)
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	if !t.begun(r) {
		return t.afterKill(ctx, r, false)
	}
	// The client alone: an agent that is killed at its k-th call dies again in each further attempt.
	trace := exec.CommandContext(ctx, "strace", "-qqq", "-f", "--detach-on=execve", "-o", "/dev/null", "-e", "signal=none",
		"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, k), "-p", strconv.Itoa(r.cmd.Process.Pid))
	if err := trace.Start(); err != nil {
		return outcome{broken: text(err)}
	}
	out := t.afterKill(ctx, r, true)
	_ = trace.Wait()
	return out
}

func (t *trial) afterKill(ctx context.Context, r *running, hit bool) outcome {
	code := r.wait()
	if code == -2 {
		return outcome{hit, "it hangs"}
	}
	err := t.deserted()
	before, kerr := t.kept(r.said.Load())
	if err = errors.Join(err, kerr); err == nil {
		err = t.whole(ctx, before)
	}
	return outcome{hit && code != 0 && before.planned, text(err)}
}

// Package procs finds and ends processes that were left behind.
package procs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"

	"plimsoll/internal/machine/host/hostfs"
)

// How KillMarked waits for processes to end.
const (
	killGrace = 2 * time.Second // after SIGTERM, and again after SIGKILL
	killPoll  = 10 * time.Millisecond
	// looks that find none show that all are gone: a process has no environment for a moment while it starts another
	// program.
	looks = 2
)

// Marked lists the processes that were started with exactly env, "NAME=VALUE",
// in their environment, ascending; zombies have none. Processes that this user
// may not look into are left out.
func Marked(root hostfs.Root, env string) ([]int, error) {
	entries, err := os.ReadDir(root.Proc)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err == nil && hasMark(root, pid, env) {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids, nil
}

func hasMark(root hostfs.Root, pid int, env string) bool {
	b, err := os.ReadFile(root.ProcPath(strconv.Itoa(pid), "environ"))
	return err == nil && env != "" && slices.ContainsFunc(bytes.Split(b, []byte{0}), func(entry []byte) bool {
		return string(entry) == env
	})
}

// KillMarked ends every process marked with env, "NAME=VALUE", but never its
// caller: with SIGTERM, and with SIGKILL those that are left after 2 s or once
// ctx is done, which shortens the wait and cancels nothing. The error names those that
// outlive that, too.
func KillMarked(ctx context.Context, env string) error { return killMarked(ctx, env, looks) }

// KillMarkedAgain is KillMarked after the end of the process that has ended what it started, with KillMarked if need
// be: one look is enough if there is nothing.
func KillMarkedAgain(ctx context.Context, env string) error { return killMarked(ctx, env, 1) }

func killMarked(ctx context.Context, env string, looks int) error {
	if err := signalUntilGone(ctx, env, syscall.SIGTERM, looks); !errors.Is(err, errAlive) {
		return err
	}
	return signalUntilGone(context.WithoutCancel(ctx), env, syscall.SIGKILL, looks)
}

// others lists the marked processes without this one.
func others(root hostfs.Root, env string) ([]int, error) {
	pids, err := Marked(root, env)
	return slices.DeleteFunc(pids, func(pid int) bool { return pid == os.Getpid() }), err
}

var errAlive = errors.New("still running")

// signalUntilGone sends sig to each marked process once, also to those that
// appear while it waits, until so many looks in a row find none.
func signalUntilGone(ctx context.Context, env string, sig syscall.Signal, looks int) error {
	ctx, cancel := context.WithTimeout(ctx, killGrace)
	defer cancel()
	signalled := make(map[int]bool)
	var refused error
	for none := 0; ; {
		pids, err := others(hostfs.System(), env)
		if err != nil {
			return err
		}
		if none++; len(pids) > 0 {
			none = 0
		}
		if none == looks {
			return nil
		}
		for _, pid := range pids {
			if !signalled[pid] {
				refused = errors.Join(refused, signalMarked(pid, env, sig))
				signalled[pid] = true
			}
		}
		select {
		case <-ctx.Done():
			if len(pids) == 0 {
				return nil
			}
			return errors.Join(fmt.Errorf("processes %v marked %s: %w", pids, env, errAlive), refused)
		case <-time.After(killPoll):
		}
	}
}

// signalMarked looks at the mark once more through a handle that no reused pid
// can take over (a pidfd, in os.FindProcess).
func signalMarked(pid int, env string, sig syscall.Signal) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	defer p.Release()
	if !hasMark(hostfs.System(), pid, env) {
		return nil
	}
	err = p.Signal(sig)
	if errors.Is(err, os.ErrProcessDone) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// IsJVM reports whether a process is a Java virtual machine: whether HotSpot's library is mapped in
// it. A process that may not be inspected is none.
func IsJVM(root hostfs.Root, pid int) bool {
	b, err := os.ReadFile(root.ProcPath(strconv.Itoa(pid), "maps"))
	return err == nil && strings.Contains(string(b), "/libjvm.so")
}

// KillNameless ends the processes that work in a directory, or below, and have written over their environment, as nginx
// does: there is no mark to know them by.
func KillNameless(dir string) error {
	return KillAll(func() ([]int, error) { return nameless(hostfs.System(), dir) })
}

func nameless(root hostfs.Root, dir string) ([]int, error) {
	entries, err := os.ReadDir(root.Proc)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var out []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		cwd, err := os.Readlink(filepath.Join(root.Proc, e.Name(), "cwd"))
		if err != nil || cwd != dir && !strings.HasPrefix(cwd, dir+"/") {
			continue
		}
		environ, err := os.ReadFile(filepath.Join(root.Proc, e.Name(), "environ"))
		if err == nil && strings.Trim(string(environ), "\x00") == "" {
			out = append(out, pid)
		}
	}
	return out, nil
}

// KillAll kills processes until none is left, but never its caller. Given the processes of an
// account whose work is over, it finds also those that left their process group, their session and
// their environment behind.
func KillAll(list func() ([]int, error)) error {
	for deadline := time.Now().Add(killGrace); ; time.Sleep(killPoll) {
		pids, err := list()
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENODEV) {
			return nil // the group is gone, and they with it
		}
		if err != nil {
			return err
		}
		pids = slices.DeleteFunc(pids, func(pid int) bool { return pid == os.Getpid() || Ended(hostfs.System(), pid) })
		if len(pids) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes %v: %w", pids, errAlive)
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL) // the next look shows whether it helped
		}
	}
}

// Ended reports whether a process has ended, though it may wait to be reaped.
func Ended(root hostfs.Root, pid int) bool {
	all, err := procfs.NewFS(root.Proc)
	if err != nil {
		return false
	}
	p, err := all.Proc(pid)
	if err != nil {
		return true
	}
	st, err := p.Stat()
	return err != nil || st.State == "Z" || st.State == "X"
}

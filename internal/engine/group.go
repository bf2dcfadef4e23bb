package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// poll is how often the state of processes is looked at.
const poll = 5 * time.Millisecond

// awaitExit returns when the process has ended, and leaves it to be waited for.
func awaitExit(pid int) error {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("wait for process %d: %w", pid, err)
		}
	}
}

// endGroup kills what is left of a group and waits until it has ended.
func endGroup(pgid int) error {
	for deadline := time.Now().Add(grace); ; time.Sleep(poll) {
		left, err := members(pgid)
		if err != nil || len(left) == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d processes of group %d are still there %v after they were killed", len(left), pgid, grace)
		}
		if err := unix.Kill(-pgid, unix.SIGKILL); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("kill process group %d: %w", pgid, err)
		}
	}
}

// members are the processes of a group that have not ended.
func members(pgid int) ([]procfs.Proc, error) {
	all, err := procfs.AllProcs()
	if err != nil {
		return nil, fmt.Errorf("look for processes of group %d: %w", pgid, err)
	}
	var out []procfs.Proc
	for _, p := range all {
		st, err := p.Stat()
		if err == nil && st.PGRP == pgid && st.State != "Z" && st.State != "X" {
			out = append(out, p)
		}
	}
	return out, nil
}

package process

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// grace is the time between asking a group to end and killing it, and between killing it and giving up.
const grace = 2 * time.Second

// sweep ends the rest of a process group whose leader has been reaped, and returns the names of its processes. It
// kills only after patience has passed.
// It probes with signal 0 first, which has no effect, and kills only processes that /proc shows to be in the group
// and in this session: while a member lives, the kernel does not reuse the group's id.
func sweep(pgid int, patience time.Duration) ([]string, error) {
	if errors.Is(unix.Kill(-pgid, 0), unix.ESRCH) {
		return nil, nil
	}
	left, err := members(pgid)
	if err != nil || len(left) == 0 {
		return nil, err
	}
	if emptied, err := awaitEmpty(pgid, patience); emptied || err != nil {
		return left, err
	}
	if err := unix.Kill(-pgid, unix.SIGKILL); err != nil && !errors.Is(err, unix.ESRCH) {
		return left, fmt.Errorf("kill process group %d: %w", pgid, err)
	}
	emptied, err := awaitEmpty(pgid, grace)
	if err == nil && !emptied {
		err = fmt.Errorf("process group %d still exists %v after it was killed", pgid, grace)
	}
	return left, err
}

func awaitEmpty(pgid int, patience time.Duration) (bool, error) {
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		left, err := members(pgid)
		if err != nil || len(left) == 0 {
			return len(left) == 0, err
		}
		if time.Now().After(deadline) {
			return false, nil
		}
	}
}

// members returns the names of a group's living processes. One that has ended and waits to be reaped by its new
// parent does not count.
func members(pgid int) ([]string, error) {
	session, err := unix.Getsid(0)
	if err != nil {
		return nil, fmt.Errorf("find our session: %w", err)
	}
	all, err := procfs.AllProcs()
	if err != nil {
		return nil, fmt.Errorf("list processes of group %d: %w", pgid, err)
	}
	var names []string
	for _, p := range all {
		st, err := p.Stat()
		if err != nil {
			continue // it has ended since
		}
		if st.PGRP == pgid && st.Session == session && st.State != "Z" && st.State != "X" {
			names = append(names, st.Comm)
		}
	}
	return names, nil
}

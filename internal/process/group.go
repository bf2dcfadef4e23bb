package process

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// grace is how long a group that was asked to end has until it is killed, and
// how long a killed one has until it is given up.
const grace = 2 * time.Second

// sweep ends what is left of a process group whose leader has been reaped, and
// returns the names of what was left. It gives the group until patience has
// passed before it kills.
//
// It asks with signal 0 first, which no process feels, and kills only what
// /proc shows to be in the group and in this session: while a member lives,
// the kernel gives the group's number to nobody else.
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
		err = fmt.Errorf("process group %d is still there %v after it was killed", pgid, grace)
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

// members names the living processes of a group. One that has ended and waits
// to be reaped by its new parent is not ours to wait for.
func members(pgid int) ([]string, error) {
	session, err := unix.Getsid(0)
	if err != nil {
		return nil, fmt.Errorf("find our session: %w", err)
	}
	all, err := procfs.AllProcs()
	if err != nil {
		return nil, fmt.Errorf("look for processes of group %d: %w", pgid, err)
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

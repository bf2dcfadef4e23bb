package engine

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

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

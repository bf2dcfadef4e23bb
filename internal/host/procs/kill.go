package procs

import (
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

	"plimsoll/internal/host/hostfs"
)

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

package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const groupPrefix = "plimsoll-"

// The kernel takes a moment to forget the processes of a group after their end.
const (
	removeTries = 100
	removePause = 10 * time.Millisecond
)

// makeGroup makes a control group below parent: plimsoll-PID-NAME-RANDOM.
func makeGroup(root Root, parent, name string) (string, error) {
	removeStale(root, parent)
	return os.MkdirTemp(parent, fmt.Sprintf("%s%d-%s-", groupPrefix, os.Getpid(), name))
}

// removeStale removes the groups of processes that are gone. A group that
// still holds processes stays: the kernel refuses.
func removeStale(root Root, parent string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, groupPrefix+"*"))
	for _, dir := range dirs {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), groupPrefix), "-")
		pid, err := strconv.Atoi(owner)
		if err != nil {
			continue
		}
		if _, err := os.Stat(root.proc(strconv.Itoa(pid))); errors.Is(err, fs.ErrNotExist) {
			syscall.Rmdir(dir)
		}
	}
}

// removeGroup removes a group whose processes have ended.
func removeGroup(dir string) error {
	var err error
	for range removeTries {
		// Not os.Remove: its attempt to unlink would hide why the group stays.
		if err = unix.Rmdir(dir); err == nil || errors.Is(err, unix.ENOENT) {
			return nil
		}
		if !errors.Is(err, unix.EBUSY) {
			break
		}
		time.Sleep(removePause)
	}
	return fmt.Errorf("remove cgroup %s: %w\nhint: stop the processes listed in its cgroup.procs", dir, err)
}

package account

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
)

const groupPrefix = "plimsoll-"

// The kernel takes a moment to forget the processes of a group after their end.
const (
	removeTries = 100
	removePause = 10 * time.Millisecond
)

// heldGroup is a control group of ours. It is held as long as its maker lives.
type heldGroup struct {
	path string
	held *os.File
}

// makeGroup makes a control group below parent: plimsoll-PID-NAME-RANDOM.
func makeGroup(root hostfs.Root, parent, name string) (heldGroup, error) {
	removeStale(root, parent)
	path, err := os.MkdirTemp(parent, fmt.Sprintf("%s%d-%s-", groupPrefix, os.Getpid(), name))
	if err != nil {
		return heldGroup{}, err
	}
	held, err := os.Open(path)
	if err == nil {
		err = unix.Flock(int(held.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		return heldGroup{}, errors.Join(err, held.Close(), unix.Rmdir(path))
	}
	return heldGroup{path, held}, nil
}

// close removes a group whose processes have ended.
func (g heldGroup) close() error { return errors.Join(removeGroup(g.path), g.held.Close()) }

// RemoveStale removes the groups that killed processes of ours have left in the place of ours, and
// ends the processes in them.
func RemoveStale(root hostfs.Root) {
	for _, controller := range []string{"", "cpuacct", "blkio", "cpu"} {
		if own, err := own(root, controller); err == nil {
			removeStale(root, own.dir)
		}
	}
}

// removeStale removes the groups of processes that are gone.
func removeStale(root hostfs.Root, parent string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, groupPrefix+"*"))
	for _, dir := range dirs {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), groupPrefix), "-")
		pid, err := strconv.Atoi(owner)
		if err == nil && procs.Ended(root, pid) {
			removeUnheld(dir)
		}
	}
}

// removeUnheld removes a group that nobody holds, with its processes: its owner may live in another
// container, in which no pid of ours is known.
func removeUnheld(dir string) {
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil || unix.Rmdir(dir) == nil {
		return
	}
	_ = procs.KillAll(func() ([]int, error) { return groupPids(dir) })
	_ = removeGroup(dir)
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

// parsePids reads cgroup.procs: a process a line, in any order, maybe twice (cgroups(7)).
func parsePids(b []byte) ([]int, error) {
	var out []int
	for _, field := range strings.Fields(string(b)) {
		pid, err := strconv.Atoi(field)
		if err != nil || pid < 0 {
			return nil, fmt.Errorf("%.30q is not the id of a process", field)
		}
		if pid > 0 { // 0: one of another namespace of ids
			out = append(out, pid)
		}
	}
	return out, nil
}

func groupPids(dir string) ([]int, error) {
	return hostfs.ReadParsed(filepath.Join(dir, "cgroup.procs"), parsePids)
}

// Pids lists the processes that are in the group now.
func (g *group1) Pids() ([]int, error) { return groupPids(g.dir) }

// Pids lists the processes that are in the group now.
func (g *group2) Pids() ([]int, error) { return groupPids(g.dir.Name()) }

// Pids lists the processes of the account that live, with their descendants.
func (t *Tree) Pids() ([]int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all, err := t.stats()
	if err != nil {
		return nil, err
	}
	var out []int
	for pid := range t.members(all) {
		if pid != os.Getpid() {
			t.known[pid] = all[pid].Starttime // an orphan is found again
		}
		out = append(out, pid)
	}
	return out, nil
}

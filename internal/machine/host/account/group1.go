package account

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// group1 is a control group of version 1's cpuacct controller. If that is mounted together with
// cpu, the group has one share of a contended CPU however many threads it holds.
type group1 struct {
	dir  string
	own  heldGroup
	home string // the group that the starting thread returns to
}

func openGroup1(root hostfs.Root, name string) (Group, error) {
	own, err := own(root, "cpuacct")
	if err != nil {
		return nil, err
	}
	if own.version != 1 {
		return nil, fmt.Errorf("cpuacct is not mounted: %w", unix.ENOSYS)
	}
	dir, err := makeGroup(root, own.dir, name)
	if err != nil {
		return nil, err
	}
	g := &group1{dir: dir.path, own: dir, home: own.dir}
	// A group may be made and yet not joined, as with cpuset mounted beside.
	err = g.Enter(&syscall.SysProcAttr{}, func() (int, error) { return 0, nil })
	if err == nil {
		_, err = g.CPUSeconds()
	}
	if err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// Enter moves the calling thread into the group, so that the process which it
// starts is born there, and back.
func (g *group1) Enter(_ *syscall.SysProcAttr, start func() (int, error)) error {
	runtime.LockOSThread()
	if err := moveThread(g.dir); err != nil {
		runtime.UnlockOSThread()
		return err
	}
	_, errStart := start()
	if err := moveThread(g.home); err != nil {
		// The thread stays locked: no other goroutine may run on it and be
		// charged to the group.
		return err
	}
	runtime.UnlockOSThread()
	if errStart != nil {
		return fmt.Errorf("start in cgroup %s: %w", g.dir, errStart)
	}
	return nil
}

func moveThread(dir string) error {
	tid := strconv.Itoa(unix.Gettid())
	f, err := os.OpenFile(filepath.Join(dir, "tasks"), os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("move thread %s: %w", tid, err)
	}
	defer f.Close()
	if _, err := f.WriteString(tid); err != nil {
		return fmt.Errorf("move thread %s: %w", tid, err)
	}
	return nil
}

func (g *group1) CPUSeconds() (float64, error) {
	path := filepath.Join(g.dir, "cpuacct.usage")
	text, err := hostfs.ReadText(path)
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %.40q is not a number of nanoseconds", path, text)
	}
	return float64(ns) / 1e9, nil
}

func (g *group1) Source() string { return record.ChargedGroup }

func (g *group1) Close() error { return g.own.close() }

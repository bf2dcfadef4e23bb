package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// freezer is a control group whose processes can be frozen (cgroups(7)): of version 1, which does not move them in the
// groups in which the program measures, or else of version 2.
type freezer struct {
	dir, file, frozen, thawed string
	told, cold                string // what tells that all are frozen
}

// newFreezer makes one; an error says that none can be made here.
func newFreezer() (*freezer, error) {
	var errs []error
	for _, f := range []freezer{
		{"/sys/fs/cgroup/freezer", "freezer.state", "FROZEN", "THAWED", "freezer.state", "FROZEN"},
		{"/sys/fs/cgroup/unified", "cgroup.freeze", "1", "0", "cgroup.events", "frozen 1"},
		{"/sys/fs/cgroup", "cgroup.freeze", "1", "0", "cgroup.events", "frozen 1"},
	} {
		dir, err := os.MkdirTemp(f.dir, "reliability-")
		if f.dir = dir; err == nil {
			if _, err = os.Stat(filepath.Join(f.dir, f.file)); err == nil {
				return &f, nil
			}
			err = errors.Join(err, os.Remove(f.dir))
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// add puts a process into it, and with it those that it will start.
func (f *freezer) add(pid int) error { return f.write("cgroup.procs", strconv.Itoa(pid)) }

// freeze returns once all are frozen.
func (f *freezer) freeze() error {
	if err := f.write(f.file, f.frozen); err != nil {
		return err
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(filepath.Join(f.dir, f.told))
		if err != nil || strings.Contains(string(text), f.cold) {
			return err
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("not frozen within %v", patience), f.thaw())
		}
	}
}

func (f *freezer) thaw() error { return f.write(f.file, f.thawed) }

func (f *freezer) write(name, text string) error {
	return os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0)
}

// close removes it once its processes have ended.
func (f *freezer) close() {
	await(patience, func() bool { return os.Remove(f.dir) == nil })
}

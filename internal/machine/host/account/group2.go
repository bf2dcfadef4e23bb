package account

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/kernfmt"
	"plimsoll/internal/record"
)

// group2 is a control group of version 2. It needs no controller: every group
// of that hierarchy counts its CPU time, and without the cpu controller its
// processes are scheduled as if they were in no group.
type group2 struct {
	dir *os.File
	own heldGroup
}

func openGroup2(root hostfs.Root, name string) (Group, error) {
	if errors.Is(cloneError(), unix.ENOSYS) {
		return nil, fmt.Errorf("clone into a cgroup: %w", unix.ENOSYS)
	}
	own, err := own(root, "")
	if err != nil {
		return nil, err
	}
	made, err := makeGroup(root, own.dir, name)
	if err != nil {
		return nil, err
	}
	g := &group2{dir: made.held, own: made}
	if _, err := g.CPUSeconds(); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// cloneError returns the answer of clone3, which starts a process in a group, to nonsense: ENOSYS
// if it is missing (old kernels, qemu-user, containers that forbid it), else EINVAL.
func cloneError() error {
	_, _, errno := unix.RawSyscall(unix.SYS_CLONE3, 0, 0, 0)
	return errno
}

// FD returns the open directory, for syscall.SysProcAttr.CgroupFD.
func (g *group2) FD() int { return int(g.dir.Fd()) }

func (g *group2) Enter(attr *syscall.SysProcAttr, start func() (int, error)) error {
	attr.UseCgroupFD, attr.CgroupFD = true, g.FD()
	if _, err := start(); err != nil {
		return fmt.Errorf("start in cgroup %s: %w", g.dir.Name(), err)
	}
	return nil
}

func (g *group2) CPUSeconds() (float64, error) {
	stat, err := hostfs.ReadParsed(filepath.Join(g.dir.Name(), "cpu.stat"), kernfmt.Flat)
	if err != nil {
		return 0, err
	}
	usec, ok := stat["usage_usec"]
	if !ok {
		return 0, fmt.Errorf("usage_usec in %s/cpu.stat: %w", g.dir.Name(), fs.ErrNotExist)
	}
	return float64(usec) / 1e6, nil
}

func (g *group2) Source() string { return record.ChargedGroup }

func (g *group2) Close() error {
	return g.own.close()
}

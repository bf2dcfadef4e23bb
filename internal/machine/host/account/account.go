// Package account adds up the CPU time of the processes of one role, by control groups or by the process tree, and
// reads the limits of control groups.
package account

import (
	"errors"
	"fmt"
	"syscall"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// Account adds up the CPU time of one role, such as the server's or the
// generator's.
type Account interface {
	// CPUSeconds is user and system time so far. If a part of it can no
	// longer be read, the last known value comes with the error.
	CPUSeconds() (float64, error)
	// Source is record.ChargedGroup, ChargedTree or ChargedThreads.
	Source() string
	Close() error
}

// Group is an account of the processes that are started in it and of all that
// these start.
type Group interface {
	Account
	// Enter calls start, which starts one process with attr and returns its
	// id, so that the process is in the account from its first instruction.
	// attr must not be nil; Enter may change it.
	Enter(attr *syscall.SysProcAttr, start func() (pid int, err error)) error
	// Pids are the processes that are in the account now, in any order.
	Pids() ([]int, error)
}

// New opens the best account there is here: a control group of version 2, of version 1, or else the
// process tree, which misses the time of daemons that were born and gone between two readings. name
// distinguishes groups; it holds no slash. Groups that killed processes of ours left behind are
// removed.
func New(root hostfs.Root, name string) (Group, error) {
	for _, open := range []func(hostfs.Root, string) (Group, error){openGroup2, openGroup1} {
		if g, err := open(root, name); err == nil {
			return g, nil
		}
	}
	tree := NewTree(root)
	if _, err := tree.stats(); err != nil {
		return nil, fmt.Errorf("account %s: no cgroup can be made, and no process tree read: %w", name, err)
	}
	return tree, nil
}

// Found is the account of processes that were there before: nothing is started in it, and closing it ends none of them.
type Found struct{ *Tree }

// NewFound opens the account of processes and of their descendants.
func NewFound(root hostfs.Root, pids ...int) Found { return Found{NewTree(root, pids...)} }

// Enter returns an error: these processes are not ours.
func (Found) Enter(*syscall.SysProcAttr, func() (int, error)) error {
	return errors.New("no process is started beside those that were there")
}

// Source returns record.ChargedFound.
func (Found) Source() string { return record.ChargedFound }

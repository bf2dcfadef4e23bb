package account

import (
	"errors"
	"syscall"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/record"
)

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

package ring

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// MaxEntries is the kernel's limit on operations in flight on one ring (IORING_MAX_ENTRIES).
const MaxEntries = 32768

// RefusedError reports that io_uring is unavailable here, in any configuration.
type RefusedError struct {
	Why string // in a few words
	Err error  // the kernel's; nil if a feature is missing
}

func (e *RefusedError) Error() string { return "io_uring is refused here: " + e.Why }

func (e *RefusedError) Unwrap() error { return e.Err }

// DepthError reports a depth outside a ring's range.
type DepthError struct{ Depth, Limit int }

func (e *DepthError) Error() string {
	return fmt.Sprintf("%d operations in flight: a ring has 1 to %d\nhint: a smaller depth, or more jobs",
		e.Depth, e.Limit)
}

// MemlockError reports that the limit of locked memory is too low, in bytes.
type MemlockError struct{ Needed, Allowed uint64 }

func (e *MemlockError) Error() string {
	return fmt.Sprintf("io_uring needs %d bytes of locked memory, but the limit is %d (RLIMIT_MEMLOCK)\nhint: "+
		"ulimit -l %d",
		e.Needed, e.Allowed, (e.Needed+1023)/1024)
}

func (e *MemlockError) Unwrap() error { return unix.ENOMEM }

// refused returns the RefusedError for an error of the setup; nil if others could have a ring.
func refused(err error) error {
	switch {
	case errors.Is(err, unix.ENOSYS):
		return &RefusedError{"the kernel has none, or a filter (seccomp) hides it", err}
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return &RefusedError{"not permitted: kernel.io_uring_disabled, or a filter such as a container's seccomp profile",
			err}
	}
	return nil
}

// shortOfMemory replaces the kernel's ENOMEM by a MemlockError if the limit of locked memory caused it.
func shortOfMemory(err error, needed uint64) error {
	var limit unix.Rlimit
	if !errors.Is(err, unix.ENOMEM) || unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit) != nil || limit.Cur >= needed {
		return err
	}
	return &MemlockError{needed, limit.Cur}
}

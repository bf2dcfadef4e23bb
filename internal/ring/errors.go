package ring

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// MaxEntries is the kernel's limit of operations in flight on one ring (IORING_MAX_ENTRIES).
const MaxEntries = 32768

// RefusedError says that there is no io_uring to be had here, whatever is asked of it.
type RefusedError struct {
	Why string // in a few words
	Err error  // the kernel's; nil where it lacks something
}

func (e *RefusedError) Error() string { return "io_uring is refused here: " + e.Why }

func (e *RefusedError) Unwrap() error { return e.Err }

// DepthError says that more operations in flight are asked for than a ring can have.
type DepthError struct{ Depth, Limit int }

func (e *DepthError) Error() string {
	return fmt.Sprintf("%d operations in flight: a ring has 1 to %d\nhint: a smaller depth, or more jobs", e.Depth, e.Limit)
}

// MemlockError says that less memory may be locked than is needed, in bytes.
type MemlockError struct{ Needed, Allowed uint64 }

func (e *MemlockError) Error() string {
	return fmt.Sprintf("io_uring needs %d bytes of locked memory, and %d are allowed (RLIMIT_MEMLOCK)\nhint: ulimit -l %d",
		e.Needed, e.Allowed, (e.Needed+1023)/1024)
}

func (e *MemlockError) Unwrap() error { return unix.ENOMEM }

// refused tells what setting up said; nil where the ring is there for others.
func refused(err error) error {
	switch {
	case errors.Is(err, unix.ENOSYS):
		return &RefusedError{"the kernel has none, or a filter (seccomp) hides it", err}
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return &RefusedError{"not permitted: kernel.io_uring_disabled, or a filter such as a container's seccomp profile", err}
	}
	return nil
}

// shortOfMemory turns the kernel's ENOMEM into numbers, where it is the limit of locked memory that said it.
func shortOfMemory(err error, needed uint64) error {
	var limit unix.Rlimit
	if !errors.Is(err, unix.ENOMEM) || unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit) != nil || limit.Cur >= needed {
		return err
	}
	return &MemlockError{needed, limit.Cur}
}

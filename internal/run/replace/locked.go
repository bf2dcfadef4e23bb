package replace

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Locked makes a directory if it is not there and runs do while this process alone has its lock, so that of programs
// that read a file in it, change and write it none loses the change of another. It waits for them.
func Locked(dir string, do func() error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX)
	for errors.Is(err, unix.EINTR) { // a signal of Go's runtime
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("lock %s: %w", dir, err), f.Close())
	}
	return errors.Join(do(), f.Close()) // which ends the lock
}

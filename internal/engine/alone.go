package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

const (
	lockFile = ".lock"
	lockPoll = 100 * time.Millisecond
	// partial marks the names of incomplete directories.
	partial = ".partial-"
)

// Alone prevents concurrent setups of an engine, until release is called, and removes the remains of killed ones.
// wait is called once if another setup is in progress.
func Alone(ctx context.Context, engine string, wait func()) (release func(), err error) {
	dir, err := CacheDir(engine)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w\nhint: XDG_CACHE_HOME sets another place", engine, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\nhint: XDG_CACHE_HOME sets another place", engine, err)
	}
	for told := false; ; told = true {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			break
		}
		if !told {
			wait()
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("%s: %w", engine, context.Cause(ctx)), f.Close())
		}
	}
	if err == nil {
		err = removePartials(dir)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", engine, err), f.Close())
	}
	return func() {
		_ = removePartials(dir) // of a failed step
		f.Close()
	}, nil
}

// Partial returns the name of a directory, not made yet, in which to make dir. It is unique to the caller.
func Partial(dir string) string { return dir + partial + rand.Text()[:8] }

func removePartials(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, "*"+partial+"*"))
	for _, path := range left {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

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
	// partial begins the part of a name by which what is half made is known.
	partial = ".partial-"
)

// Alone keeps others from setting the same engine up, until release is called, and removes what those left that were
// killed at it. wait is told once that another one is at it.
func Alone(ctx context.Context, engine string, wait func()) (release func(), err error) {
	dir, err := CacheDir(engine)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w\nhint: XDG_CACHE_HOME puts it elsewhere", engine, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\nhint: XDG_CACHE_HOME puts it elsewhere", engine, err)
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
		_ = removePartials(dir) // of a step that failed
		f.Close()
	}, nil
}

// Partial is the name of a directory, not made yet, in which what is to be dir is made. It is no one's but the caller's.
func Partial(dir string) string { return dir + partial + rand.Text()[:8] }

func removePartials(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, "*"+partial+"*"))
	for _, path := range left {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

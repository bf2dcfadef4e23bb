// Package replace writes files that are whole or are not there.
package replace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"

	"golang.org/x/sys/unix"

	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent"
)

// File replaces a file atomically: the old contents stay until the new file is safe. A link stays a link, and
// anything other than a regular file, such as a pipe, is written to directly.
func File(path string, mode fs.FileMode, write func(io.Writer) error) error {
	path, old, err := behindLinks(path)
	if err != nil {
		return err
	}
	if old != nil && !old.Mode().IsRegular() {
		return writeInto(path, write)
	}
	f, name, err := unnamed(path, mode)
	if err != nil {
		return err
	}
	if name != "" {
		defer removedOnSignal(name)()
	}
	err = write(f)
	if err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = rename(f, name, path)
	}
	if err != nil && name != "" {
		err = errors.Join(err, os.Remove(name))
	}
	return errors.Join(err, f.Close())
}

// behindLinks returns the path that a path resolves to, and its file info; nil if it does not exist.
func behindLinks(path string) (string, fs.FileInfo, error) {
	const links = 40 // as many as the kernel follows
	for range links {
		st, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil, nil
		}
		if err != nil || st.Mode()&fs.ModeSymlink == 0 {
			return path, st, err
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", nil, err
		}
		if filepath.Dir(path) == "/proc/self/fd" || filepath.Dir(path) == "/dev/fd" {
			st, err := os.Stat(path) // an open file may have no name
			return path, st, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", nil, unix.ELOOP
}

func writeInto(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// unnamed opens a new file that a kill leaves nothing of, or a named one if the file system does not support that. It
// is beside the path, which errors of writing it name.
func unnamed(path string, mode fs.FileMode) (*os.File, string, error) {
	dir := filepath.Dir(path)
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, uint32(mode))
	if err == nil {
		return os.NewFile(uintptr(fd), path), "", nil
	}
	name := temporary(dir)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, mode)
	return f, name, err
}

func temporary(dir string) string { return filepath.Join(dir, ".plimsoll-"+rand.Text()) }

// rename gives an open file its name, replacing an existing file, and returns once that is on disk.
func rename(f *os.File, name, path string) error {
	if name == "" {
		name = temporary(filepath.Dir(path))
		err := unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", f.Fd()), unix.AT_FDCWD, name,
			unix.AT_SYMLINK_FOLLOW)
		if err != nil {
			return err
		}
	}
	if err := os.Rename(name, path); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return session.SyncDir(filepath.Dir(path))
}

// removedOnSignal removes a file if a signal ends the process before the file is complete.
func removedOnSignal(path string) (safe func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, agent.StopSignals()...)
	done := make(chan struct{})
	go func() {
		select {
		case s := <-signals:
			_ = os.Remove(path)
			signal.Reset(s)
			_ = unix.Kill(os.Getpid(), s.(unix.Signal))
		case <-done:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

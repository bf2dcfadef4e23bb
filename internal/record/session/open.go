package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	shellquote "github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
)

// Create creates a new session file, and returns once its name is on disk. It never overwrites: the error for an
// existing file is fs.ErrExist.
func Create(path string) (*Writer, error) {
	if path == "-" {
		return nil, usage.Errorf("a session is a file, not standard output\n" +
			"hint: -o FILE, then plimsoll export FILE prints it")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, createError(path, err)
	}
	if err = lock(f); err == nil {
		err = SyncDir(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create %s: %w", path, err), f.Close(), os.Remove(path))
	}
	return &Writer{path: path, f: locked{f}}, nil
}

func createError(path string, err error) error {
	err = fmt.Errorf("create %s: %w", path, cause(err))
	switch {
	case isDir(path):
		return usage.Errorf("%s is a directory, not a file\nhint: -o %s", path,
			shellquote.Join(filepath.Join(path, "NAME"+Suffix)))
	case errors.Is(err, fs.ErrExist) && isSession(path):
		return usage.With(err, fmt.Sprintf("--resume %s continues it; -o OTHER starts a new one", shellquote.Join(path)))
	case errors.Is(err, fs.ErrExist):
		return usage.With(err, "-o OTHER: it isn't a session, and is left as it is")
	case strings.HasSuffix(path, "/"):
		return usage.With(err, "mkdir -p "+shellquote.Join(path)+", then -o "+
			shellquote.Join(filepath.Join(path, "NAME"+Suffix)))
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w\nhint: mkdir -p %s", err, shellquote.Join(filepath.Dir(path)))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EROFS):
		return fmt.Errorf("%w\nhint: choose a writable directory with -o FILE", err)
	}
	return err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isSession reports whether a file begins as a session does.
func isSession(path string) bool {
	const most = 1 << 20
	_, _, err := NewHeads().Read(context.Background(), func(path string) (*os.File, error) { return input.Open(path) },
		path, most)
	return err == nil
}

// ResumeContext opens a session file to append to it, and returns its contents. It cuts off a torn last line, and
// series after the last trial, which belong to none. The caller's next line must be its Machine, which opens a segment.
// If the context ends it returns its error and leaves the file unchanged.
func ResumeContext(ctx context.Context, path string) (*Writer, *Log, error) {
	f, err := input.OpenFile(path, os.O_RDWR|os.O_APPEND)
	if none := (*input.NoFile)(nil); errors.As(err, &none) {
		return nil, nil, err // it names the path
	}
	if err != nil {
		return nil, nil, input.Wrap(fmt.Errorf("%s: %w", path, cause(err)))
	}
	w, log, err := resume(ctx, path, f)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return w, log, nil
}

func resume(ctx context.Context, path string, f *os.File) (*Writer, *Log, error) {
	if err := lock(f); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	w := &Writer{path: path, f: locked{f}}
	switch why, err := w.meddled(); {
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", path, cause(err))
	case why != "":
		return nil, nil, fmt.Errorf("%s: it was replaced just now\nhint: try again", path)
	}
	// Read the locked file itself: its name may refer to another one by now.
	log, err := readOpen(ctx, path, io.NewSectionReader(f, 0, math.MaxInt64))
	if err != nil {
		return nil, nil, err
	}
	if len(log.Machines) == 0 {
		return nil, nil, fmt.Errorf("%s: it has no machine line, so it cannot be continued\nhint: start a new file "+
			"with -o OTHER", path)
	}
	end, err := repair(f, log.safe)
	if err != nil {
		return nil, nil, fmt.Errorf("repair %s: %w", path, cause(err))
	}
	w.end, w.runs = end, len(log.Trials)
	return w, log, w.remember()
}

// remember reads the edges of the file, as if this Writer had written them.
func (w *Writer) remember() error {
	w.head, w.tail = make([]byte, min(w.end, edgeBytes)), make([]byte, min(w.end, edgeBytes))
	_, err := w.f.ReadAt(w.head, 0)
	if err == nil {
		_, err = w.f.ReadAt(w.tail, w.end-int64(len(w.tail)))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.path, cause(err))
	}
	return nil
}

// repair truncates a file to its safe part, terminates that with a newline, and returns its size in bytes.
func repair(f *os.File, safe int64) (int64, error) {
	if err := f.Truncate(safe); err != nil {
		return 0, err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, safe-1); err != nil {
		return 0, err
	}
	if last[0] != '\n' {
		if _, err := f.Write([]byte{'\n'}); err != nil {
			return 0, err
		}
		safe++
	}
	return safe, f.Sync()
}

// locked is a file on which lock succeeded.
type locked struct{ *os.File }

// Close unlocks first: a process that is being started may briefly hold a copy of the descriptor, which would keep the
// lock.
func (l locked) Close() error {
	return errors.Join(unix.Flock(int(l.Fd()), unix.LOCK_UN), l.File.Close())
}

// lock excludes other writers until the file is closed, even by a kill.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		return errors.New("another plimsoll is writing to it\nhint: wait for that run, or write to another file " +
			"with -o OTHER")
	case err != nil:
		return fmt.Errorf("lock: %w\nhint: this file system does not support locks; write to a local one with -o FILE", err)
	}
	return nil
}

// SyncDir makes a new file's name durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	// Some file systems cannot sync a directory, and keep names without it.
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

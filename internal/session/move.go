package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// edgeBytes is how much of a file's start and of its last write is compared to detect that others overwrote it.
const edgeBytes = 128

// Moved reports that somebody removed, replaced or truncated a session while it was written. Everything given to its
// Writer is in another file, to which it continues to write.
type Moved struct {
	Path, To, Why string
	Lost          int // lines that were neither in the file nor in memory
}

func (m *Moved) Error() string {
	lost := ""
	if m.Lost > 0 {
		lost = fmt.Sprintf(", except %d lines that were no longer in memory", m.Lost)
	}
	return fmt.Sprintf("%s was %s while it was written; its content is saved in %s%s", m.Path, m.Why, m.To, lost)
}

// The ways in which others may have changed a file that is being written.
const (
	wasRemoved  = "removed or renamed"
	wasReplaced = "replaced"
	wasCut      = "cut short"
	wasOver     = "overwritten"
)

// meddled returns how others have changed the file; "" if in no way that matters.
func (w *Writer) meddled() string {
	open, err := w.f.Stat()
	if err != nil {
		return ""
	}
	named, err := os.Stat(w.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		return wasRemoved
	case err == nil && !os.SameFile(open, named):
		return wasReplaced
	case open.Size() < w.end:
		return wasCut
	}
	if !w.holds(w.head, 0) || !w.holds(w.tail, w.end-int64(len(w.tail))) {
		return wasOver
	}
	return ""
}

// holds reports whether the file has these bytes at an offset.
func (w *Writer) holds(want []byte, at int64) bool {
	got := make([]byte, len(want))
	_, err := w.f.ReadAt(got, at)
	return err != nil || bytes.Equal(got, want)
}

// move saves everything that was written in another file, with which the Writer continues.
func (w *Writer) move(why string) error {
	m := &Moved{Path: w.path, Why: why}
	var errs []error
	for _, place := range places(w.path) {
		to, f, err := w.rescue(place, why)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if why == wasCut || why == wasOver {
			m.Lost = w.held.gone
		}
		st, err := f.Stat()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		old := w.f
		w.path, w.f, w.end, m.To = to, f, st.Size(), to
		if old.Fd() != f.Fd() {
			_ = old.Close() // no longer needed
		}
		w.moved = m
		return nil
	}
	w.err = fmt.Errorf("%s was %s while it was written, and its content could not be saved elsewhere: %w", w.path, why,
		errors.Join(errs...))
	return w.err
}

// places returns the paths to which to save a file that lost its name, best first.
func places(path string) []string {
	name := fmt.Sprintf("%s.recovered-%d", filepath.Base(path), os.Getpid())
	return []string{filepath.Join(filepath.Dir(path), name), name, filepath.Join(os.TempDir(), name)}
}

// rescue links the open file under a new name, or copies it if that is impossible.
func (w *Writer) rescue(to, why string) (string, file, error) {
	if why == wasRemoved || why == wasReplaced {
		// Only possible while it has another name: the kernel cannot link a file that has lost its last.
		err := unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", w.f.Fd()), unix.AT_FDCWD, to,
			unix.AT_SYMLINK_FOLLOW)
		if err == nil {
			return to, w.f, SyncDir(filepath.Dir(to))
		}
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return "", nil, err
	}
	if err = lock(f); err == nil {
		_, err = io.Copy(f, w.rest(why))
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = SyncDir(filepath.Dir(to))
	}
	if err != nil {
		return "", nil, errors.Join(err, f.Close(), os.Remove(to))
	}
	return to, locked{f}, nil
}

// rest returns the recoverable contents of the file.
func (w *Writer) rest(why string) io.Reader {
	if why == wasCut || why == wasOver {
		return bytes.NewReader(bytes.Join(w.held.lines, nil))
	}
	return io.NewSectionReader(w.f, 0, w.end)
}

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

// edgeBytes is how much of a file's beginning, and of what was written last, tells whether others wrote over it.
const edgeBytes = 128

// Moved says that somebody removed, replaced or cut a session while it was written. All that
// was given to its Writer is in another file, and what comes goes there, too.
type Moved struct {
	Path, To, Why string
	Lost          int // lines that were in neither the file nor memory
}

func (m *Moved) Error() string {
	lost := ""
	if m.Lost > 0 {
		lost = fmt.Sprintf(", without %d lines that were not in memory", m.Lost)
	}
	return fmt.Sprintf("%s was %s while it was written; its content is saved in %s%s", m.Path, m.Why, m.To, lost)
}

// What may have become of a file that is being written.
const (
	wasRemoved  = "removed or renamed"
	wasReplaced = "replaced"
	wasCut      = "cut short"
	wasOver     = "overwritten"
)

// meddled says what others have done to the file; "": nothing that matters.
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

// holds says whether the file has these bytes at an offset.
func (w *Writer) holds(want []byte, at int64) bool {
	got := make([]byte, len(want))
	_, err := w.f.ReadAt(got, at)
	return err != nil || bytes.Equal(got, want)
}

// move brings all that was written to safety, in another file, with which the Writer goes on.
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
			_ = old.Close() // nothing of it is needed any more
		}
		w.moved = m
		return nil
	}
	w.err = fmt.Errorf("%s was %s while it was written, and its content could not be saved elsewhere: %w", w.path, why, errors.Join(errs...))
	return w.err
}

// places are where a file that has lost its name may go, best first.
func places(path string) []string {
	name := fmt.Sprintf("%s.recovered-%d", filepath.Base(path), os.Getpid())
	return []string{filepath.Join(filepath.Dir(path), name), name, filepath.Join(os.TempDir(), name)}
}

// rescue gives the open file a name, or where that cannot be, writes it anew.
func (w *Writer) rescue(to, why string) (string, file, error) {
	if why == wasRemoved || why == wasReplaced {
		// Only while it has another name: the kernel gives none to a file that has lost its last.
		err := unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", w.f.Fd()), unix.AT_FDCWD, to, unix.AT_SYMLINK_FOLLOW)
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

// rest is what there is of the file.
func (w *Writer) rest(why string) io.Reader {
	if why == wasCut || why == wasOver {
		return bytes.NewReader(bytes.Join(w.held.lines, nil))
	}
	return io.NewSectionReader(w.f, 0, w.end)
}

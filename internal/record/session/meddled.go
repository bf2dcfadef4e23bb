package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	shellquote "github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"
)

// edgeBytes is how much of a file's start and of its last write is compared to detect that others overwrote it.
const edgeBytes = 128

// The ways in which others may have changed a file that is being written.
const (
	wasRemoved  = "removed"
	wasRenamed  = "renamed"
	wasReplaced = "replaced"
	wasCut      = "cut short"
	wasOver     = "overwritten"
)

// errMeddled is the cause of an Unwritten session that others have changed.
var errMeddled = errors.New("another program has changed the file")

// meddled returns how others have changed the file; "" if in no way that matters. Of a file that cannot be read nothing
// is known.
func (w *Writer) meddled() (string, error) {
	open, err := w.f.Stat()
	if err != nil {
		return "", err
	}
	named, err := os.Stat(w.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		if w.name() != "" {
			return wasRenamed, nil
		}
		return wasRemoved, nil
	case err == nil && !os.SameFile(open, named):
		return wasReplaced, nil
	case open.Size() < w.end:
		return wasCut, nil
	}
	head, herr := w.holds(w.head, 0)
	tail, terr := w.holds(w.tail, w.end-int64(len(w.tail)))
	if err := errors.Join(herr, terr); err != nil {
		return "", err
	}
	if !head || !tail {
		return wasOver, nil
	}
	return "", nil
}

// holds reports whether the file has these bytes at an offset. One that was cut since its size was looked at has them
// for now: the next look finds it shorter.
func (w *Writer) holds(want []byte, at int64) (bool, error) {
	got := make([]byte, len(want))
	_, err := w.f.ReadAt(got, at)
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return bytes.Equal(got, want), err
}

// intact returns the error of a Writer whose file others have changed, or cannot be read.
func (w *Writer) intact() error {
	why, err := w.meddled()
	switch {
	case err != nil:
		return w.unreadable(err)
	case why != "":
		return w.lost(why)
	}
	return nil
}

// unreadable ends the Writer: what it has written cannot be read back. Nothing is cut off, since all of it may be safe.
func (w *Writer) unreadable(err error) error {
	w.err = Unwritten{cause(err), fmt.Sprintf("read %s, which is being written: %v; runs safe in it: %s\nhint: check its "+
		"disk, then: plimsoll run --resume %s", w.path, cause(err), w.safe(), shellquote.Join(w.path))}
	return w.err
}

// name returns the path that the open file has now; "" if it has none, or none that is known.
func (w *Writer) name() string {
	fd := fmt.Sprintf("/proc/self/fd/%d", w.f.Fd())
	path, err := os.Readlink(fd)
	if err != nil {
		return ""
	}
	open, err := os.Stat(fd)
	named, nerr := os.Stat(path)
	if err != nil || nerr != nil || !os.SameFile(open, named) {
		return ""
	}
	return path
}

// lost ends the Writer: others have changed the file. What is left of it stays as it is, and its runs are counted:
// nobody can go on as if those that it lacks were saved.
func (w *Writer) lost(why string) error {
	safe, path, is := 0, w.path, ""
	if why == wasRemoved || why == wasRenamed || why == wasReplaced {
		if path = w.name(); path != "" {
			is = ", and is " + path + " now"
		}
	}
	if path != "" { // else nobody can read it once this process has ended
		safe, _ = w.Count("")
	}
	hint := "plimsoll run -o OTHER measures again"
	if safe > 0 {
		hint = "plimsoll run --resume " + shellquote.Join(path) + " measures what is missing"
	}
	w.err = Unwritten{errMeddled,
		fmt.Sprintf("write %s: it was %s while it was written%s; runs safe in it: %d, finished and not saved: %d\nhint: %s",
			w.path, why, is, safe, max(0, w.runs-safe), hint)}
	return w.err
}

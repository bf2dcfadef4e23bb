// Package input opens files that a user has named and that may come from anybody: it does not block on a pipe, reads
// no device, and reads no more than a given size.
package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/usage"
)

// NoFile is the error for a path that is not a regular file.
type NoFile struct {
	Path string
	Mode fs.FileMode
}

func (e *NoFile) Error() string {
	hint := "save its contents to a file, and give that"
	if e.Mode.IsDir() {
		hint = "name a file in it"
	}
	return fmt.Sprintf("%s is %s, not a file\nhint: %s", e.Path, kind(e.Mode), hint)
}

// Unwrap returns a usage error: the user has to give another file.
func (e *NoFile) Unwrap() error { return usage.Errorf("%s", e.Error()) }

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

// Open opens a regular file for reading. It does not block on a pipe without a writer, nor on a device.
func Open(path string) (*os.File, error) { return OpenFile(path, os.O_RDONLY) }

// OpenFile is like Open with flags of os.OpenFile.
func OpenFile(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|harmless, 0)
	if errors.Is(err, unix.ENXIO) || errors.Is(err, unix.EISDIR) { // a socket, or a pipe or directory to be written
		if info, serr := os.Stat(path); serr == nil && !info.Mode().IsRegular() {
			return nil, &NoFile{path, info.Mode()}
		}
	}
	if err != nil {
		return nil, err
	}
	return regular(f, path)
}

// harmless are the flags with which opening has no effect on a pipe or a device.
const harmless = unix.O_NONBLOCK | unix.O_NOCTTY

// OpenIn is like Open for a name in a directory, and follows no link that leaves it.
func OpenIn(dir *os.Root, name string) (*os.File, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|harmless, 0)
	if err != nil {
		return nil, err
	}
	return regular(f, name)
}

// SizeOf returns the bytes of files together. What is wrong with one is told by who opens it.
func SizeOf(paths []string) (sum int64) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// regular returns f if it is a regular file, else closes it.
func regular(f *os.File, path string) (*os.File, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &NoFile{path, info.Mode()}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Failed reports whether the machine could not open or read a file, whatever is in it: another time it may.
func Failed(err error) bool {
	var at *fs.PathError
	return errors.As(err, &at) && at.Op == "read" || slices.ContainsFunc(
		[]error{unix.EIO, unix.ESTALE, unix.ETIMEDOUT, unix.ENOTCONN, unix.EMFILE, unix.ENFILE, unix.ENOMEM},
		func(failure error) bool { return errors.Is(err, failure) })
}

// Wrap returns the error of opening or reading a file as a usage error, as the user has to give another file, unless
// the machine failed.
func Wrap(err error) error {
	if Failed(err) {
		return err
	}
	return usage.Wrap(err)
}

// TooLong is the error for a file that exceeds its limit.
type TooLong struct {
	Path string
	Most int64 // bytes
}

func (e *TooLong) Error() string {
	return fmt.Sprintf("%s exceeds %d KiB, more than any such file has", e.Path, e.Most>>10)
}

// Unwrap returns a usage error: the user has to give another file.
func (e *TooLong) Unwrap() error { return usage.Errorf("%s", e.Error()) }

// ReadFile reads a regular file of at most most bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = &TooLong{path, most}
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}
